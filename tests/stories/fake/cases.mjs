// @ts-check
/**
 * What a shop's page does with a form, and what it must hear: the same from the package's fake as from the real form. A case is
 * a list of steps; `hears` is what the page has been told since the step before, one line each.
 *
 * @typedef {{ name: string, steps: Step[] }} Case
 * @typedef {{ start?: object, open?: true, type?: Texts, press?: true, fault?: Fault, call?: [name: string, ...args: any[]], hears: string[] }} Step
 *   `call` tells what its promise became as `name: …`. A `fault` befalls the submits that follow.
 * @typedef {{ number?: string, expiry?: string, code?: string }} Texts
 * @typedef {'offline' | 'keyExpired' | 'limitReached' | 'refused'} Fault
 */
const FUTURE = `12/${String((new Date().getUTCFullYear() + 2) % 100).padStart(2, '0')}`;
const FINE = 'change: number valid, expiry valid, code valid; visa; complete';
const EMPTY = 'change: number empty, expiry empty, code empty; none';
const WRONG = 'change: number empty number_empty, expiry empty expiry_empty, code empty code_empty; none';
const CARD = { number: '4111111111111111', expiry: FUTURE, code: '123' };
const READY = { start: {}, hears: [EMPTY, 'ready'] };
const TOKEN = 'token: 41111111****1111';

/** @type {Case[]} */
export const CASES = [
  {
    name: 'the button: a token, and an empty form',
    steps: [READY, { type: CARD, hears: [FINE] }, { press: true, hears: [EMPTY, TOKEN] }, { press: true, hears: [] }],
  },
  {
    name: "a button of the shop's own; nothing typed, then a card",
    steps: [
      READY,
      { call: ['submit'], hears: [WRONG, 'error: card_invalid form customer false', 'submit: card_invalid'] },
      { type: CARD, hears: [FINE] },
      { call: ['validate'], hears: ['validate: number valid, expiry valid, code valid; visa; complete'] },
      { call: ['submit'], hears: [EMPTY, TOKEN, `submit: ${TOKEN}`] },
    ],
  },
  {
    name: 'what is wrong with a field is said when it can be known',
    steps: [
      READY,
      { type: { number: '4242424242424241', code: '12' }, hears: ['change: number invalid number_invalid, expiry empty, code incomplete; visa'] },
      { type: { expiry: '1' }, hears: ['change: number invalid number_invalid, expiry incomplete, code incomplete code_incomplete; visa'] },
      { call: ['validate'], hears: ['change: number invalid number_invalid, expiry incomplete expiry_incomplete, code incomplete code_incomplete; visa', 'validate: number invalid number_invalid, expiry incomplete expiry_incomplete, code incomplete code_incomplete; visa'] },
      { call: ['clear'], hears: [EMPTY] },
    ],
  },
  {
    name: 'networks: those that are taken, and those of a co-badged card',
    steps: [
      { start: { brands: ['mastercard'] }, hears: [EMPTY, 'ready'] },
      { type: { number: '4242' }, hears: ['change: number invalid number_brand, expiry empty, code empty; visa'] },
      { call: ['update', { brands: undefined }], hears: ['change: number incomplete, expiry empty, code empty; visa'] },
      { call: ['clear'], hears: ['change: number empty, expiry empty, code empty; none'] },
      { type: { number: '3538000000000005' }, hears: ['change: number valid, expiry empty, code empty; rupay of rupay jcb'] },
    ],
  },
  {
    name: 'the number alone',
    steps: [
      { start: { type: 'pan_only' }, hears: ['change: number empty; none', 'ready'] },
      { type: { number: CARD.number }, hears: ['change: number valid; visa; complete'] },
      { press: true, hears: ['change: number empty; none', TOKEN] },
    ],
  },
  ...[
    ['offline', 'offline submit network true'],
    ['keyExpired', 'ticket_expired submit service true'],
    ['limitReached', 'too_many_requests submit customer true'],
    ['refused', 'wrong_card_number submit customer false'],
  ].map(([fault, said]) => ({
    name: `${fault}: an error, and what was typed stays`,
    steps: [
      READY,
      { fault: /** @type {Fault} */ (fault), type: CARD, hears: [FINE] },
      { call: /** @type {[string]} */ (['submit']), hears: [`error: ${said}`, `submit: ${said.split(' ')[0]}`] },
    ],
  })),
  {
    name: 'closed, opened, destroyed; calls at the wrong time',
    steps: [
      READY,
      { type: { number: '4242' }, hears: ['change: number incomplete, expiry empty, code empty; visa'] },
      { call: ['close'], hears: ['close: closed'] },
      { call: ['submit'], hears: ['submit: not_open'] },
      { call: ['validate'], hears: ['validate: not_open'] },
      { open: true, hears: [EMPTY, 'ready'] },
      { call: ['validate'], hears: [WRONG, `validate: ${WRONG.slice(8)}`] },
      { call: ['destroy'], hears: ['close: destroyed'] },
      { call: ['submit'], hears: ['submit: destroyed'] },
    ],
  },
  {
    name: 'a form that does not start',
    steps: [{ start: { key: 'wk_nobody' }, hears: ['error: widget_key_unknown load merchant false'] }],
  },
];

/** What was told, in a line; consecutive changes are the last of them, as a person's typing differs. @param {[string, any][]} said */
export function lines(said) {
  return said
    .filter(([event], index) => event !== 'change' || said[index + 1]?.[0] !== 'change')
    .map(([event, value]) => [event, ...describe(value)].join(': '));
}

/** @param {any} value @returns {string[]} */
function describe(value) {
  if (value?.token) return [`${value.card_mask}`];
  if (value?.reason) return [value.reason];
  if (value?.settled) {
    if (value.error) return [value.error.code];
    return value.settled.token ? [`token: ${value.settled.card_mask}`] : describe(value.settled);
  }
  if (value?.code) return [[value.code, value.stage, value.actor, value.retryable].join(' ')];
  if (!value?.fields) return [];
  const fields = Object.entries(value.fields).map(([name, { state, error }]) => [name, state, error].filter(Boolean).join(' '));
  const networks = value.choices.length ? `${value.brand} of ${value.choices.join(' ')}` : (value.brand ?? 'none');
  return [[fields.join(', '), networks, ...(value.complete ? ['complete'] : [])].join('; ')];
}

// @ts-check
/**
 * What can go wrong between a press on the button and a token. What stands between browser and service does it, or the service
 * itself; afterwards everything works again.
 *
 * @typedef {import('../shared/world.mjs').World} World
 * @typedef {import('../shared/world.mjs').Visit} Visit
 * @typedef {import('../shared/front.mjs').Answer} Answer
 * @typedef {import('../shared/front.mjs').Passed} Passed
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {(world: World, page: Visit) => unknown} happen
 * @property {(world: World, page: Visit) => unknown} [heal] Beyond taking all rules away.
 * @property {string[]} [code] What shop and person are told; two where engines see different things. Left out: the frame copes
 *   by itself, and nobody is told anything.
 * @property {'customer' | 'merchant' | 'network' | 'service'} [actor]
 * @property {boolean} [retryable]
 * @property {number} [minutes] To wait, as the person is told.
 * @property {'number' | 'expiry' | 'code'} [field] That the person is told at.
 * @property {number} [issued] Tokens that the service has made in the end, where it is not one.
 * @property {(world: World) => object} [params] Of the widget.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { offline, online } from '../shared/offline.mjs';

/** The frame's number of a submit: the same request again cannot make a second token. */
const IDEMPOTENCY = 'idempotency-key';

const CUT = { code: ['service_unreachable'], actor: /** @type {const} */ ('network'), retryable: true };
const UNREADABLE = { code: ['answer_unreadable'], actor: /** @type {const} */ ('service'), retryable: true };

/** @type {Fault[]} */
export const FAULTS = [
  { ...CUT, name: 'the connection is cut before the service gets it', happen: rule(async () => undefined) },
  { ...CUT, name: 'the answer is lost: the service has got it', happen: rule(async (pass) => void (await pass())) },
  {
    name: 'the connection is cut in the middle of the answer',
    // The length that it names stays the whole one.
    happen: rule(async (pass) => half(await pass())),
    code: ['service_unreachable', 'answer_unreadable'],
    retryable: true,
  },
  { ...CUT, name: 'nobody listens', happen: ({ front }) => front.stop(), heal: ({ front }) => front.start() },
  {
    ...CUT,
    name: 'the service is killed when it has stored the token, and started again',
    happen: rule(async (pass, { service }) => {
      await pass();
      await service.stop('SIGKILL');
      return undefined;
    }),
    heal: ({ service }) => service.start(),
  },
  {
    name: 'the device is offline, then online',
    happen: (world, page) => offline(world, page, ['#card iframe']),
    heal: (world, page) => online(world, page, ['#card iframe']),
    code: ['offline'],
    actor: 'network',
    retryable: true,
  },
  {
    name: 'the answer comes after the deadline',
    happen: rule(async (pass, { front }) => {
      const answer = await pass();
      await front.relaxed;
      return answer;
    }),
    params: () => ({ timeout: 1000 }),
    code: ['timeout'],
    actor: 'network',
    retryable: true,
  },
  {
    name: 'the service never gets to it before the deadline',
    happen: rule(async (pass, { front }) => {
      await front.relaxed;
      return undefined;
    }),
    params: () => ({ timeout: 1000 }),
    code: ['timeout'],
    actor: 'network',
    retryable: true,
  },

  { ...UNREADABLE, name: "a proxy's page with 200", happen: says(200, '<!doctype html><title>Sign in</title>', 'text/html') },
  { ...UNREADABLE, name: 'an empty 200', happen: says(200, '') },
  { ...UNREADABLE, name: 'JSON of somebody else with 200', happen: says(200, '{"ok":true}') },
  { ...UNREADABLE, name: 'an empty 500', happen: says(500, '') },
  { ...UNREADABLE, name: "a proxy's page with 502", happen: says(502, '<h1>Bad gateway</h1>', 'text/html') },
  { ...UNREADABLE, name: "a proxy's text with 503", happen: says(503, 'try later', 'text/plain') },
  { ...UNREADABLE, name: 'a redirect to a page', happen: says(302, '', 'text/html', { location: '/healthz' }) },
  refusal(500, 'internal_error', 'service', true),
  refusal(503, 'service_unavailable', 'service', true),
  { ...refusal(429, 'too_many_requests', 'customer', true, { 'retry-after': '119' }), minutes: 2 },
  refusal(409, 'idempotency_conflict', 'merchant', false),
  { ...refusal(422, 'card_expired', 'customer', false), field: 'expiry' },
  refusal(422, 'a_code_of_next_year', 'service', false),
  {
    name: 'the service sees a foreign origin',
    happen: rule((pass, _, { headers }) => {
      headers.origin = 'https://stranger.example';
      return pass();
    }),
    code: ['origin_not_allowed'],
    actor: 'merchant',
    retryable: false,
  },

  { name: 'the ticket is of yesterday', happen: first(() => refused(403, 'ticket_expired', 'service', true)) },
  {
    name: 'the ticket is of yesterday, and so is the next one',
    happen: rule(() => refused(403, 'ticket_expired', 'service', true)),
    code: ['ticket_expired'],
    actor: 'service',
    retryable: true,
  },
  {
    name: 'the sealing key is not in use any more',
    happen: first((pass, _, request) => {
      // For another key than there is, as if it had been taken out of use since.
      const { envelope, ...rest } = JSON.parse(request.body.toString());
      const [header, ...parts] = envelope.split('.');
      const claims = JSON.parse(Buffer.from(header, 'base64url').toString());
      const other = Buffer.from(JSON.stringify({ ...claims, kid: 'sk_of_yesterday' })).toString('base64url');
      change(request, JSON.stringify({ ...rest, envelope: [other, ...parts].join('.') }));
      return pass();
    }),
  },
  {
    name: 'somebody on the way sends the card first, under another number of his own',
    happen: first(async (pass, _, { headers }) => {
      const own = headers[IDEMPOTENCY];
      headers[IDEMPOTENCY] = 'a-number-of-his-own';
      await pass();
      headers[IDEMPOTENCY] = own;
      return pass();
    }),
    // The stranger's, which reaches nobody, and the person's.
    issued: 2,
  },
  withdrawn(),
];

/**
 * @param {(pass: () => Promise<Answer>, world: World, request: Passed) => Promise<Answer | undefined | void>} does With each
 *   request for a token.
 * @returns {Fault['happen']}
 */
function rule(does) {
  return (world) => world.front.rule(/^\/api\/widget\/v1\/tokens$/, async (request, pass) => (await does(pass, world, request)) || undefined);
}

/** The same with the first one alone. @param {Parameters<typeof rule>[0]} does @returns {Fault['happen']} */
function first(does) {
  return (world, page) => {
    let isFirst = true;
    return rule((pass, world, request) => {
      if (!isFirst) return pass();
      isFirst = false;
      return does(pass, world, request);
    })(world, page);
  };
}

/** @param {number} status @param {string} body @param {object} [headers] */
function says(status, body, type = 'application/json', headers = {}) {
  return rule(async () => ({ status, headers: { ...headers, 'content-type': type }, body: Buffer.from(body) }));
}

/** What the service answers with that code, which it has not been asked for. @returns {Fault} */
function refusal(status, code, actor, retryable, headers = {}) {
  return { name: `${status} ${code}`, happen: rule(() => refused(status, code, actor, retryable, headers)), code: [code], actor, retryable };
}

/** @returns {Promise<Answer>} */
async function refused(status, code, actor, retryable, headers = {}) {
  const body = { code, message: 'A sentence.', param: '', payment_id: '', type: 'api_error', error_id: 'e0123', actor, retryable: retryable ? 'true' : '' };
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

/** The operator takes the shop's key back while the form is open. @returns {Fault} */
function withdrawn() {
  let key = '';
  return {
    name: 'the key is withdrawn',
    params: ({ service, shop }) => ({ key: (key = service.addKey(shop.origin)) }),
    happen: async ({ service }) => {
      service.removeKey(key);
      // Until its second is over the service knows the key.
      await sleep(1000);
    },
    code: ['widget_key_unknown'],
    actor: 'merchant',
    retryable: false,
    issued: 0,
  };
}

/** @param {Answer} answer @returns {Answer} */
function half(answer) {
  const { length } = answer.body;
  return { ...answer, headers: { ...answer.headers, 'content-length': String(length) }, body: answer.body.subarray(0, length >> 1) };
}

/** @param {Passed} request @param {string} body */
function change(request, body) {
  request.body = Buffer.from(body);
  request.headers['content-length'] = String(request.body.length);
}

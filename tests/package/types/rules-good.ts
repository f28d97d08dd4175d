// Every line here must compile: what the README shows, in the shapes back offices write it.
import { loadCardRules } from 'card-widget/rules';
import type {
  BrandId, BrandRules, CardRules, CardRulesError, CodeAnswer, ExpiryAnswer, NumberAnswer, NumberErrorId, State,
} from 'card-widget/rules';

const rules: CardRules = await loadCardRules();
const failed = (error: CardRulesError): string => error.code === 'rules_unavailable' ? error.message : '';
loadCardRules().catch(failed);

const number: NumberAnswer = rules.number('4242 4242 4242 4242');
const state: State = number.state;
const error: NumberErrorId | null = number.error;
const send: string | null = state === 'valid' ? number.digits : null;
const lengths: readonly number[] = [...number.lengths, ...number.codeLengths];
const brand: BrandId | undefined = number.choices.at(0) ?? number.brand ?? number.brands[0];
const mask: string = number.mask ?? '';
declare const input: { selectionStart: number | null } | undefined;
rules.number('', { brands: ['visa', 'prostir'], choice: brand ?? null });
rules.number('4242 4', { previous: number, caret: input?.selectionStart });
rules.number('4242 4', { previous: null, caret: null });

const date: ExpiryAnswer = rules.expiry('1/29', { now: new Date() });
const until: Date | null = date.year && date.month ? new Date(date.year, date.month) : null;
rules.expiry('1/29', { now: Date.now(), previous: date, caret: date.caret });

const code: CodeAnswer = rules.code('123', { number: number.digits });
rules.code('1234', { brand: 'amex' });
rules.code(code.digits, { brand: number.brand });

const amex: BrandRules | undefined = rules.brands.find(({ id }) => id === 'amex');
const groups: readonly number[] | undefined = amex?.groups[15];
const three: 3 | 4 = amex?.codeLength ?? 3;

export { error, groups, lengths, mask, send, three, until };

/**
 * The card rules as functions, for payout and back-office forms: what is known of a number, a date or a code, and how it
 * is written. They are the rules of the form itself, from the same code.
 *
 * **Not for a checkout.** A text handed to these functions is in the memory of your page, and everything that runs there
 * can read it. A page with card fields of its own is a page that handles card data, with all that the card networks' rules
 * (PCI DSS) ask of it. A page that shows the form of `card-widget` is not: there the number stays in the frame of the
 * service. So take these functions where card numbers are handled anyway, or where nobody else's card is typed.
 *
 * Nothing here sends, stores or logs anything. What is handed in is wiped from the module's own memory before a call
 * returns; strings of JavaScript, yours and those of the answer, cannot be wiped.
 */

/**
 * Loads the rules. The first call starts the module (WebAssembly, inside this package: nothing is fetched), all calls share
 * one promise, and a failure is not kept, so a later call tries again. Importing this module has no effect.
 *
 * Works in browsers, with or without a bundler, in Node 20 and newer, and in Deno. A page with a content policy needs
 * `'wasm-unsafe-eval'` in its `script-src`.
 *
 * @throws {CardRulesError} (as a rejection) when the module cannot be started here.
 */
export function loadCardRules(): Promise<CardRules>;

/** Why the rules could not be loaded. */
export interface CardRulesError extends Error {
  code: 'rules_unavailable';
}

/**
 * The rules. Each function answers with a frozen plain object, and throws a `TypeError` for a parameter of the wrong kind,
 * which names the parameter and the kind of thing that came and never the value. No text makes them throw.
 */
export interface CardRules {
  /**
   * A card number.
   *
   * @param text What was typed or pasted. Digits of any script count; spaces, dashes, dots and everything else do not.
   */
  number(text: string, options?: NumberOptions): NumberAnswer;
  /**
   * An expiry date.
   *
   * @param text What was typed or pasted: `1/29`, `0129`, `01/29` with any separator, `01/2029`, `2029-01` and the like.
   */
  expiry(text: string, options?: ExpiryOptions): ExpiryAnswer;
  /** A security code, by itself, for a number or for a brand. @param text What was typed or pasted. */
  code(text: string, options?: CodeOptions): CodeAnswer;
  /** All brands with their rules. */
  readonly brands: readonly BrandRules[];
}

/**
 * What can be said of a text.
 *
 * - `empty`: it has no digit.
 * - `incomplete`: more typing can make it right. That may be so even of a number with a wrong check digit, where longer
 *   numbers exist: `error` then says what is wrong if this is all.
 * - `valid`: right as it stands.
 * - `invalid`: wrong, and more typing at its end does not help.
 *
 * While a person types, show `error` where the state is `invalid`. After they left the field, show it unless the state is
 * `empty`. On a submit, show it wherever there is one.
 */
export type State = 'empty' | 'incomplete' | 'valid' | 'invalid';

/**
 * How to format while a person types: hand in the answer before and where the caret is now, and put the caret where the
 * new answer says. Without these the text is taken as a whole, as after a paste or from a file.
 *
 * ```js
 * let previous;
 * input.addEventListener('input', (event) => {
 *   if (event.isComposing) return;
 *   previous = rules.number(input.value, { previous, caret: input.selectionStart });
 *   input.value = previous.formatted;
 *   input.setSelectionRange(previous.caret, previous.caret);
 * });
 * ```
 */
export interface TypingOptions<Answer> {
  /** The answer about what the field showed before: what tells a deleted gap from a text that has none. */
  previous?: Answer | null | undefined;
  /** Where the caret is in `text`, in UTF-16 units as browsers count. Left out: at the end. */
  caret?: number | null | undefined;
}

/** How to look at a number. */
export interface NumberOptions extends TypingOptions<NumberAnswer> {
  /** Brands that you take, at least one. A number of another one is `number_brand`. Left out: all. */
  brands?: readonly BrandId[] | undefined;
  /** The network that the person chose of {@link NumberAnswer.choices}. Without effect where it is none of them. */
  choice?: BrandId | null | undefined;
}

/** How to look at a date. */
export interface ExpiryOptions extends TypingOptions<ExpiryAnswer> {
  /** The time to judge by: a `Date`, or milliseconds since 1970. Left out: now. */
  now?: Date | number | undefined;
}

/** Which card a code is for. Without either, a code of three or of four digits may be right. */
export interface CodeOptions {
  /** The number beside the code, in any writing. */
  number?: string | undefined;
  /** The brand, where it is known already; counts more than `number`. */
  brand?: BrandId | null | undefined;
}

/** What can be said of a number. */
export interface NumberAnswer {
  /** The digits, in ASCII: what to send. */
  readonly digits: string;
  /**
   * The number as it is written on its card: `3782 822463 10005`. A text of more than 32 digits is not cut: what
   * `previous` had stands here then, or without it the text as it came.
   */
  readonly formatted: string;
  /** Where the caret belongs in `formatted`. */
  readonly caret: number;
  readonly state: State;
  /** What is wrong if this is all; `null` exactly where `state` is `valid`. */
  readonly error: NumberErrorId | null;
  /** Brands that the number may yet belong to, the likeliest first. Empty where it has no digit or no known brand. */
  readonly brands: readonly BrandId[];
  /** The two networks of a co-badged card, from which the person may choose; else empty. */
  readonly choices: readonly BrandId[];
  /** The brand, once no further digit can change it; of a co-badged card the chosen one, else the first that you take. */
  readonly brand: BrandId | null;
  /** How many digits such a number may have, rising. */
  readonly lengths: readonly number[];
  /** How many digits its security code may have: `[3]`, `[4]`, or `[3, 4]` while that is open. */
  readonly codeLengths: readonly number[];
  /** What may be shown and kept of a valid number: `42424242****4242`. Else `null`. */
  readonly mask: string | null;
}

/** What can be said of a date. */
export interface ExpiryAnswer {
  /** `MM/YY`, or as much of it as there is. A text of more than 12 digits is not cut, as with a number. */
  readonly formatted: string;
  /** Where the caret belongs in `formatted`. */
  readonly caret: number;
  readonly state: State;
  /** What is wrong if this is all; `null` exactly where `state` is `valid`. */
  readonly error: ExpiryErrorId | null;
  /** The slash at the end of `formatted` was put there and not typed, and may yet move: `1`, `2`, `9` is January 2029. */
  readonly ownSlash: boolean;
  /** 1 to 12 where `state` is `valid`, else `null`. */
  readonly month: number | null;
  /** Four digits where `state` is `valid`, else `null`. */
  readonly year: number | null;
}

/** What can be said of a code. */
export interface CodeAnswer {
  /** The digits, in ASCII: what to show and to send. */
  readonly digits: string;
  readonly state: State;
  /** What is wrong if this is all; `null` exactly where `state` is `valid`. */
  readonly error: CodeErrorId | null;
  /** How many digits the code may have: `[3]`, `[4]`, or `[3, 4]` while that is open. */
  readonly codeLengths: readonly number[];
}

/** The rules of one brand. */
export interface BrandRules {
  readonly id: BrandId;
  /** Its name as people read it, the same in every language. */
  readonly name: string;
  /** How many digits its numbers may have, rising. */
  readonly lengths: readonly number[];
  /** For each of these lengths the sizes of the groups in which the number is written: `groups[15]` is `[4, 6, 5]`. */
  readonly groups: { readonly [length: number]: readonly number[] };
  /** Its numbers end with a check digit by the Luhn formula. */
  readonly luhn: boolean;
  /** How many digits its security code has. */
  readonly codeLength: 3 | 4;
}

/** Brands by their stable ids. New ones may come. */
export type BrandId =
  | 'visa'
  | 'mastercard'
  | 'maestro'
  | 'amex'
  | 'diners'
  | 'discover'
  | 'jcb'
  | 'unionpay'
  | 'mir'
  | 'elo'
  | 'hipercard'
  | 'rupay'
  | 'troy'
  | 'verve'
  | 'uatp'
  | 'prostir';

/** What may be wrong with a number. New ones may come. */
export type NumberErrorId =
  /** It has no digit. */
  | 'number_empty'
  /** It has too few digits, or a count that its brand does not have. */
  | 'number_incomplete'
  /** The check digit does not fit: a digit is wrong, or two changed places. */
  | 'number_invalid'
  /** It has more digits than a card of its brand. */
  | 'number_too_long'
  /** It is one digit all over. */
  | 'number_repeated'
  /** Its brand is none of those that you take. */
  | 'number_brand';

/** What may be wrong with a date. New ones may come. */
export type ExpiryErrorId =
  /** It has no digit. */
  | 'expiry_empty'
  /** Month or year is missing. */
  | 'expiry_incomplete'
  /** The month is not 1 to 12. */
  | 'expiry_month'
  /** The month has ended everywhere on earth. */
  | 'expiry_past'
  /** The year is more than 20 years ahead. */
  | 'expiry_far'
  /** It has more digits than a date. */
  | 'expiry_too_long';

/** What may be wrong with a code. New ones may come. */
export type CodeErrorId =
  /** It has no digit. */
  | 'code_empty'
  /** It has fewer digits than the brand's codes. */
  | 'code_incomplete'
  /** It has more digits than the brand's codes. */
  | 'code_too_long';

/**
 * Everything that may travel between the shop's page and the card frame. The list is closed: whatever is not
 * described here is ignored silently on either side. No type here has room for a card number or a security code.
 *
 * The types are used by the loader (`www/loader`) and by the frame's scripts (`www/frame`) through JSDoc imports;
 * `crates/wire` holds the same shapes for Rust.
 *
 * How a conversation starts: for each document that the frame loads, the loader makes a fresh `MessageChannel` and
 * posts `Connect` to the frame's window, with one port, addressed to the service's origin and to nothing else. The
 * frame takes it only from `window.parent` and only when `event.origin` is the origin that it was served for.
 * From then on both sides speak on the port alone.
 */

/** Window message, loader to frame, carrying exactly one `MessagePort`. The only message that is not sent on a port. */
export interface Connect {
  type: 'card-widget:connect';
  /** Version of this list. A frame that does not know it stays silent, so that the loader's deadline speaks. */
  version: 1;
}

/** First message on the port, loader to frame: what the shop asked for and what is not already in the frame's address. */
export interface Init {
  type: 'init';
  /** Amount to show on the button, in major units (`100.5` is one hundred and a half). Finite, not negative. */
  amount?: number;
  /** Currency of `amount`, three capital letters of ISO 4217. Left out: the amount is shown without a currency. */
  currency?: string;
  /** Address of the customer as the shop saw it. Advice only. */
  customer_ip?: string;
  /** The shop's own id of the customer. */
  customer_id?: string;
  customer_email?: string;
  /** The shop's own texts in the language in use. Plain text: markup in them is shown as text. */
  locale?: LocaleTexts;
}

/** The texts that a shop may replace, flattened to dotted names. */
export type LocaleTexts = { [key in LocaleKey]?: string };

/** Dotted names of the texts that a shop may replace. */
export type LocaleKey =
  | 'cardNumber'
  | 'expiryDate'
  | 'cvv'
  | 'submit'
  | 'yy'
  | 'mm'
  | 'hints.cvvHint'
  | 'errors.cardNumber'
  | 'errors.expiryDate'
  | 'errors.cvv';

/** Frame to loader: the form works, and `init` has been taken in. Sent once per loaded document. */
export interface Ready {
  type: 'ready';
}

/** Frame to loader: the height that the content needs. May be sent before `ready`. */
export interface Resize {
  type: 'resize';
  /** CSS pixels, at least 0. */
  height: number;
}

/** Frame to loader: a card became a token. Sent once per submit. */
export interface TokenIssued {
  type: 'token';
  token: string;
  /** UTC without a zone, as the contract writes it: `2026-01-31T23:59:59`. */
  expires_at: string;
  /** First digits, one `*` per hidden digit, last four. */
  card_mask: string;
}

/** Frame to loader: something went wrong that the person or the shop should know. */
export interface Failure {
  type: 'error';
  /** Stable name of what went wrong. It never changes its meaning. */
  code: string;
  /** One sentence for the shop's developer: what is wrong and what to do next. Never any input. */
  message: string;
  /** The same attempt may succeed later without a change. */
  retryable: boolean;
  /** Who can put it right. */
  actor: Actor;
  /** Where it stopped. `init` before `ready` means that this frame will not become a working form. */
  stage: Stage;
  /** Names this one event in the service's log; empty where there was no request. */
  correlation_id: string;
}

/** Who can put an error right. */
export type Actor = 'customer' | 'merchant' | 'network' | 'service';

/** Where an error happened: while the form was starting, while typing, or between submit and token. */
export type Stage = 'init' | 'form' | 'submit';

/** All that the loader may say on the port. */
export type ToFrame = Init;

/** All that the frame may say on the port. */
export type FromFrame = Ready | Resize | TokenIssued | Failure;

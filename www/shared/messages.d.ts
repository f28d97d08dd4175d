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

/** First message on the port, loader to frame: what the shop asked for. */
export interface Init extends Wishes {
  type: 'init';
}

/** The shop changed its mind while the form is open. Whole, not a difference; nothing typed is lost. */
export interface Update extends Wishes, Look {
  type: 'update';
}

/** How the form shall look. At first it stands in the frame's address, so that the first paint is right. */
export interface Look {
  template: 'stacked' | 'line';
  style: 'plain' | 'evo';
  scheme: 'light' | 'dark' | 'auto';
  /** Theme values by name (`docs/theme.md`); a name that is absent has its default. */
  theme: { [name: string]: string };
}

/** The shop moves the keyboard into the form. */
export interface Focus {
  type: 'focus';
  /** Left out: the first field that is empty or wrong. */
  field?: FieldName;
}

/** The shop empties the form: what was typed, its history, and what is said about it. */
export interface Clear {
  type: 'clear';
}

/** The shop wants every field judged as if the person had left it. Answered by `validated`. */
export interface Validate {
  type: 'validate';
}

/** The shop submits, as the button does. Answered by `token` or `error`; while a submit is under way, by its outcome. */
export interface Submit {
  type: 'submit';
}

/** What the shop asked for, beside the look. */
export interface Wishes {
  /** Milliseconds that a submit may take in all, from the press to the token or the failure. */
  deadline: number;
  /** Language of the form, a BCP 47 tag that the service has texts for. */
  lang: string;
  /** Ids of the networks that the shop takes; left out: all. */
  brands?: string[];
  /** Whether the focus moves on by itself; left out: it does. */
  auto_advance?: boolean;
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
  /** Milliseconds from now to `expires_at` by the service's clock: the device's may be wrong by years. */
  expires_in: number;
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
  /** Where it stopped. `load` and `attach` mean that this frame will not become a working form. */
  stage: Stage;
  /** Names this one event in the service's log; empty where there was no request. */
  correlation_id: string;
}

/**
 * Frame to loader: something about the form is no longer as it was last told (`change`), or how it stands as the shop asked
 * for it (`validated`). Holds no digit of the card.
 */
export interface Change {
  type: 'change' | 'validated';
  /** By field; a form of the number alone has only that. */
  fields: { number: FieldChange; expiry?: FieldChange; code?: FieldChange };
  /** Ids of the networks that the number may belong to; empty while there is none, and for unknown ones. */
  brands: string[];
  /** Ids of the networks that the person may choose between, for a co-badged card; else empty. */
  choices: string[];
  /** The network: chosen, or the only one that is possible. */
  brand: string | null;
  /** All fields are valid. */
  complete: boolean;
}

/** One field in {@link Change}. */
export interface FieldChange {
  state: 'empty' | 'incomplete' | 'valid' | 'invalid';
  /** Id of the error that is shown. */
  error: string | null;
  focused: boolean;
}

/** Frame to loader: the person pressed Escape. What it means is the shop's to decide. */
export interface Escape {
  type: 'escape';
}

/** Frame to loader: something the shop asked for cannot be had. One sentence for its developer. */
export interface Warning {
  type: 'warning';
  message: string;
}

/** Who can put an error right. */
export type Actor = 'customer' | 'merchant' | 'network' | 'service';

/**
 * Where it stopped: in the shop's call (`init`), before the frame's page was there (`load`), before its module ran
 * (`attach`), while typing (`form`), between submit and token (`submit`).
 */
export type Stage = 'init' | 'load' | 'attach' | 'form' | 'submit';

/** Ids of the fields. */
export type FieldName = 'number' | 'expiry' | 'code';

/** All that the loader may say on the port. */
export type ToFrame = Init | Update | Focus | Clear | Validate | Submit;

/** All that the frame may say on the port. */
export type FromFrame = Ready | Resize | TokenIssued | Failure | Change | Escape | Warning;

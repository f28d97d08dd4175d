/**
 * CardWidget for npm. The names are those of the service's interface; parameters and events spelled with an
 * underscore are spelled so on purpose.
 */

/**
 * Loads the widget. Calls with the same address share one promise; a failure is not kept, so a later call tries again.
 * On a server (no `document`) it does nothing and resolves to `null`. Importing this module has no effect.
 *
 * @param url Absolute address of the service (`https://pay.example`), or of the loader script on it.
 * @throws TypeError (as a rejection) when `url` is not an absolute address.
 */
export function loadCardWidget(url: string): Promise<CardWidget | null>;

/** What the script tag defines as the global `CardWidget`, and what {@link loadCardWidget} resolves to. */
export interface CardWidget {
  /** Version of the loader. */
  readonly version: string;
  /**
   * Prepares a form; `open()` shows it. Nothing is thrown: a wrong parameter is told by a `widget-init-error` event on
   * `document`, after the current task, so that a listener added right after this call hears it.
   *
   * A second `init` on the same element closes the first.
   */
  init(params: CardWidgetParams): CardWidgetHandle;
}

/** One form on the page. No call throws, at any time. */
export interface CardWidgetHandle {
  /** The same as `detail.instance` of the events. Differs from form to form. */
  readonly id: string;
  /**
   * Resolves when the form of the latest `open()` works; before the first `open()`, when you may open. Rejects with a
   * {@link CardWidgetError} when there will be no form: what `onError` is told, or `closed`, `aborted`, `destroyed`. It
   * settles within `timeout`. A rejection that you do not look at makes no noise.
   */
  readonly ready: Promise<void>;
  /** Shows the form. Twice is the same as once. After `close()`, or after a failed start: a fresh, empty form. */
  open(): void;
  /** Removes the form with everything typed into it. At any time, as often as you like; no callback but `onClose` comes after it. */
  close(): void;
  /**
   * Changes parameters, also while the form is open; what was typed stays. Those that you leave out stay as they are, and
   * one that is `undefined` has its default again. A wrong one is warned about on the console and changes nothing.
   * `locale` is laid over your earlier texts, text by text; `theme` and `brands` replace the earlier ones.
   *
   * Before `open()` and after `close()` it counts for the next opening. `key`, `mode`, `selector`, `type` and `signal`
   * cannot change.
   */
  update(params: CardWidgetChanges): void;
  /** Another language: the same as `update({ lang })`. */
  setLang(lang: Lang): void;
  /**
   * Listens to an event, beside the handler among the parameters. Handlers are called in the order they came.
   *
   * @returns Stops listening; as often as you like.
   */
  on<Name extends keyof CardWidgetEvents>(event: Name, handler: (value: CardWidgetEvents[Name]) => unknown): () => void;
  /** Moves the keyboard to a field; left out: to the first one that is empty or wrong. Without a form nothing happens. */
  focus(field?: 'number' | 'expiry' | 'code'): void;
  /** Empties all fields, with their history of undo and what is said about them. Without a form nothing happens. */
  clear(): void;
  /**
   * Judges every field as a submit does (an empty one is an error, too), shows what is wrong, and leaves the keyboard where
   * it is. Calls that come before the answer get the same promise. While the form starts, the answer waits for it.
   *
   * Rejects with a {@link CardWidgetError}: `not_open`, `closed`, `timeout`, or what keeps the form from starting.
   */
  validate(): Promise<CardWidgetChange>;
  /**
   * Submits, as the button of the form does; calls that come meanwhile get the same promise. `onToken` is called as well,
   * once. While the form starts, the submit waits for it.
   *
   * Rejects with a {@link CardWidgetError}, within `timeout`: `card_invalid` when a field is empty or wrong, which then has
   * the keyboard; `not_open` without a form; `closed`; else what `onError` is told.
   */
  submit(): Promise<CardToken>;
  /** Closes the form for good and lets go of everything. No `open()` brings it back. */
  destroy(): void;
}

/** What {@link CardWidgetHandle.on} tells, by the name of the event. Each has a parameter as well: `onToken` for `token`. */
export interface CardWidgetEvents {
  /** The form works: once for each opening, and again when the page has moved the form or was brought back from the cache. */
  ready: void;
  token: CardToken;
  error: CardWidgetError;
  change: CardWidgetChange;
  close: CardWidgetClosed;
  expire: CardWidgetExpired;
}

/** Why the form is gone. */
export interface CardWidgetClosed {
  /**
   * `closed`: by `close()`. `removed`: the page took the element away. `replaced`: another widget has the element.
   * `aborted`: by your `signal`. `destroyed`: by `destroy()`.
   */
  readonly reason: 'closed' | 'removed' | 'replaced' | 'aborted' | 'destroyed';
}

/** Whose time is up. */
export interface CardWidgetExpired {
  /** The token that is of no use any more. */
  readonly token: string;
}

/** Parameters of {@link CardWidget.init}. A wrong optional one is warned about on the console and left out. */
export interface CardWidgetParams {
  /** The widget key that the service issued to you. It is public. */
  key: string;
  /** How the form is shown. There is one way. */
  mode: 'inline';
  /** The element that holds the form: its id, with or without `#`, or the element itself. */
  selector: string | Element;
  /** Called once per submit. What it throws, or rejects with, reaches your page's error handling. */
  onToken: (token: CardToken) => unknown;
  /**
   * Called for every failure. `stage` tells which: at `init`, `load` and `attach` there will be no form until the next
   * `open()` (`widget-init-error` says the same); at `form` and `submit` the form stays usable.
   */
  onError?: ((error: CardWidgetError) => unknown) | undefined;
  /** Called when something about the form is no longer as it was last told. */
  onChange?: ((change: CardWidgetChange) => unknown) | undefined;
  /** Called when the form works: once for each opening, and again for a fresh one in its place, when the page has moved it or was brought back from the cache. */
  onReady?: (() => unknown) | undefined;
  /** Called once for each opening that did not fail, when the form is gone: synchronously, and as the last of its callbacks. */
  onClose?: ((closed: CardWidgetClosed) => unknown) | undefined;
  /**
   * Called when the last token's time is up, if the form is still open. Ask for the card again before you charge. A device
   * that slept hears it when it wakes.
   */
  onExpire?: ((expired: CardWidgetExpired) => unknown) | undefined;
  /**
   * Milliseconds, 1,000 to 120,000, that anything may take that you wait for: the start from `open()` on, `validate()`,
   * `submit()`. Left out: 15,000.
   */
  timeout?: number | undefined;
  /** Destroys the widget when it is aborted; its reason is the error's `cause`. Aborted already: there never is a form. */
  signal?: AbortSignal | undefined;
  /** Amount shown on the button, in major units (`100.5`), at least 0. Shown only: it charges nothing. */
  amount?: number | undefined;
  /** Currency of `amount`, ISO 4217: `UAH`. */
  currency?: string | undefined;
  /**
   * Language of the form. A region is fine: `uk-UA` is shown in `uk`. Left out: the page's (`<html lang>`) when the
   * service has it, else English.
   */
  lang?: Lang | undefined;
  /** `full_card` (number, date, code; for payments) or `pan_only` (number; for payouts). Left out: `full_card`. */
  type?: 'full_card' | 'pan_only' | undefined;
  /** `line` puts all fields on one line where there is room. Left out: `stacked`, the number above the rest. */
  template?: 'stacked' | 'line' | undefined;
  /** A named look: `evo` is rounded and filled. Left out: `plain`, close to the browser's own fields. */
  style?: 'plain' | 'evo' | undefined;
  /** Light on dark, dark on light, or as the device of your customer asks (`auto`). Left out: `light`. */
  colorScheme?: 'light' | 'dark' | 'auto' | undefined;
  /** Colours, font and measures. A wrong value is warned about on the console and left out. */
  theme?: CardWidgetTheme | undefined;
  /** The networks that you take. A card of another one is refused with a text of its own. Left out: all. */
  brands?: CardBrand[] | undefined;
  /** Whether the focus moves on when a field is complete. Left out: it does. */
  autoAdvance?: boolean | undefined;
  /** Address of your customer. */
  customer_ip?: string | undefined;
  /** Your own id of the customer (external tokenization). */
  customer_id?: string | undefined;
  /** E-mail of the customer (external tokenization). */
  customer_email?: string | undefined;
  /** Your own texts, per language. Plain text: markup is shown as text. */
  locale?: { [lang: string]: CardWidgetTexts } | undefined;
}

/** Parameters of {@link CardWidgetHandle.update}: all but those that are fixed for a form. */
export type CardWidgetChanges = Partial<Omit<CardWidgetParams, 'key' | 'mode' | 'selector' | 'type' | 'signal'>>;

/**
 * Values of the look; what is left out is that of `style` and `colorScheme`. A colour is `#rgb` or `#rrggbb`, or two of
 * them with a space between: one for light, one for dark. With one colour and `auto`, the dark one is derived from it.
 */
export interface CardWidgetTheme {
  /** Colour of the button, of the focus and of what is chosen. */
  accent?: string | undefined;
  /** Colour of the button's text. Left out: black or white, whichever reads better. */
  accentText?: string | undefined;
  /** Colour of what is typed, and of labels. */
  text?: string | undefined;
  /** Colour of hints. */
  muted?: string | undefined;
  /** Ground of the fields. */
  field?: string | undefined;
  /** Colour of the fields' borders. */
  border?: string | undefined;
  /** Colour of errors. */
  error?: string | undefined;
  /** Colour of what went well. */
  success?: string | undefined;
  /** Names of fonts that your customer's device has, with commas between; at most 99 letters. */
  font?: string | undefined;
  /** `16px` to `24px`. */
  fontSize?: string | undefined;
  /** Between the fields: `0px` to `32px`. */
  gap?: string | undefined;
  /** Of the corners: `0px` to `32px`. */
  radius?: string | undefined;
  /** Of labels: `400` to `700`, in hundreds. */
  weight?: string | undefined;
}

/** Languages of the form, as tags of BCP 47. A service may have more. */
export type Lang = 'uk' | 'en' | 'pl' | (string & {});

/** Networks of cards. */
export type CardBrand =
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

/** Texts that can be replaced in one language; what is left out keeps the widget's own text. */
export interface CardWidgetTexts {
  /** Label of the card number. */
  cardNumber?: string | undefined;
  /** Label of the expiry date. */
  expiryDate?: string | undefined;
  /** Label of the security code. */
  cvv?: string | undefined;
  /** The button. The amount, if there is one, stands where you write `{amount}`, else behind your text. */
  submit?: string | undefined;
  /** Letters that stand for the year in the date's placeholder. */
  yy?: string | undefined;
  /** Letters that stand for the month in the date's placeholder. */
  mm?: string | undefined;
  hints?: {
    /** Where to find the security code. */
    cvvHint?: string | undefined;
  } | undefined;
  /** Shown for any error of the field. */
  errors?: {
    cardNumber?: string | undefined;
    /** The same as `cardNumber`, as the interface spells it. */
    cardnumber?: string | undefined;
    expiryDate?: string | undefined;
    cvv?: string | undefined;
  } | undefined;
}

/** How the form stands. Never holds a digit of the card. A newer service may name networks that are not listed here. */
export interface CardWidgetChange {
  /** By field; a form of type `pan_only` has only the number. */
  readonly fields: {
    readonly number: CardWidgetField;
    readonly expiry?: CardWidgetField;
    readonly code?: CardWidgetField;
  };
  /** The networks that the number may belong to, as far as it is typed. Empty while nothing is typed, and for an unknown network. */
  readonly brands: readonly (CardBrand | (string & {}))[];
  /** The two networks that your customer may choose between, where the card belongs to both; else empty. */
  readonly choices: readonly (CardBrand | (string & {}))[];
  /** The network: the chosen one, or the only one that is possible. */
  readonly brand: CardBrand | (string & {}) | null;
  /** All fields are valid. */
  readonly complete: boolean;
}

/** One field in {@link CardWidgetChange}. */
export interface CardWidgetField {
  /** `incomplete` can still become right by typing on. */
  readonly state: 'empty' | 'incomplete' | 'valid' | 'invalid';
  /** Stable name of the error that is shown under the field: `number_brand`, `expiry_past`. New ones may come. */
  readonly error: string | null;
  /** The field has the keyboard. */
  readonly focused: boolean;
}

/** What a card became. Send `token` to your server; it is of no use to anybody else. */
export interface CardToken {
  /** At most 128 characters. */
  token: string;
  /** UTC, without a zone: `2026-01-31T23:59:59`. */
  expires_at: string;
  /** For showing: first digits, stars, last four. 13 to 19 characters. */
  card_mask: string;
}

/** Every failure, to whomever it is told. Never holds card data. `docs/errors.md` of the project lists the codes. */
export interface CardWidgetError extends Error {
  readonly name: 'CardWidgetError';
  /** Stable name, which never changes its meaning; new ones may come. */
  readonly code: string;
  /** One sentence for you, in English. The form tells your customer in their own language. */
  readonly message: string;
  /** The same may succeed later without a change. */
  readonly retryable: boolean;
  /** Who can put it right. */
  readonly actor: 'customer' | 'merchant' | 'network' | 'service';
  /**
   * Where it stopped: in your call (`init`), before the page of the frame was there (`load`), before its program ran
   * (`attach`), while your customer typed (`form`), between submit and token (`submit`).
   */
  readonly stage: 'init' | 'load' | 'attach' | 'form' | 'submit';
  /** What the browser said, or the reason of your `signal`; mostly nothing. */
  readonly cause?: unknown;
  /** Names the event in the service's log; may be empty. */
  readonly correlationId: string;
}

/** `detail` of `widget-init-ready`. */
export interface CardWidgetReadyDetail {
  /** {@link CardWidgetHandle.id} of the form. */
  instance: string;
}

/** `detail` of `widget-init-error`. */
export interface CardWidgetErrorDetail {
  /** {@link CardWidgetError.code} of what is wrong: `parameter_missing`, `frame_blocked`, `origin_not_allowed`. */
  id: string;
  /** One sentence naming the parameter or the cause, and what to do. */
  message: string;
  /** {@link CardWidgetHandle.id} of the form. */
  instance: string;
}

declare global {
  interface Window {
    /** Defined by the script tag; the npm entry defines no global. */
    CardWidget?: CardWidget | undefined;
    /** Called once by the script tag's loader when `CardWidget` is there. Declare it before or after the script. */
    __onWidgetReady?: (() => void) | undefined;
  }
  interface DocumentEventMap {
    /**
     * The form works. A page that does not call `open()` in the same task as `init()` hears it after that task instead:
     * now it may open. Either way once, and once more for each `open()` after a `close()` or a failed start.
     */
    'widget-init-ready': CustomEvent<CardWidgetReadyDetail>;
    /** There will be no form. */
    'widget-init-error': CustomEvent<CardWidgetErrorDetail>;
  }
}

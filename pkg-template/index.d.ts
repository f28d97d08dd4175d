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

/** One form on the page. */
export interface CardWidgetHandle {
  /** The same as `detail.instance` of the events. Differs from form to form. */
  readonly id: string;
  /** Shows the form. Twice is the same as once. After `close()`, or after a failed start: a fresh, empty form. */
  open(): void;
  /** Removes the form with everything typed into it. At any time, as often as you like; no callback comes after it. */
  close(): void;
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
  /** Called when something went wrong after the form was shown. The form stays usable. */
  onError?: (error: CardWidgetError) => unknown;
  /** Amount shown on the button, in major units (`100.5`), at least 0. Shown only: it charges nothing. */
  amount?: number;
  /** Currency of `amount`, ISO 4217: `UAH`. */
  currency?: string;
  /** Language of the form. Left out: the page's (`<html lang>`) when it is one of these, else English. */
  lang?: Lang;
  /** `full_card` (number, date, code; for payments) or `pan_only` (number; for payouts). Left out: `full_card`. */
  type?: 'full_card' | 'pan_only';
  /** `line` puts all fields on one line where there is room. Left out: `stacked`, the number above the rest. */
  template?: 'stacked' | 'line';
  /** A named look: `evo` is rounded and filled. Left out: `plain`, close to the browser's own fields. */
  style?: 'plain' | 'evo';
  /** Address of your customer. */
  customer_ip?: string;
  /** Your own id of the customer (external tokenization). */
  customer_id?: string;
  /** E-mail of the customer (external tokenization). */
  customer_email?: string;
  /** Your own texts, per language. Plain text: markup is shown as text. */
  locale?: { [lang in Lang]?: CardWidgetTexts };
}

/** Languages of the form. */
export type Lang = 'uk' | 'en' | 'pl';

/** Texts that can be replaced in one language; what is left out keeps the widget's own text. */
export interface CardWidgetTexts {
  /** Label of the card number. */
  cardNumber?: string;
  /** Label of the expiry date. */
  expiryDate?: string;
  /** Label of the security code. */
  cvv?: string;
  /** The button, without the amount. */
  submit?: string;
  /** Letters that stand for the year in the date's placeholder. */
  yy?: string;
  /** Letters that stand for the month in the date's placeholder. */
  mm?: string;
  hints?: {
    /** Where to find the security code. */
    cvvHint?: string;
  };
  /** Shown for any error of the field. */
  errors?: {
    cardNumber?: string;
    /** The same as `cardNumber`, as the interface spells it. */
    cardnumber?: string;
    expiryDate?: string;
    cvv?: string;
  };
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

/** Something that went wrong between the form and the token. Never holds card data. */
export interface CardWidgetError {
  /** Stable name; new ones may come. */
  code: string;
  /** One sentence for you, in English. The form tells your customer in their own language. */
  message: string;
  /** The same submit may succeed later. */
  retryable: boolean;
  /** Who can put it right. */
  actor: 'customer' | 'merchant' | 'network' | 'service';
  /** Where it happened. */
  stage: 'init' | 'form' | 'submit';
  /** Names the event in the service's log; may be empty. */
  correlation_id: string;
}

/** `detail` of `widget-init-ready`. */
export interface CardWidgetReadyDetail {
  /** {@link CardWidgetHandle.id} of the form. */
  instance: string;
}

/** `detail` of `widget-init-error`. */
export interface CardWidgetErrorDetail {
  /**
   * Stable name of what is wrong: `parameter_missing`, `parameter_invalid`, `host_not_found`, `origin_opaque`,
   * `insecure_context`, `frame_blocked`, `frame_timeout`, or a code of the service such as `widget_key_unknown`
   * or `origin_not_allowed`. New ones may come.
   */
  id: string;
  /** One sentence naming the parameter or the cause, and what to do. */
  message: string;
  /** {@link CardWidgetHandle.id} of the form. */
  instance: string;
}

declare global {
  interface Window {
    /** Defined by the script tag; the npm entry defines no global. */
    CardWidget?: CardWidget;
    /** Called once by the script tag's loader when `CardWidget` is there. Declare it before or after the script. */
    __onWidgetReady?: () => void;
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

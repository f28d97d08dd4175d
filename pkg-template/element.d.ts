/**
 * The card form as a custom element, for plain pages and for frameworks that speak HTML.
 *
 * ```html
 * <form action="/pay" method="post">
 *   <card-widget name="card_token" url="https://pay.example" widget-key="wk_…" amount="100.5" currency="UAH"></card-widget>
 * </form>
 * ```
 */
import type {
  CardBrand,
  CardToken,
  CardWidgetChange,
  CardWidgetClosed,
  CardWidgetError,
  CardWidgetExpired,
  CardWidgetParams,
  CardWidgetTheme,
} from './index.js';

/**
 * Defines the element, once for each name; importing this module does nothing. On a server it returns `null`.
 *
 * @param name Left out: `card-widget`.
 * @returns The element's class.
 */
export function defineCardWidget(name?: string): { new (): CardWidgetElement; readonly prototype: CardWidgetElement } | null;

/**
 * The element. It shows its form while it is in a page, and tells by events what happens. A property of one word has an
 * attribute of the same name, one of several words has it with dashes: `widgetKey` is `widget-key`. Another `url`, `widgetKey`
 * or `type` makes a fresh form; every other change reaches the form that is there.
 *
 * In a `<form>` the token is the element's value, under its `name`; it is gone when its time is up and when the form is
 * reset.
 */
export interface CardWidgetElement extends HTMLElement {
  /** Absolute address of the service: `https://pay.example`. */
  url: string | null;
  /** The widget key that the service issued to you. It is public. */
  widgetKey: string | null;
  /** `full_card` or `pan_only`. Absent: `full_card`. */
  type: CardWidgetParams['type'] | null;
  /** Amount shown on the button, in major units. */
  amount: number | null;
  /** Currency of `amount`, ISO 4217. */
  currency: string | null;
  /** `stacked` or `line`. */
  template: CardWidgetParams['template'] | null;
  /** A named look, `plain` or `evo`: the parameter `style` of the loader, which is the element's own word for CSS. */
  look: CardWidgetParams['style'] | null;
  /** `light`, `dark` or `auto`. */
  colorScheme: CardWidgetParams['colorScheme'] | null;
  /** The networks that you take; in the attribute with spaces between. */
  brands: CardBrand[] | null;
  /** Whether the focus moves on when a field is complete; `auto-advance="false"` keeps it. */
  autoAdvance: boolean | null;
  /** Milliseconds, 1,000 to 120,000. */
  timeout: number | null;
  /** Address of your customer. */
  customerIp: string | null;
  /** Your own id of the customer. */
  customerId: string | null;
  /** E-mail of the customer. */
  customerEmail: string | null;
  /** Colours, font and measures. It has no attribute. */
  theme: CardWidgetTheme | undefined;
  /** Your own texts, per language. It has no attribute. */
  locale: CardWidgetParams['locale'];
  /** The form of the page that the element belongs to. */
  readonly form: HTMLFormElement | null;
  /** A fresh form after a failure, or when it is gone. With a form nothing happens. */
  open(): void;
  /** Moves the keyboard to a field; left out: to the first one that is empty or wrong. */
  focus(field?: 'number' | 'expiry' | 'code' | FocusOptions): void;
  /** Empties all fields, and the element's value. */
  clear(): void;
  /** Judges every field and shows what is wrong. */
  validate(): Promise<CardWidgetChange>;
  /** Submits, as the form's button does; `card-token` comes as well. */
  submit(): Promise<CardToken>;

  addEventListener<Name extends keyof CardWidgetElementEvents>(
    type: Name,
    listener: (this: CardWidgetElement, event: CardWidgetElementEvents[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: CardWidgetElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** The element's events. They bubble, out of shadow trees as well. */
export interface CardWidgetElementEvents {
  /** The form works. */
  'card-ready': CustomEvent<null>;
  /** The card became a token. */
  'card-token': CustomEvent<CardToken>;
  /** Any failure. At stage `init`, `load` and `attach` there is no form. */
  'card-error': CustomEvent<CardWidgetError>;
  /** Something about the form is no longer as it was last told. */
  'card-change': CustomEvent<CardWidgetChange>;
  /** Something else has taken the element. */
  'card-close': CustomEvent<CardWidgetClosed>;
  /** The token's time is up. */
  'card-expire': CustomEvent<CardWidgetExpired>;
}

declare global {
  interface HTMLElementTagNameMap {
    'card-widget': CardWidgetElement;
  }
}

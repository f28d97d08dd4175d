/**
 * A fake of the service for unit tests: no network, no frame, no timers but those of slow cards. The loader is the real one, so
 * `card-widget`, `card-widget/react`, `card-widget/element` and the script tag's `CardWidget` work with it as they are, in
 * jsdom, in happy-dom and in browsers. What a browser shows, only a browser can test: see `card-widget/testing/playwright`.
 *
 * ```js
 * import { cards, expiry, fakeCardWidget } from 'card-widget/testing';
 *
 * const fake = fakeCardWidget();
 * render(<Checkout />);                     // your page, which opens the form
 * const form = await fake.form();           // the form, when it works
 * await form.fill({ number: cards.declined, expiry: expiry(), code: '123' });
 * await form.submit();                      // your onToken has been called
 * fake.restore();
 * ```
 */
import type { CardWidget } from './index.js';

/**
 * Puts the fake in place: from now on every form of this page is one. It works for any address of a service.
 *
 * @throws {Error} without a document, and where a fake is in place already.
 */
export function fakeCardWidget(options?: FakeCardWidgetOptions): FakeCardWidget;

/** Options of {@link fakeCardWidget}. */
export interface FakeCardWidgetOptions {
  /**
   * A code of `docs/errors.md`, with which each form refuses to start: `widget_key_unknown`, `origin_not_allowed`, `offline`,
   * `service_unavailable`. Left out: forms work.
   */
  start?: string | undefined;
}

/** The fake in its place. */
export interface FakeCardWidget {
  /** The forms that are in the page, in the order they came; also those that do not work yet. */
  readonly forms: readonly FakeForm[];
  /**
   * The latest form, as soon as it works.
   *
   * @param within An element that has the form in it. Left out: the document.
   * @throws {Error} (as a rejection) when no form has come to work within a second.
   */
  form(within?: Node): Promise<FakeForm>;
  /** For pages with a script tag, which take it from `window.CardWidget`. Nothing is defined by itself. */
  readonly CardWidget: CardWidget;
  /** Takes the fake away, and its forms. Call it after each test. */
  restore(): void;
}

/** What a person does with a form, and what can be seen of it. Promises resolve when your handlers have been called. */
export interface FakeForm {
  /** The element that the shop gave it. */
  readonly host: Element;
  /** The frame; it is empty. */
  readonly frame: HTMLIFrameElement;
  /** It works. */
  readonly isReady: boolean;
  /** It is in the page. */
  readonly isOpen: boolean;
  /** What it was asked to show, by the names of the parameters: `key`, `type`, `lang`, `amount`, `currency`, `brands`, `theme` … */
  readonly params: Readonly<Record<string, unknown>>;
  /** Types into a field instead of what stands there, key by key. */
  type(field: 'number' | 'expiry' | 'code', text: string): Promise<void>;
  /** Types into several. */
  fill(texts: { number?: string; expiry?: string; code?: string }): Promise<void>;
  /** Leaves the field that has the keyboard. */
  leave(): Promise<void>;
  /** Presses the button. */
  submit(): Promise<void>;
  /** Presses Escape. */
  pressEscape(): Promise<void>;
}

/**
 * Numbers that decide what happens. The first five become tokens, and a payment with them in the sandbox of the service
 * comes to what the name says; a token of the fake says it in its text: `fake_declined_1`. The others are the fake's own.
 */
export const cards: Readonly<{
  success: string;
  /** The payer is asked to prove who they are (3-D Secure). */
  successWithProof: string;
  declined: string;
  declinedWithProof: string;
  insufficientFunds: string;
  /** A token, after three seconds by the clock of the test. */
  slow: string;
  /** No answer in time: `timeout`. */
  timeout: string;
  /** No connection: `offline`. */
  offline: string;
  /** The form's key has expired, and could not be renewed: `ticket_expired`. */
  keyExpired: string;
  /** Too many attempts: `too_many_requests`. */
  limitReached: string;
  /** The service refuses the number: `wrong_card_number`. */
  refused: string;
}>;

/** A date that is not over, as it is typed: `12/28`. */
export function expiry(): string;

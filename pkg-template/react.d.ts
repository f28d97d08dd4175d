/**
 * The card form for React 18 and newer. In development and production, in strict mode, and rendered on a server, where it is
 * an empty element. Importing it does nothing.
 */
import type { ForwardRefExoticComponent, RefAttributes, RefCallback } from 'react';
import type {
  CardToken,
  CardWidgetChange,
  CardWidgetChanges,
  CardWidgetClosed,
  CardWidgetError,
  CardWidgetExpired,
  CardWidgetHandle,
  CardWidgetParams,
} from './index.js';

/**
 * What the form is made of. Another `url`, `widgetKey` or `type` makes a fresh, empty form; every other change reaches the
 * form that is there, and what was typed stays. Handlers may differ from rendering to rendering: the last ones are called.
 */
export interface CardFormOptions extends Omit<CardWidgetChanges, 'onToken'> {
  /** Absolute address of the service: `https://pay.example`. */
  url: string;
  /** The widget key that the service issued to you. It is public. (`key` is React's own.) */
  widgetKey: string;
  /** `full_card` (number, date, code; for payments) or `pan_only` (number; for payouts). Left out: `full_card`. */
  type?: CardWidgetParams['type'] | undefined;
  /** Called once per submit, by the form's own button or by {@link CardFormHandle.submit}. */
  onToken?: ((token: CardToken) => unknown) | undefined;
}

/** Props of {@link CardForm}. There is no value to hand in: what is typed stays in the form's frame. */
export interface CardFormProps extends CardFormOptions {
  /** Class of the element around the form. */
  className?: string | undefined;
  /** Id of the element around the form. */
  id?: string | undefined;
}

/** What a page of yours may ask of the form: the `ref` of {@link CardForm}. None of it throws, at any time. */
export interface CardFormHandle {
  /** A fresh form after a failure, or when it is gone. With a form nothing happens. */
  open(): void;
  /** Moves the keyboard to a field; left out: to the first one that is empty or wrong. */
  focus(field?: 'number' | 'expiry' | 'code'): void;
  /** Empties all fields. */
  clear(): void;
  /** Judges every field and shows what is wrong: {@link CardWidgetHandle.validate}. */
  validate(): Promise<CardWidgetChange>;
  /** Submits, as the form's button does, for a button of your own: {@link CardWidgetHandle.submit}. `onToken` is called as well. */
  submit(): Promise<CardToken>;
}

/** How the form stands. */
export interface CardFormState {
  /**
   * `loading`: it starts. `ready`: it works. `failed`: there is none, and `error` says why. `closed`: something else has taken
   * its element.
   */
  readonly status: 'loading' | 'ready' | 'failed' | 'closed';
  /** What was last told of the fields; nothing before the first word. Never a digit. */
  readonly change: CardWidgetChange | null;
  /** The last failure, until there is a token. */
  readonly error: CardWidgetError | null;
}

/** What {@link useCardForm} gives back. */
export interface CardFormHook extends CardFormState, CardFormHandle {
  /** The `ref` of the element that shall hold the form: an empty `<div>`. */
  readonly ref: RefCallback<Element>;
}

/**
 * The form in an element of your own, with its state.
 *
 * ```jsx
 * const card = useCardForm({ url: 'https://pay.example', widgetKey: 'wk_…', amount: 100.5, currency: 'UAH' });
 * return <>
 *   <div ref={card.ref} />
 *   <button disabled={card.status !== 'ready'} onClick={() => card.submit().then(pay, () => {})}>Pay</button>
 * </>;
 * ```
 */
export function useCardForm(options: CardFormOptions): CardFormHook;

/**
 * The form as a component.
 *
 * ```jsx
 * <CardForm url="https://pay.example" widgetKey="wk_…" amount={100.5} currency="UAH" onToken={({ token }) => pay(token)} />
 * ```
 */
export const CardForm: ForwardRefExoticComponent<CardFormProps & RefAttributes<CardFormHandle>>;

export type { CardToken, CardWidgetChange, CardWidgetClosed, CardWidgetError, CardWidgetExpired };

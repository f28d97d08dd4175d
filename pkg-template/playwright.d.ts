/**
 * Helpers for tests with Playwright against the sandbox of the service, for pages with the form, for the service's payment page
 * (which has the same form) and for its proofs. They take any `Page` of `playwright`, `playwright-core` or `@playwright/test`.
 *
 * ```js
 * import { cardForm, cards, expiry, finishProof } from 'card-widget/testing/playwright';
 *
 * test('a card that asks for a proof', async ({ page }) => {
 *   await page.goto('/checkout');
 *   await cardForm(page).pay({ number: cards.successWithProof, expiry: expiry(), code: '123' });
 *   await finishProof(page);
 *   await expect(page.getByText('Thank you')).toBeVisible();
 * });
 * ```
 */
export { expiry } from './testing.js';

/** What a payment with them comes to, in the sandbox of the service. Any future date, any security code. */
export const cards: Readonly<{
  success: string;
  /** The payer is asked to prove who they are (3-D Secure): {@link finishProof}. */
  successWithProof: string;
  declined: string;
  declinedWithProof: string;
  insufficientFunds: string;
}>;

/** What is needed of Playwright's `Locator`. */
export interface LocatorLike {
  fill(text: string): Promise<void>;
  click(): Promise<void>;
}

/** What is needed of Playwright's `Page`. */
export interface PageLike {
  locator(selector: string): LocatorLike;
  frameLocator(selector: string): { locator(selector: string): LocatorLike };
  waitForURL(matches: (address: URL) => boolean): Promise<void>;
}

/** The locators that a page gives. */
export type LocatorOf<Page extends PageLike> = ReturnType<ReturnType<Page['frameLocator']>['locator']>;

/** What is typed into the form. */
export interface CardTexts {
  number?: string | undefined;
  expiry?: string | undefined;
  code?: string | undefined;
}

/** The form on a page. Its parts are Playwright's own locators. */
export interface CardFormOnPage<Locator> {
  readonly number: Locator;
  readonly expiry: Locator;
  readonly code: Locator;
  /** The form's own button. */
  readonly button: Locator;
  /** The line below the button: what became of a submit. */
  readonly status: Locator;
  /** Fills in the fields that are given. */
  fill(texts: CardTexts): Promise<void>;
  /** Presses the form's own button. */
  submit(): Promise<void>;
  /** Fills in, and presses. */
  pay(texts: CardTexts): Promise<void>;
}

/**
 * The form on a page of yours, or on the service's payment page.
 *
 * @param within A selector of what has the form in it, for a page with several. Left out: the page.
 */
export function cardForm<Page extends PageLike>(page: Page, within?: string): CardFormOnPage<LocatorOf<Page>>;

/**
 * Answers the page that asks for a proof, and waits until it is left.
 *
 * @param passes Left out: the payer proves who they are.
 */
export function finishProof(page: PageLike, passes?: boolean): Promise<void>;

/** Presses the button of a mobile wallet on the payment page; in the sandbox it pays. */
export function payByWallet(page: PageLike, wallet: 'mobile_a_pay' | 'mobile_b_pay'): Promise<void>;

// Every line below the mark must be an error: the test counts them.
import { cards, expiry, fakeCardWidget } from 'card-widget/testing';
import * as browser from 'card-widget/testing/playwright';

/** As Playwright has them, in short. */
interface Locator {
  fill(value: string, options?: { force?: boolean }): Promise<void>;
  click(options?: { delay?: number }): Promise<void>;
  textContent(): Promise<string | null>;
  pressSequentially(text: string): Promise<void>;
}
interface Page {
  locator(selector: string, options?: { hasText?: string }): Locator;
  frameLocator(selector: string): { locator(selector: string | Locator, options?: { hasText?: string }): Locator };
  waitForURL(url: string | RegExp | ((url: URL) => boolean), options?: { timeout?: number }): Promise<void>;
}
declare const page: Page;
const fake = fakeCardWidget();
const form = await fake.form();

// --- from here on each line is wrong
fakeCardWidget('offline');
fakeCardWidget({ start: 7 });
fakeCardWidget({ key: 'wk_test' });
fake.open();
fake.form('#card');
fake.forms = [];
(await fake.forms).at(0)?.number;
form.type('cvv', '123');
form.type('number', 4242);
form.type('number');
form.fill({ cvv: '123' });
form.fill('4242');
form.params.amount = 7;
form.submit().token;
cards.unknown;
cards.success = '4242';
expiry(2030).year;
browser.cardForm();
browser.cardForm('#card');
browser.cardForm(page).fill({ number: 4242 });
browser.cardForm(page).status.text;
browser.cards.keyExpired;
browser.finishProof(page, 'passed');
browser.payByWallet(page, 'apple');

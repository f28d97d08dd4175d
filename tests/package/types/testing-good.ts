// What shops write in their tests compiles.
import { cards, expiry, fakeCardWidget } from 'card-widget/testing';
import type { FakeForm } from 'card-widget/testing';
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

export async function inJsdom() {
  const fake = fakeCardWidget({ start: 'offline' });
  fakeCardWidget();
  window.CardWidget = fake.CardWidget;
  const form: FakeForm = await fake.form(document.getElementById('card') ?? undefined);
  await form.fill({ number: cards.keyExpired, expiry: expiry(), code: '123' });
  await form.type('number', cards.slow);
  await form.leave();
  await form.pressEscape();
  await form.submit();
  const amount: unknown = form.params['amount'];
  fake.restore();
  return [amount, form.host.id, fake.forms.length] as const;
}

export async function inPlaywright(page: Page) {
  const form = browser.cardForm(page, '#card');
  await form.pay({ number: browser.cards.declined, expiry: browser.expiry(), code: '123' });
  await form.fill({ code: '1' });
  await form.submit();
  // Its parts are Playwright's own.
  const text: string | null = await form.status.textContent();
  await form.number.pressSequentially('4242');
  await browser.finishProof(page);
  await browser.finishProof(page, false);
  await browser.payByWallet(page, 'mobile_a_pay');
  return text;
}

/** The payment page: every way to pay, every way to leave and come back, and one payment whatever the payer does. */
import assert from 'node:assert/strict';
import { axe } from '../shared/axe.mjs';
import { FUTURE } from '../shared/cards.mjs';
import { ALIKE } from '../shared/engines.mjs';
import { cardForm } from '../shared/form.mjs';
import { assertNowhere } from '../shared/leaks.mjs';
import { CARDS, atFront, attempts, call, click, heading, hosted, place } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

const page = (title) => ({ body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>` });
const SHOP = { '/done': page('Thank you'), '/cart': page('Cart') };
const world = openWorld(import.meta.url, { serve: (path) => SHOP[path] });
const { test } = world;

const ONLY_CHROMIUM = { without: { firefox: 'Chromium alone can be told that', webkit: 'Chromium alone can be told that' } };

/** Types a card into the page's form and sends it. */
async function payByCard(page, number) {
  const form = cardForm(page);
  await form.button.waitFor();
  await form.type({ number, expiry: FUTURE, code: '123' });
  await form.button.click();
}

/** A card that the payer has saved before. */
async function saveCard() {
  const { address } = await hosted(world);
  const page = await world.visit(address);
  await cardForm(page).button.waitFor();
  await click(page, '.keep input');
  await payByCard(page, CARDS.pays);
  await heading(page, 'Thank you');
}

test('a card is typed, and the payer is back in the shop with the order’s number', async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.pays);
  await heading(page, 'Thank you');
  assert.equal(await place(page), `/done?external_id=${external_id}&status=success`);
  const [attempt, ...others] = await attempts(world, external_id);
  assert.deepEqual([attempt.status, attempt.amount, others.length], ['success', '100.50', 0]);
  assertNowhere(CARDS.pays, {
    'the addresses': page.requests.map(({ url }) => url).join('\n'),
    'the bodies': Buffer.concat(page.requests.map(({ body }) => body)),
    "the service's log": world.service.log,
  });
  assert.ok(!world.service.log.includes(new URL(address).pathname.slice(5)), 'the secret is in no log');
});

test('after a decline the payer reads why, and another card pays', async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  await payByCard(page, CARDS.isEmpty);
  const why = await page.waitFor(() => document.querySelector('[role=alert]:not([hidden])')?.textContent);
  assert.match(why, /not enough money on the card/);
  // The page is a new one, and its form comes after its text.
  await cardForm(page).button.waitFor();
  assert.deepEqual(await axe(page), []);
  await payByCard(page, CARDS.pays);
  await heading(page, 'Thank you');
  assert.deepEqual((await attempts(world, external_id)).map(({ status }) => status), ['failure', 'success']);
});

test('a saved card and both wallets pay', async () => {
  await saveCard();
  for (const selector of ['form:has([name=option]) button', 'button[value=mobile_a_pay]', 'button[value=mobile_b_pay]']) {
    const { address, external_id } = await hosted(world);
    const page = await world.visit(address);
    await click(page, selector);
    await heading(page, 'Thank you');
    assert.equal((await attempts(world, external_id)).length, 1, selector);
  }
});

test('a double click and another window: one payment', async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  const other = await world.visit(address);
  // The other window does not find out in time.
  world.front.rule(/\/state$/, async () => undefined);
  const held = world.front.hold(/^\/pay\/[^/]*$/);
  // WebKit's driver answers no click before the page that it leads to.
  const clicked = click(page, 'button[value=mobile_a_pay]', 2);
  await held.came;
  held.release();
  await clicked;
  await heading(page, 'Thank you');
  await click(other, 'button[value=mobile_b_pay]');
  await heading(other, 'Thank you');
  assert.equal((await attempts(world, external_id)).length, 1);
});

const BACK = { without: { webkit: 'its driver answers nothing any more when the back button leads to another site' } };

test('by the back button, and loaded again: the page says that it is paid, and sends nobody away', BACK, async () => {
  const { address, external_id } = await hosted(world);
  const page = await world.visit(address);
  await click(page, 'button[value=mobile_a_pay]');
  await heading(page, 'Thank you');
  await page.evaluate(() => { setTimeout(() => history.back()); });
  await heading(page, 'Paid');
  await page.evaluate(() => { setTimeout(() => location.reload()); });
  await heading(page, 'Paid');
  assert.equal((await attempts(world, external_id)).length, 1);
});

test('a window that is looked at again finds out what happened in another one', async () => {
  const { address } = await hosted(world);
  const page = await world.visit(address);
  const other = await world.visit(address);
  await click(other, 'button[value=mobile_a_pay]');
  await heading(other, 'Thank you');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await heading(page, 'Paid');
});

test('when time is up the page asks the server, which decides', async () => {
  const { address } = await hosted(world);
  let first = true;
  world.front.rewrite(/^\/pay\/[^/]*$/, (html) => {
    const changed = first ? html.replace(/data-left="\d+"/, 'data-left="2"') : html;
    first = false;
    return changed;
  });
  const page = await world.visit(address);
  await page.waitFor(() => document.querySelector('[role=timer]')?.textContent.startsWith('00:0'));
  await page.waitFor(() => document.querySelector('[role=timer]')?.textContent.startsWith('11:59'));
  await cardForm(page).button.waitFor();
});

test('without an address of the shop, the page is the result', async () => {
  const { address } = await hosted(world, { result_url: null, result_url_fail: null });
  const page = await world.visit(address);
  await click(page, 'button[value=mobile_a_pay]');
  await heading(page, 'Paid');
  assert.deepEqual(await axe(page, { frame: null }), []);
  await click(page, 'a[href*="/receipt/"]');
  await heading(page, 'Receipt');
  assert.match(await page.evaluate(() => document.body.innerText), /UAH\s100\.50/);
});

test('two stages, a card’s check: what the page says of money', async () => {
  for (const [more, text] of [
    [{ confirm: false }, 'held now'],
    [{ amount: 0, init_recurrent_payment: true }, 'Nothing is charged'],
  ]) {
    const { address } = await hosted(world, more);
    const page = await world.visit(address);
    assert.ok((await page.evaluate(() => document.querySelector('.note').textContent)).includes(text), text);
  }
});

test('a card is saved without a payment', async () => {
  const { action } = await call(world, '/api/customers/v1/wallet?external_id=saver', { mode: 'hosted', result_url: `${world.shop.origin}/done` });
  const page = await world.visit(atFront(world, action.value));
  await heading(page, 'Save a card');
  await payByCard(page, CARDS.pays);
  await heading(page, 'Thank you');
  const { wallet } = await call(world, '/api/customers/v1/wallet?external_id=saver');
  assert.deepEqual(wallet.map(({ card }) => card.mask), ['55555555****4444']);
});

for (const color_mode of ['white', 'dark']) {
  for (const locale of ['UK', 'EN', 'PL']) {
    const isOne = locale === 'UK' && color_mode === 'dark';
    test(`axe finds nothing: ${locale}, ${color_mode}`, { without: isOne ? {} : ALIKE }, async () => {
      const { address } = await hosted(world, { customer: { external_id: 'payer', locale, color_mode } });
      const page = await world.visit(address);
      await cardForm(page).button.waitFor();
      const [lang, scheme] = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.scheme]);
      assert.deepEqual([lang, scheme], [locale.toLowerCase(), color_mode]);
      assert.equal(await cardForm(page).evaluate(() => document.documentElement.lang), lang);
      assert.deepEqual(await axe(page, { ground: color_mode === 'dark' ? '#1b2027' : '#fff' }), []);
      assert.deepEqual((page.console ?? []).filter((line) => /error|uncaught/.test(line)), []);
    });
  }
}

for (const [width, height] of [[320, 568], [390, 844], [844, 390]]) {
  test(`on a phone of ${width} × ${height}: nothing sticks out, fingers hit`, ONLY_CHROMIUM, async () => {
    await saveCard();
    const { address } = await hosted(world);
    const page = await world.visit(address, { viewport: { width, height }, isMobile: true, hasTouch: true });
    await cardForm(page).button.waitFor();
    const found = await page.evaluate(() => ({
      over: document.documentElement.scrollWidth - innerWidth,
      small: [...document.querySelectorAll('button, a, label')]
        .map((element) => ({ text: element.textContent.trim(), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width && (box.height < 44 || box.width < 44))
        .map(({ text, box }) => `${text}: ${box.width} × ${box.height}`),
    }));
    assert.ok(found.over <= 0, `${found.over} px too wide`);
    assert.deepEqual(found.small, []);
  });
}

test('by keys alone', async () => {
  const { address } = await hosted(world);
  const page = await world.visit(address);
  await cardForm(page).button.waitFor();
  for (let steps = 0; steps < 12; steps += 1) {
    await page.press('Tab');
    if (await page.evaluate(() => document.activeElement?.getAttribute('value') === 'mobile_b_pay')) break;
  }
  await page.press('Enter');
  await heading(page, 'Thank you');
});

test('without JavaScript: saved cards pay, and the page says what a new card needs', ONLY_CHROMIUM, async () => {
  await saveCard();
  const { address, external_id } = await hosted(world);
  const { playwright } = await world.visit(address, { javaScriptEnabled: false });
  // Parsed, though this way of switching scripts off does not show it.
  assert.match(await playwright.content(), /<noscript><p class="problem">The card form needs JavaScript.*What stands above works/);
  await playwright.locator('form:has([name=option]) button').click();
  await playwright.getByRole('heading', { name: 'Thank you' }).waitFor();
  assert.equal(new URL(playwright.url()).search, `?external_id=${external_id}&status=success`);
});

test('a service that cannot hand out the form: the page says so, and the rest works', async () => {
  const { address } = await hosted(world);
  world.front.rule(/card-widget\.js$/, async () => undefined);
  const page = await world.visit(address);
  await page.waitFor(() => !document.querySelector('#form-problem').hidden);
  await click(page, 'button[value=mobile_a_pay]');
  await heading(page, 'Thank you');
});

test('the payer’s language stays until the end', async () => {
  const { address } = await hosted(world, { result_url: null });
  const page = await world.visit(address);
  await click(page, 'a[hreflang=uk]');
  await heading(page, 'Оплата');
  await click(page, 'button[value=mobile_a_pay]');
  await heading(page, 'Сплачено');
  await click(page, 'a[href*="/receipt/"]');
  await heading(page, 'Квитанція');
});

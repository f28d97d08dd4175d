/** The demo shop's own pages, with the stand-in frame: language, phone width, failure and retry. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeEach, test } from 'node:test';
import { frames, openWorld, settle } from './world.js';

const world = openWorld();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const formIsReady = (page) => page.waitForFunction(() => document.querySelector('iframe') && !document.querySelector('[aria-busy]'));

/** What the shop's server answers. */
const json = (value, status = 200) => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
const CARDS = [{ option_id: 'c1', card: { mask: '42424242****4242', payment_system: 'VISA' } }];
const ORDER = {
  number: 'hlyna-1', amount: '1575.00', is_basket: true, state: 'held', card: '42424242****4242', receipt_url: 'http://localhost/receipt/1',
  heard: [{ external_id: 'hlyna-1-1', operation: 'payment', status: 'success', status_code: 'transaction_successful', amount: '925.00' }],
};

const BANKS = [{ name: 'stub', product_name: 'Bank of the sandbox', available_periods: [2, 3, 6], limits: { min_amount: 500, max_amount: 300000 } }];
const PAYOUT = { number: 'hlyna-march-1', amount: '7560.00', card: '42424242****4242', status: 'pending', status_code: 'transaction_in_progress' };

beforeEach(() => {
  world.pages.set('/api/cards', json([]));
  world.pages.set('/api/banks', json(BANKS));
  world.pages.set('/api/payouts', json(PAYOUT));
  world.pages.set('/api/subscription', json(null));
  world.pages.set('/api/payouts/hlyna-march-1', json(PAYOUT));
  world.pages.delete('/api/orders');
});

for (const [path, type] of [['/', 'full_card'], ['/payout', 'pan_only'], ['/subscription', 'full_card']]) {
  test(`${path}: three languages at 320 px, nothing sticks out, axe finds nothing`, async () => {
    const page = await open(path);
    await formIsReady(page);
    assert.equal(new URL(frames(page)[0].url()).searchParams.get('type'), type);
    const seen = new Set();
    for (const lang of ['uk', 'en', 'pl']) {
      await page.click(`[data-lang="${lang}"]`);
      await settle(page);
      assert.equal(await frames(page)[0].evaluate(() => told.messages.at(-1).lang), lang);
      assert.equal(frames(page).length, 1);
      assert.deepEqual(
        await page.evaluate(() => [document.documentElement.lang, document.documentElement.scrollWidth]),
        [lang, 320],
      );
      const words = await page.$$eval('[data-text]', (elements) => elements.map((element) => element.textContent));
      assert.ok(words.every((word) => word.length > 0));
      seen.add(words.join());
      assert.deepEqual(await complaints(page), [], lang);
    }
    assert.equal(seen.size, 3, 'the words differ from language to language');
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.console, [], 'also nothing that the content policy refused');
  });

  test(`${path}: the token is shown whole, and the page can start again`, async () => {
    const page = await open(path);
    await formIsReady(page);
    await giveToken(page);
    for (const [id, text] of [['token', token.token], ['expires-at', token.expires_at], ['card-mask', token.card_mask]]) {
      assert.equal(await page.textContent(`#${id}`), text);
    }
    assert.equal(await page.evaluate(() => document.activeElement.id), 'result-title');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(await complaints(page), []);
    await page.click('#again');
    await formIsReady(page);
  });
}

test('a stopped service is a readable error, and "try again" works once it is back', async () => {
  world.stopped = true;
  const page = await open('/?lang=pl');
  await page.waitForSelector('#problem:not([hidden])');
  assert.match(await page.textContent('#problem'), /Usługa płatnicza jest niedostępna/);
  assert.equal(await page.textContent('#problem-id'), 'script_not_loaded');
  assert.deepEqual(await complaints(page), []);
  await page.click('#retry');
  await page.waitForSelector('#problem:not([hidden])');
  world.stopped = false;
  await page.click('#retry');
  await formIsReady(page);
  assert.equal(await page.isVisible('#problem'), false);
});

test('a form that does not start is a readable error as well', async () => {
  const page = await open('/', true);
  await formIsReady(page);
  await giveToken(page);
  world.stopped = true;
  await page.click('#again');
  await page.clock.runFor(1_100); // a page of the browser's own has loaded in the frame, and says nothing
  await page.waitForSelector('#problem:not([hidden])');
  assert.equal(await page.textContent('#problem-id'), 'service_unreachable');
  world.stopped = false;
  await page.click('#retry');
  await formIsReady(page);
});

test('the pages link to each other and keep the language', async () => {
  const page = await open('/?lang=uk');
  for (const next of ['/payout?lang=uk', '/?lang=uk']) {
    // By keyboard: a click right after scrolling may still be aimed at the frame, which is another process.
    await page.focus('#other');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname + url.search === next);
  }
});

test('each way to pay goes to the shop’s server, and then where it says', async () => {
  world.pages.set('/api/cards', json(CARDS));
  world.pages.set('/api/orders', json({ number: 'hlyna-1', goes_to: 'order?external_id=hlyna-1&lang=en' }));
  world.pages.set('/api/orders/hlyna-1', json(ORDER));
  for (const [pay, sent] of [
    // The page may be gone before the token is shown.
    [(page) => giveToken(page).catch(() => undefined), { way: 'card', token: token.token }],
    [(page) => page.click('#on-page'), { way: 'page' }],
    [(page) => page.click('#saved button'), { way: 'saved', option_id: 'c1' }],
  ]) {
    const page = await open('/?lang=en');
    await formIsReady(page);
    await page.check('#holds');
    const [request] = await Promise.all([page.waitForRequest((request) => request.method() === 'POST'), pay(page)]);
    assert.deepEqual(request.postDataJSON(), { ...sent, saves: false, holds: true, shared: false, lang: 'en' });
    await page.waitForFunction(() => document.querySelector('#state')?.textContent === 'The amount is held');
  }
});

test('what the shop’s server refuses can be read', async () => {
  world.pages.set('/api/orders', json({ error: '400 wrong_amount: no' }, 400));
  const page = await open('/?lang=en');
  await formIsReady(page);
  await page.click('#on-page');
  await page.waitForFunction(() => document.querySelector('#payment').textContent.endsWith('400 wrong_amount: no'));
  assert.deepEqual(await complaints(page), []);
});

test('an order is what the shop has heard, in three languages', async () => {
  world.pages.set('/api/orders/hlyna-1', json(ORDER));
  // The address says what it likes.
  const page = await open('/order?external_id=hlyna-1&status=failure');
  const seen = new Set();
  for (const lang of ['uk', 'en', 'pl']) {
    await page.click(`[data-lang="${lang}"]`);
    await page.waitForFunction(() => document.querySelector('#state').textContent && document.querySelector('#heard li'));
    seen.add(await page.textContent('#state'));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(await complaints(page), [], lang);
  }
  assert.deepEqual([...seen], ['Суму заблоковано', 'The amount is held', 'Kwota została zablokowana']);
  assert.match(await page.textContent('#heard'), /hlyna-1-1: payment success \(transaction_successful\), UAH 925\.00/);
});

test('a payout is shown until it has ended, in three languages', async () => {
  const page = await open('/payout?lang=en');
  await formIsReady(page);
  const [request] = await Promise.all([page.waitForRequest((request) => request.method() === 'POST'), giveToken(page)]);
  assert.deepEqual(request.postDataJSON(), { token: token.token, card_mask: token.card_mask });
  const says = (text) => page.waitForFunction((text) => document.querySelector('#payout').textContent.startsWith(text), text);
  await says('On its way: UAH');
  world.pages.set('/api/payouts/hlyna-march-1', json({ ...PAYOUT, status: 'failure', status_code: 'transaction_rejected' }));
  await says('Nothing was sent.');
  assert.match(await page.textContent('#payout'), /42424242\*{4}4242 \(transaction_rejected\)$/);
  for (const [lang, text] of [['uk', 'Нічого не надіслано'], ['pl', 'Nic nie wysłano']]) {
    await page.click(`[data-lang="${lang}"]`);
    await says(text);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(await complaints(page), [], lang);
  }
  assert.deepEqual(page.errors, []);
  world.pages.set('/api/payouts', json({ error: '400 invalid_card_token: no' }, 400));
  await page.click('#again');
  await formIsReady(page);
  await giveToken(page);
  await says('To się nie udało: 400 invalid_card_token');
});

test('the back office does what can be done with an order', async () => {
  world.pages.set('/api/orders', json([ORDER]));
  world.pages.set('/api/orders/hlyna-1/confirm', json({ error: '400 action_not_allowed: no' }, 400));
  const page = await open('/office');
  await page.waitForSelector('#list button');
  assert.deepEqual(await page.$$eval('#list button', (buttons) => buttons.map((button) => button.textContent)), ['Take the money', 'Let it go']);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.deepEqual(await complaints(page), []);
  await page.click('#list button');
  await page.waitForFunction(() => document.querySelector('#problem').textContent === '400 action_not_allowed: no');
});

/** A page of the demo shop on a phone of 320 px. */
async function open(path, clock = false) {
  const page = await world.visit({ clock, path });
  await page.setViewportSize({ width: 320, height: 640 });
  return page;
}

const token = { type: 'token', token: 'ct_' + 'b'.repeat(125), expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' };

/** A token comes, and the page takes the form away. In a task of its own: the frame goes while it speaks. */
async function giveToken(page) {
  await frames(page)[0].evaluate((token) => { setTimeout(() => port.postMessage(token)); }, token);
  await page.waitForSelector('#result:not([hidden])');
}

/** What axe-core finds on the shop's page, as one line each; frames are the service's. */
async function complaints(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { iframes: false }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

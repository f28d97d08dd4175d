/** The sandbox's page: whoever tries a shop out watches payments, tokens and callbacks come, and sets the clock forward. */
import assert from 'node:assert/strict';
import { axe } from '../shared/axe.mjs';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { call, click } from '../shared/payer.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url, {
  serve: (path) => (path === '/callback' ? { body: 'heard' } : undefined),
  without: { firefox: 'a page for developers, tried in one engine', webkit: 'a page for developers, tried in one engine' },
});
const { test } = world;

/** The page, opened with the sandbox's credentials. */
async function watch(password = 'sandbox-password', options = {}) {
  const page = await world.visit(`${world.front.origin}/sandbox`, options);
  await page.playwright.getByLabel('Password').fill(password);
  await page.playwright.getByRole('button', { name: 'Watch' }).click();
  return page;
}

/** Waits until a part of the page says something. */
const says = (page, id, text) =>
  page.waitFor(([id, text]) => document.getElementById(id)?.innerText.includes(text), [id, text]);

let orders = 0;

/** Pays with a card that needs no proof; the shop is told of it. Gives the order's number. */
async function pay() {
  const external_id = `order-${(orders += 1)}`;
  const shop = await world.visit();
  const form = await cardForm(shop).ready();
  await form.type({ number: VISA, expiry: FUTURE, code: '123' });
  await form.button.click();
  const { token: text } = await token(shop);
  await call(world, '/api/payments/v1/new', {
    amount: '100.50', currency: 'UAH', external_id, mode: 'direct', description: 'A mug', callback_url: `${world.shop.origin}/callback`,
    customer: { payment_method: { type: 'cc_token', cc_token: { token: text, use_3ds_flow: false } } },
  });
  return external_id;
}

test('a wrong password: the page says so and shows nothing', async () => {
  const page = await watch('sandbox-passwort');
  await page.waitFor(() => document.querySelector('[role=alert]')?.textContent !== '');
  assert.equal(await page.evaluate(() => document.getElementById('shown').hidden), true);
});

test('a token, its payment and its callback appear by themselves, with no number', async () => {
  const page = await watch();
  await says(page, 'project', 'sandbox');
  const external_id = await pay();
  await says(page, 'tokens', '42424242****4242');
  await says(page, 'operations', external_id);
  await says(page, 'operations', 'success: transaction_successful');
  await says(page, 'balances', '100.50');
  await says(page, 'callbacks', 'delivered');
  await click(page, '#callbacks summary');
  await says(page, 'callbacks', `"external_id": "${external_id}"`);
  assert.match(await page.evaluate(() => document.getElementById('callbacks').innerText), /: 200, \d+ ms, signature \S+/);
  // What is open stays open while the page goes on.
  await says(page, 'operations', await pay());
  assert.equal(await page.evaluate(() => document.querySelectorAll('#callbacks details[open]').length), 1);
  assert.ok(!(await page.evaluate(() => document.documentElement.outerHTML)).includes(VISA));
  assert.deepEqual(page.console.filter((line) => /error|uncaught/.test(line)), []);
});

test('the clock goes on by itself, and a day forward by a press', async () => {
  const page = await watch();
  const shown = () => page.evaluate(() => Date.parse(document.getElementById('clock').textContent.replace(' UTC', 'Z').replace(' ', 'T')));
  await page.waitFor(() => document.getElementById('clock').textContent !== '');
  const before = await shown();
  await page.waitFor((before) => document.getElementById('clock').textContent !== before, await page.evaluate(() => document.getElementById('clock').textContent));
  await page.playwright.getByLabel('Advance by').selectOption('a day');
  await click(page, '#advance button');
  await page.waitFor(([before]) => Date.parse(document.getElementById('clock').textContent.replace(' UTC', 'Z').replace(' ', 'T')) - before >= 86_400_000, [before]);
  assert.ok((await shown()) - before < 86_400_000 + 240_000, 'a day, and what the test took');
});

test('leaving ends it: nothing is asked for any more', async () => {
  const page = await watch();
  await says(page, 'project', 'sandbox');
  await click(page, '#leave');
  await page.waitFor(() => !document.getElementById('login').hidden);
  await world.settled();
  const asked = page.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(page.requests.length, asked);
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing, and on a phone nothing sticks out: ${colorScheme}`, async () => {
    const external_id = await pay();
    await call(world, '/sandbox/v1/faults', [{ path: 'callbacks', kind: 'delay', times: 1 }]);
    const page = await watch('sandbox-password', { colorScheme, viewport: { width: 1280, height: 900 }, isMobile: true, hasTouch: true });
    await says(page, 'operations', external_id);
    await click(page, '#callbacks summary');
    assert.deepEqual(await axe(page, { frame: null }), []);
    await page.playwright.setViewportSize({ width: 360, height: 740 });
    const found = await page.evaluate(() => ({
      over: document.documentElement.scrollWidth - innerWidth,
      small: [...document.querySelectorAll('button, select, input, summary')]
        .map((element) => ({ text: element.textContent.trim(), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width && box.height < 44)
        .map(({ text, box }) => `${text}: ${box.width} × ${box.height}`),
    }));
    assert.ok(found.over <= 0, `${found.over} px too wide`);
    assert.deepEqual(found.small, []);
  });
}

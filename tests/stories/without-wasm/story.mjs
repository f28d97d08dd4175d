/**
 * Line 2.4: where there is no WebAssembly, or its module does not come, the same form runs as plain JavaScript, which nobody
 * else loads.
 */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD, VISA, WRONG } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { testSessions } from '../shared/typing.mjs';
import { openWorld } from '../shared/world.mjs';

const CARD = { number: VISA, expiry: FUTURE, code: '123' };
const FALLBACK = /\/fallback-[0-9a-f]+\.js$/;
const MODULE = /\.wasm$/;

/** A browser that has none. */
const bare = openWorld(import.meta.url, { kind: { webAssembly: false } });

bare.test('the form works, and brings a token', async () => {
  const page = await bare.visit();
  await page.evaluate(() => openWidget());
  const form = await cardForm(page).ready();
  assert.equal(await form.evaluate(() => typeof WebAssembly), 'undefined');

  await form.number.type(WRONG);
  await form.number.press('Tab');
  assert.equal(await form.wrong(), 'number');
  await form.number.press('End', 'Backspace', '2');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  assert.equal(await form.number.isInvalid(), false);

  // In the middle, and back.
  await form.number.press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Delete');
  assert.equal(await form.number.value(), '4242 2424 2424 242');
  assert.deepEqual(await form.number.selection(), [4, 4]);
  await form.number.press('Control+z');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');

  await form.type({ expiry: FUTURE, code: '123' });
  await form.code.press('Enter');
  assert.equal((await token(page)).card_mask, '42424242****4242');
  assert.equal(tokenRequests(page).length, 1);
  assert.deepEqual((await heard(page)).errors, []);
  assert.equal(page.requests.filter(({ path }) => FALLBACK.test(path)).length, 1);
});

bare.test('what is typed and submitted before it comes is kept', async () => {
  const { release } = bare.front.hold(FALLBACK);
  const page = await bare.visit();
  await page.evaluate(() => openWidget());
  const form = cardForm(page);
  await form.type(CARD);
  await form.button.click();
  release();
  await token(page);
});

bare.test('where it does not come either, shop and person are told', async () => {
  bare.front.rule(FALLBACK, async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }));
  const page = await bare.visit();
  await page.evaluate(() => openWidget());
  await page.waitFor(() => window.heard.refused.length > 0);
  const { refused, ready } = await heard(page);
  assert.deepEqual([refused.map(({ id }) => id), ready], [['webassembly_missing'], []]);
  assert.match(refused[0].message, /WebAssembly/);
  assert.equal(await cardForm(page).status.text(), 'Something went wrong on our side. Try again in a moment');
});

testSessions(bare, { every: 16 });

const world = openWorld(import.meta.url);

/** Ways in which the module does not come, or not as it should. Nothing of them may stay in a cache. */
const FAULTS = {
  'is not there': async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
  'is cut': async (_, pass) => {
    const answer = await pass();
    const { length } = answer.body;
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store', 'content-length': String(length) }, body: answer.body.subarray(0, length >> 1) };
  },
  'is damaged': async (request, pass) => {
    delete request.headers['accept-encoding'];
    const answer = await pass();
    const body = Buffer.from(answer.body);
    body.fill(0xff, 1000, 2000);
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' }, body };
  },
  'has the wrong type': async (_, pass) => {
    const answer = await pass();
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store', 'content-type': 'application/octet-stream' } };
  },
};

for (const [name, rule] of Object.entries(FAULTS)) {
  world.test(`a module that ${name}`, async () => {
    world.front.rule(MODULE, rule);
    const page = await world.visit();
    await page.evaluate(() => openWidget());
    const form = await cardForm(page).ready();
    await form.type({ number: MASTERCARD, expiry: FUTURE, code: '123' });
    assert.equal(await form.number.value(), '5555 5555 5555 4444');
    await form.button.click();
    await token(page);
    assert.equal(page.requests.filter(({ path }) => FALLBACK.test(path)).length, 1);
  });
}

world.test('a module that is slow: the other core comes after five seconds', async () => {
  const { release } = world.front.hold(MODULE);
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  const form = cardForm(page);
  await form.type(CARD);
  const began = Date.now();
  await form.ready();
  assert.ok(Date.now() - began < 8000, 'not much later');
  release();
  // The module that comes after all is left alone.
  await world.settled();
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  await form.button.click();
  await token(page);
  await world.settled();
  assert.equal((await heard(page)).tokens.length, 1);
});

world.test('nobody else loads it', async () => {
  const page = await world.visit();
  await page.evaluate(() => openWidget());
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.button.click();
  await token(page);
  await world.settled();
  assert.deepEqual(page.requests.filter(({ path }) => FALLBACK.test(path)), []);
});

/** One port for each document, accepted from the shop alone; whatever else comes is ignored without a word. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { openShop } from '../shared/shop.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** What nobody may say with success: of another name, malformed, or a name of this list where it does not belong. */
const NONSENSE = [
  null, 5, '', 'submit', [], {}, [{ type: 'submit' }], { type: null }, { type: 'nothing' }, { type: 'toString' }, { type: '__proto__' },
  { type: 'constructor' }, { type: ['submit'] }, { type: { toString: 'submit' } }, { type: 'ready' }, { type: 'token', token: 'x' },
  { type: 'card-widget:connect' }, { type: 'card-widget:connect', version: 2 }, { type: 'update' }, { type: 'update', lang: 5 },
  { type: 'focus', field: 'nose' }, { type: 'focus', field: {} }, { type: 'init', lang: 'xx', deadline: 'soon' },
];

test('one channel for each document, posted to the service alone, never to everybody', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  const connect = { type: 'card-widget:connect', origin: world.front.origin, ports: 1 };
  assert.deepEqual(await page.evaluate(() => [posted, made]), [[connect], 1]);
  await page.evaluate(() => { document.body.append(document.querySelector('#card')); });
  await page.waitFor(() => posted.length === 2);
  await form.number.waitFor();
  await form.number.type('4242');
  await page.evaluate(() => { widget.close(); widget.open(); });
  await form.ready(2);
  assert.deepEqual(await page.evaluate(() => [posted, made]), [[connect, connect, connect], 3]);
  // The frame itself posts to no window at all.
  assert.equal((await heard(page)).console.length, 0);
});

test('the frame takes one port, the first of the shop: a second one, a stranger and a child are ignored', async () => {
  // A window of another origin inside the shop's page, which knows the frame.
  const stranger = await openShop(new URL('./', import.meta.url), world.front.origin, () => ({
    body: `<!doctype html><title>A stranger</title><script>
      addEventListener('message', ({ data }) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => parent.postMessage('answered', '*');
        parent.frames[data].postMessage({ type: 'card-widget:connect', version: 1 }, '*', [port2]);
        port1.postMessage({ type: 'init', lang: 'pl', locale: {}, deadline: 9000 });
        port1.postMessage({ type: 'submit' });
        parent.postMessage('sent', '*');
      });
      parent.postMessage('here', '*');
    </script>`,
  }));
  try {
    const { release } = world.front.hold(/\.wasm$|fallback/);
    const page = await world.visit();
    const form = cardForm(page);
    await form.number.waitFor();
    await page.evaluate((address) => {
      window.words = [];
      addEventListener('message', ({ data }) => words.push(data));
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.id = 'stranger';
      frame.src = address;
    }, stranger.origin);
    await page.waitFor(() => words.includes('here'));
    await page.evaluate(() => { document.querySelector('#stranger').contentWindow.real.postMessage(0, '*'); });
    await page.waitFor(() => words.includes('sent'));
    // A look-alike port from the shop's own page, after the loader's.
    await page.evaluate(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => words.push('answered');
      card().postMessage({ type: 'card-widget:connect', version: 1 }, '*', [port2]);
      port1.postMessage({ type: 'init', lang: 'pl', locale: {}, deadline: 9000 });
      port1.postMessage({ type: 'submit' });
    });
    release();
    await form.ready();
    await form.type(CARD);
    await page.evaluate(() => { document.querySelector('#stranger').contentWindow.real.postMessage(0, '*'); });
    await page.waitFor(() => words.filter((word) => word === 'sent').length === 2);
    await world.settled();
    assert.equal((await page.evaluate(() => words)).includes('answered'), false);
    assert.equal(await form.evaluate(() => document.documentElement.lang), 'en');
    assert.equal(tokenRequests(page).length, 0);
    await form.code.press('Enter');
    await token(page);
  } finally {
    stranger.close();
  }
});

test('of another name, malformed, or without a port: ignored, on the window and on the port', async () => {
  const page = await world.visit('/?idle');
  await page.evaluate(() => {
    // The page's own script holds the loader's port in its hands: `onmessage` is set on it.
    const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
    Object.defineProperty(MessagePort.prototype, 'onmessage', { set(handler) { window.stolen = this; set.call(this, handler); } });
    openWidget();
  });
  const form = await cardForm(page).ready();
  await form.type(CARD);
  const before = (await heard(page)).messages.length;
  await page.evaluate((words) => {
    for (const word of words) {
      card().postMessage(word, '*');
      card().postMessage(word, '*', [new MessageChannel().port2]);
      // A second `init` is what a shop may say, not nonsense.
      if (word?.type !== 'init') stolen.postMessage(word);
    }
    // The other way: what comes to the shop's window is nothing to the loader.
    for (const type of ['ready', 'token', 'error', 'resize']) postMessage({ type, token: 'ct_forged', height: 5, code: 'x', stage: 'load' }, '*');
  }, NONSENSE);
  await page.evaluate(() => widget.validate());
  await world.settled();
  assert.deepEqual([await form.number.value(), await form.code.value()], ['4242 4242 4242 4242', '123']);
  assert.equal(await form.evaluate(() => document.documentElement.lang), 'en');
  const { messages, tokens, errors, refused, ready, console } = await heard(page);
  assert.deepEqual(messages.slice(before).filter(({ type }) => !['change', 'validated', 'resize'].includes(type)), []);
  assert.deepEqual([tokens, errors, refused, ready.length, console], [[], [], [], 1, []]);
  assert.equal(tokenRequests(page).length, 0);
  await form.code.press('Enter');
  await token(page);
});

test('what a frame says that is not on the list is ignored by the shop', async () => {
  // The frame's own script tells nonsense on the port before anything else.
  const words = JSON.stringify([...NONSENSE.filter((word) => Object(word).type !== 'ready' && Object(word).type !== 'token'), { type: 'resize', height: 'x' }, { type: 'resize', height: -5 }, { type: 'resize' }]);
  world.front.rewrite(/\/frame-[0-9a-f]+\.js$/, (text) => `${text}\ncardWidgetEarly.port.then((port) => ${words}.forEach((word) => port.postMessage(word)));`);
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  assert.ok((await heard(page)).messages.some((word) => Object(word).type === 'nothing'), 'it was told');
  assert.deepEqual((await heard(page)).console, []);
  assert.ok((await page.box('#card iframe')).height > 100);
});

test('the frame by itself is no form, also where no header says how it is shown', async () => {
  const page = await world.visit();
  await cardForm(page).ready();
  const address = await page.evaluate(() => document.querySelector('#card iframe').src);
  // As an older browser asks: the service cannot know that this is no frame.
  world.front.rule(/\/frame$/, async (request, pass) => {
    for (const name of ['dest', 'mode', 'site', 'user']) delete request.headers[`sec-fetch-${name}`];
    return pass();
  });
  await page.goto(address);
  assert.equal(await page.evaluate(() => document.forms.length + document.querySelectorAll('input').length), 0);
  const words = await page.evaluate(() => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const words = [];
    port1.onmessage = ({ data }) => words.push(data.type);
    window.postMessage({ type: 'card-widget:connect', version: 1 }, '*', [port2]);
    port1.postMessage({ type: 'init', lang: 'en', locale: {}, deadline: 9000 });
    setTimeout(() => resolve(words), 300);
  }));
  // A page that says why there is no form may say so to whoever asks.
  assert.deepEqual(words.filter((type) => type !== 'error'), []);
  assert.ok(page.requests.every(({ path }) => !path.endsWith('/tokens')));
});

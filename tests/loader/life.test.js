/** From `init` to `close`, in a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, openWorld, post, settle } from './world.js';

const world = openWorld();
const token = { type: 'token', token: 'ct_one', expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' };

test('one chain shows one frame, connects it to the service alone, and says that it is ready', async () => {
  const page = await world.visit();
  await page.evaluate(() => { CardWidget.init(params({ amount: 100.5, currency: 'UAH', customer_id: 'c-1' })).open(); });
  const { instance } = await heard(page, 'widget-init-ready');
  assert.match(instance, /^cw_/);
  const [frame] = frames(page);
  assert.deepEqual(Object.fromEntries(new URL(frame.url()).searchParams), {
    key: 'wk_test', origin: world.shop.origin, lang: 'en', type: 'full_card', template: 'stacked', style: 'plain', scheme: 'light',
  });
  assert.deepEqual(await frame.evaluate(() => told), {
    connects: [{ data: { type: 'card-widget:connect', version: 1 }, origin: world.shop.origin, ports: 1 }],
    messages: [{ type: 'init', deadline: 13_500, lang: 'en', amount: 100.5, currency: 'UAH', customer_id: 'c-1', locale: {}, brands: undefined, auto_advance: undefined, customer_ip: undefined, customer_email: undefined }],
  });
  assert.deepEqual(page.console, []);
});

test('nothing is posted to a frame that ended up on another origin', async () => {
  const page = await world.visit();
  await page.evaluate(() => { start({ key: 'wk_elsewhere' }); });
  await page.waitForFunction(() => document.querySelector('iframe'));
  await page.waitForTimeout(300);
  const stranger = page.frames().find((frame) => frame.url().startsWith(world.other.origin));
  assert.ok(stranger, 'the redirect was followed');
  assert.deepEqual(await stranger.evaluate(() => told.connects), []);
});

test('height is reserved before the frame speaks, follows it afterwards, and leaves no history entry', async () => {
  const page = await world.visit();
  const before = await page.evaluate(() => { const n = history.length; start({ key: 'wk_silent' }); return n; });
  const box = () => page.evaluate(() => document.querySelector('iframe').getBoundingClientRect().toJSON());
  assert.ok((await box()).height > 150);
  await page.waitForFunction(() => document.querySelector('iframe'));
  const [frame] = await waitForFrames(page, 1);
  await frame.waitForFunction(() => told.messages.length === 1);
  await post(frame, { type: 'resize', height: 301.2 });
  assert.equal((await box()).height, 302);
  for (const height of [0, -5, Number.NaN, 'x']) await post(frame, { type: 'resize', height });
  assert.equal((await box()).height, 302, 'a hidden or confused frame does not fold the form away');
  assert.equal(await page.evaluate(() => history.length), before);
  assert.deepEqual(await page.evaluate(() => events), [], 'a resize is not yet a form');
});

test('the height held free follows type, template, font size and the room there is', async () => {
  const page = await world.visit();
  for (const [height, width, type, template, theme] of [
    [262, 720, 'full_card', 'stacked'],
    [298, 700, 'full_card', 'stacked'],
    [298, 320, 'full_card', 'stacked'],
    [178, 700, 'full_card', 'line'],
    [126, 900, 'full_card', 'line'],
    [298, 320, 'full_card', 'line'],
    [178, 320, 'pan_only', 'line'],
    [160, 720, 'pan_only', 'stacked'],
    [362, 320, 'full_card', 'stacked', { fontSize: '20px' }],
    [262, 720, 'full_card', 'stacked', { fontSize: '9999px' }],
  ]) {
    const held = await page.evaluate(([width, options]) => {
      document.getElementById('card').style.width = width + 'px';
      start({ key: 'wk_silent', ...options });
      return document.querySelector('iframe').offsetHeight;
    }, [width, { type, template, theme }]);
    assert.equal(held, height, `${type}, ${template}, ${width} px`);
  }
});

test('tokens and errors arrive with exactly the members that are promised', async () => {
  const page = await world.visit();
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  await post(frame, { ...token, number: '4242424242424242' });
  const error = { code: 'too_many_requests', message: 'Wait.', retryable: true, actor: 'customer', stage: 'submit', correlation_id: 'r1' };
  await post(frame, { type: 'error', ...error, surplus: 1 });
  for (const nonsense of [null, 'token', 7, {}, { type: 'toString' }, { type: 'card-widget:connect' }]) await post(frame, nonsense);
  const { type, ...promised } = token;
  assert.deepEqual(await page.evaluate(() => tokens), [promised]);
  const { correlation_id: correlationId, ...rest } = error;
  assert.deepEqual(await page.evaluate(() => problems), [{ name: 'CardWidgetError', ...rest, correlationId }]);
  assert.equal((await page.evaluate(() => events)).length, 1, 'an error after the start is no widget-init-error');
  assert.deepEqual(page.errors, []);
});

test('a handler that throws or rejects reaches the error handling of the page and breaks nothing', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    let calls = 0;
    start({
      onToken: (token) => {
        tokens.push(token);
        calls += 1;
        if (calls === 1) throw new Error('thrown by the shop');
        if (calls === 2) return Promise.reject(new Error('rejected by the shop'));
      },
      onError: () => { throw new Error('thrown by onError'); },
    });
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  for (let i = 0; i < 3; i += 1) await post(frame, token);
  await post(frame, { type: 'error', code: 'x', message: 'x', retryable: true, actor: 'service', stage: 'submit', correlation_id: '' });
  await post(frame, { type: 'resize', height: 222 });
  assert.equal((await page.evaluate(() => tokens)).length, 3);
  assert.deepEqual(page.errors, ['thrown by the shop', 'rejected by the shop', 'thrown by onError']);
  assert.equal(await page.evaluate(() => document.querySelector('iframe').offsetHeight), 222);
});

test('open twice is one form; close and open again is a fresh one', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.widget = start(); widget.open(); });
  await heard(page, 'widget-init-ready');
  assert.equal(frames(page).length, 1);
  await page.evaluate(() => { window.old = document.querySelector('iframe'); widget.close(); widget.close(); });
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0);
  await page.evaluate(() => widget.open());
  await heard(page, 'widget-init-ready', 2);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
  assert.equal(await page.evaluate(() => old === document.querySelector('iframe')), false);
});

test('after close comes no token, no error and no deadline', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => { window.widget = start({ key: 'wk_silent' }); });
  const [frame] = await waitForFrames(page, 1);
  await frame.waitForFunction(() => told.messages.length === 1);
  // Messages that are under way while the shop closes.
  await frame.evaluate((token) => { for (let i = 0; i < 50; i += 1) port.postMessage(token); }, token);
  await page.evaluate(() => { window.before = tokens.length; widget.close(); });
  await page.clock.runFor(20_000);
  assert.equal(await page.evaluate(() => tokens.length - before), 0);
  assert.deepEqual(await page.evaluate(() => events), []);
});

test('close inside onToken and before the first load is fine', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    start().close();
    CardWidget.init(params()).close();
    window.widget = start({ onToken: (token) => { tokens.push(token); widget.close(); } });
  });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  // In a task of its own: the frame goes away while it speaks.
  await frame.evaluate((token) => { setTimeout(() => { port.postMessage(token); port.postMessage(token); }); }, token);
  await page.waitForFunction(() => tokens.length > 0);
  await settle(page);
  assert.equal((await page.evaluate(() => tokens)).length, 1);
  assert.equal((await page.evaluate(() => events)).length, 1);
  assert.deepEqual(page.errors, []);
});

test('a second init on an element closes the first, and the first may come back', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.one = start({ customer_id: 'one' }); });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => { window.two = CardWidget.init(params({ selector: document.getElementById('card'), customer_id: 'two' })); });
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0, 'closed by init already');
  await heard(page, 'widget-init-ready', 2); // two is told that it may open
  await page.evaluate(() => { two.open(); });
  await page.evaluate(() => { one.open(); });
  await heard(page, 'widget-init-ready', 3);
  const live = frames(page);
  assert.equal(live.length, 1);
  assert.equal(await live[0].evaluate(() => told.messages[0].customer_id), 'one');
});

test('two widgets on two elements never mix', async () => {
  const page = await world.visit({
    body: `<script src="${world.service.origin}/widget/v1/card-widget.js"></script><div id="left"></div><div id="right"></div>`,
  });
  const ids = await page.evaluate(() => ['left', 'right'].map((selector) => start({ selector, customer_id: selector, onToken: (token) => tokens.push(selector + token.token) }).id));
  await heard(page, 'widget-init-ready', 2);
  for (const frame of frames(page)) {
    const side = await frame.evaluate(() => told.messages[0].customer_id);
    await post(frame, { ...token, token: `_of_${side}` });
  }
  assert.deepEqual((await page.evaluate(() => tokens)).sort(), ['left_of_left', 'right_of_right']);
  assert.deepEqual((await page.evaluate(() => events.map((event) => event.instance))).sort(), ids.sort());
});

for (const [how, body, remove] of [
  ['the element', '<div id="card"></div>', () => document.getElementById('card').remove()],
  ['the frame alone', '<div id="card"></div>', () => document.getElementById('card').replaceChildren()],
  ['a part of the page around it', '<main><p><span id="card"></span></p></main>', () => document.querySelector('main').remove()],
]) {
  test(`the widget closes itself when the page removes ${how}`, async () => {
    const page = await world.visit({ body: `<script src="${world.service.origin}/widget/v1/card-widget.js"></script>${body}`, clock: true });
    await page.evaluate(() => { start({ key: 'wk_silent' }); });
    const [frame] = await waitForFrames(page, 1);
    await frame.waitForFunction(() => told.messages.length === 1);
    await page.evaluate(remove);
    await settle(page);
    await page.clock.runFor(20_000);
    assert.deepEqual(await page.evaluate(() => events), [], 'its deadline went with it');
  });
}

test('works inside a shadow root, and notices when the shadow host goes', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => {
    const root = document.getElementById('card').attachShadow({ mode: 'closed' });
    root.append(Object.assign(document.createElement('div'), { className: 'host' }));
    start({ selector: root.firstChild });
  });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => { window.inner = start({ key: 'wk_silent', selector: document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }).appendChild(document.createElement('div')) }); });
  await waitForFrames(page, 2);
  await page.evaluate(() => document.body.lastElementChild.remove());
  await settle(page);
  await page.clock.runFor(20_000);
  assert.equal((await page.evaluate(() => events)).length, 1);
});

test('a frame that the page moves is connected afresh', async () => {
  const page = await world.visit();
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => document.body.append(document.body.appendChild(document.createElement('section')), document.getElementById('card')));
  await page.evaluate(() => document.querySelector('section').append(document.getElementById('card')));
  // A frame that has been moved goes away while it is asked.
  const hasHeard = () => frames(page)[0]?.evaluate(() => told.messages.length === 1).catch(() => false);
  while (!(await hasHeard())) await page.waitForTimeout(10);
  await settle(page);
  const live = frames(page);
  assert.equal(live.length, 1);
  assert.equal((await page.evaluate(() => events)).length, 1, 'it is the same opening');
  assert.equal(await live[0].evaluate(() => told.connects.length), 1);
  await post(live[0], token);
  assert.equal((await page.evaluate(() => tokens)).length, 1);
});

test('what a frame has said before it was moved counts no more', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.widget = start(); });
  await heard(page, 'widget-init-ready');
  const [frame] = frames(page);
  await frame.evaluate((token) => { setTimeout(() => port.postMessage(token), 100); }, token);
  const code = await page.evaluate(() => {
    const pending = widget.submit().then(() => 'token', ({ code }) => code);
    // The message comes meanwhile, and waits behind this task.
    for (const end = performance.now() + 600; performance.now() < end; );
    document.body.appendChild(document.createElement('section')).append(document.getElementById('card'));
    return pending;
  });
  assert.equal(code, 'closed');
  await settle(page);
  assert.deepEqual(await page.evaluate(() => tokens), []);
});

test('a shop that opens only on widget-init-ready is not kept waiting, and hears it once', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => {
    window.widget = CardWidget.init(params());
    document.addEventListener('widget-init-ready', ({ detail }) => { if (detail.instance === widget.id) widget.open(); });
  });
  const [frame] = await waitForFrames(page, 1);
  await frame.waitForFunction(() => told.messages.length === 1);
  await settle(page);
  await page.clock.runFor(20_000);
  assert.deepEqual((await page.evaluate(() => events)).map(({ name }) => name), ['widget-init-ready']);
  assert.equal(frames(page).length, 1);
});

test('an opening after close, and one after a failed start, is told of again', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.widget = CardWidget.init(params()); });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => { document.getElementById('card').id = 'gone'; widget.open(); });
  assert.equal((await heard(page, 'widget-init-error')).id, 'host_not_found');
  await page.evaluate(() => { document.getElementById('gone').id = 'card'; widget.open(); });
  await heard(page, 'widget-init-ready', 2);
  await page.evaluate(() => { widget.close(); widget.open(); });
  await heard(page, 'widget-init-ready', 3);
  await settle(page);
  assert.equal((await page.evaluate(() => events)).length, 4);
});

/** Waits until that many stand-in frames are in the page. */
async function waitForFrames(page, count) {
  while (frames(page).length < count) await page.waitForTimeout(10);
  return frames(page);
}

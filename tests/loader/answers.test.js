/** Promises, events, the deadline and the signal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, openWorld, post, settle } from './world.js';

const world = openWorld();
const token = { type: 'token', token: 'ct_one', expires_at: '2026-01-31T23:59:59', expires_in: 60_000, card_mask: '42424242****4242' };
const failure = { type: 'error', message: 'No.', retryable: true, actor: 'service', correlation_id: 'r1' };
const validated = { type: 'validated', fields: { number: { state: 'empty', error: 'number_empty', focused: false } }, brands: [], choices: [], brand: null, complete: false };

/** Keeps every outcome in `out`, by name: a value, or what an error is. */
const KEEP = `
  window.out = {};
  window.plain = (error) => error instanceof Error ? { ...error, message: error.message, cause: error.cause } : error;
  window.keep = (name, promise) => { promise.then((value) => { out[name] = { value }; }, (error) => { out[name] = { error: plain(error) }; }); };
`;
const visit = async (options) => { const page = await world.visit(options); await page.evaluate(KEEP); return page; };
const outcome = async (page, name) => { await page.waitForFunction((name) => name in out, name); return page.evaluate((name) => out[name], name); };
const messages = (page) => frames(page)[0].evaluate(() => told.messages.map(({ type }) => type));

test('ready: of init, of each opening, of a failure; ignored, it makes no noise', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.unhandled = 0;
    addEventListener('unhandledrejection', () => { unhandled += 1; });
    window.widget = CardWidget.init(params());
    const first = widget.ready;
    keep('init', first);
    first.then(() => { out.asked = !document.querySelector('iframe'); });
  });
  assert.deepEqual(await outcome(page, 'init'), { value: undefined });
  await page.evaluate(() => { widget.open(); keep('opening', widget.ready); out.same = widget.ready === widget.ready; });
  assert.deepEqual(await outcome(page, 'opening'), { value: undefined });
  await page.evaluate(() => {
    widget.close();
    widget.open();
    keep('closed', widget.ready);
    widget.close();
    const same = CardWidget.init(params());
    const first = same.ready;
    same.open();
    out.shared = first === same.ready;
    same.destroy();
    keep('destroyed', first);
    keep('wrong', CardWidget.init(params({ key: '' })).ready);
  });
  assert.equal((await outcome(page, 'closed')).error.code, 'closed');
  assert.equal((await outcome(page, 'destroyed')).error.code, 'destroyed');
  const { error } = await outcome(page, 'wrong');
  assert.deepEqual([error.name, error.code, error.actor, error.stage, error.retryable, error.correlationId], ['CardWidgetError', 'parameter_missing', 'merchant', 'init', false, '']);
  assert.equal((await heard(page, 'widget-init-error')).message, error.message, 'the event says the same');
  await page.evaluate(() => { CardWidget.init(params({ key: 7 })); start({ key: 'wk_mute' }).destroy(); start().submit(); start().destroy(); });
  await settle(page);
  assert.deepEqual(await page.evaluate(() => [out.asked, out.same, out.shared, unhandled]), [true, true, true, 0]);
});

test('submit: asked once, answered once, told once; calls meanwhile share the promise', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.widget = start({ customer_id: 'c' });
    const first = widget.submit();
    out.shared = first === widget.submit();
    keep('early', first);
  });
  await heard(page, 'widget-init-ready');
  assert.deepEqual(await messages(page), ['init', 'submit'], 'a call before the form is there waits for it');
  await post(frames(page)[0], token);
  const promised = { token: 'ct_one', expires_at: '2026-01-31T23:59:59', card_mask: '42424242****4242' };
  assert.deepEqual(await outcome(page, 'early'), { value: promised });
  assert.deepEqual(await page.evaluate(() => [tokens, out.shared]), [[promised], true]);

  // A failure of the submit is its answer, and the shop's handlers hear it as well.
  for (const [code, stage] of [['card_invalid', 'form'], ['too_many_requests', 'submit'], ['form_restarted', 'form']]) {
    await page.evaluate((code) => { keep(code, widget.submit()); keep('beside ' + code, widget.validate()); }, code);
    await post(frames(page)[0], { ...failure, code, stage });
    const { error } = await outcome(page, code);
    assert.deepEqual([error.code, error.stage, error.correlationId, error.retryable], [code, stage, 'r1', true]);
    assert.equal(await page.evaluate(() => problems.at(-1).code), code);
    const beside = await page.evaluate((code) => out['beside ' + code]?.error.code, code);
    assert.equal(beside, code === 'form_restarted' ? code : undefined, 'a form that starts anew answers nothing');
    if (code === 'card_invalid') assert.equal(await page.evaluate(() => document.activeElement.localName), 'iframe');
    await post(frames(page)[0], validated);
  }
  await page.evaluate(() => { keep('gone', widget.submit()); widget.close(); keep('none', widget.submit()); });
  assert.equal((await outcome(page, 'gone')).error.code, 'closed');
  assert.equal((await outcome(page, 'none')).error.code, 'not_open');
  assert.equal((await page.evaluate(() => tokens)).length, 1);
});

test('validate: answered by the form, and only as long as there is one', async () => {
  const page = await visit();
  await page.evaluate(() => { window.widget = CardWidget.init(params()); keep('before', widget.validate()); widget.open(); });
  assert.equal((await outcome(page, 'before')).error.code, 'not_open');
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => { keep('now', widget.validate()); });
  await post(frames(page)[0], { ...validated, number: '4242424242424242' });
  const { type, ...change } = validated;
  assert.deepEqual(await outcome(page, 'now'), { value: change });
  await page.evaluate(() => { keep('gone', widget.validate()); document.getElementById('card').replaceChildren(); });
  assert.equal((await outcome(page, 'gone')).error.code, 'closed');
});

test('one deadline, settable, for the start, validate and submit; late answers still count', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.widget = start({ timeout: 1000 });
    CardWidget.init(params({ timeout: 999, selector: document.body.appendChild(document.createElement('div')) })).close();
  });
  await heard(page, 'widget-init-ready');
  assert.match(page.console[0], /"timeout" must be 1000 to 120000, but is 999\./);
  assert.equal((await frames(page)[0].evaluate(() => told.messages[0].deadline)), 900);
  await page.evaluate(() => { keep('validate', widget.validate()); keep('submit', widget.submit()); });
  for (const [name, stage] of [['validate', 'form'], ['submit', 'submit']]) {
    const { error } = await outcome(page, name);
    assert.deepEqual([error.code, error.stage, error.actor, error.retryable], ['timeout', stage, 'network', true]);
  }
  assert.deepEqual(await page.evaluate(() => problems.map(({ stage }) => stage)), ['form', 'submit']);
  for (let i = 0; i < 2; i += 1) await post(frames(page)[0], { ...failure, code: 'timeout', stage: 'submit' });
  assert.equal((await page.evaluate(() => problems)).length, 3, 'the form says the same a little later: told once; the next one is news');
  await post(frames(page)[0], token);
  assert.equal((await page.evaluate(() => tokens)).length, 1);
  await page.evaluate(() => { widget.close(); window.slow = start({ key: 'wk_silent', timeout: 1000 }); keep('start', slow.ready); });
  const { error } = await outcome(page, 'start');
  assert.deepEqual([error.code, error.stage], ['timeout', 'attach']);
});

test('focus and clear wait for the form, and go to each document that loads until one works', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.widget = CardWidget.init(params());
    widget.focus();
    widget.clear();
    widget.open();
    widget.clear();
    widget.focus('code');
    for (const odd of ['pan', 7, new Event('click'), () => {}]) widget.focus(odd);
  });
  await heard(page, 'widget-init-ready');
  assert.equal(page.console.length, 4);
  assert.match(page.console[0], /"field" must be one of number, expiry, code, but is "pan"/);
  const told = await frames(page)[0].evaluate(() => told.messages.slice(1, 3));
  assert.deepEqual(told, [{ type: 'clear' }, { type: 'focus', field: 'code' }]);
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'iframe');
  assert.deepEqual(page.errors, []);
});

test('on: beside the parameter, in order, until unsubscribed; what throws stops nothing', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.calls = [];
    window.widget = start({ onToken: () => { calls.push('parameter'); }, onReady: () => calls.push('onReady'), onClose: ({ reason }) => calls.push('onClose ' + reason) });
    widget.on('token', () => { calls.push('throws'); throw new Error('thrown by the shop'); });
    window.off = widget.on('token', ({ token }) => calls.push(token));
    widget.on('token', async () => { throw new Error('rejected by the shop'); });
    widget.on('ready', (value) => calls.push('ready ' + value));
    widget.on('close', ({ reason }) => calls.push('close ' + reason));
    for (const [event, handler] of [['tokens', () => {}], ['', () => {}], [undefined, undefined], ['token', 'handle']]) widget.on(event, handler)();
  });
  await heard(page, 'widget-init-ready');
  await post(frames(page)[0], token);
  await page.evaluate(() => { off(); off(); });
  await post(frames(page)[0], token);
  await page.evaluate(() => { widget.destroy(); widget.on('token', () => {}); });
  const once = ['parameter', 'throws', 'ct_one'];
  assert.deepEqual(await page.evaluate(() => calls), ['onReady', 'ready undefined', ...once, ...once.slice(0, 2), 'onClose destroyed', 'close destroyed']);
  assert.deepEqual([...new Set(page.errors)].sort(), ['rejected by the shop', 'thrown by the shop']);
  assert.match(page.console.join('\n'), /"event" must be one of ready, token, error, change, close, expire, but is "tokens"/);
  assert.match(page.console.join('\n'), /"handler" must be a function, but is "handle"/);
});

test('expire: when the last token’s time is up, and not after close', async () => {
  const page = await visit({ clock: true });
  await page.evaluate(() => { window.expired = []; window.widget = start({ onExpire: (value) => expired.push(value) }); });
  await heard(page, 'widget-init-ready');
  await post(frames(page)[0], token);
  await page.clock.runFor(30_000);
  await post(frames(page)[0], { ...token, token: 'ct_two' });
  await page.clock.runFor(40_000);
  assert.deepEqual(await page.evaluate(() => expired), []);
  await page.clock.runFor(25_000);
  assert.deepEqual(await page.evaluate(() => expired), [{ token: 'ct_two' }]);
  for (const expires_in of [2 ** 31, undefined, 'soon', Infinity]) await post(frames(page)[0], { ...token, expires_in });
  await post(frames(page)[0], { ...token, token: 'ct_late' });
  await page.evaluate(() => widget.close());
  await page.clock.runFor(120_000);
  assert.equal((await page.evaluate(() => expired)).length, 1);
});

test('signal: abort destroys with its reason; aborted before, there never is a form and no word of it', async () => {
  const page = await visit();
  await page.evaluate(() => {
    const early = AbortSignal.abort('too late');
    const widget = CardWidget.init(params({ signal: early }));
    keep('early', widget.ready);
    widget.open();
    keep('submit', widget.submit());
    out.frames = document.querySelectorAll('iframe').length;
    window.controller = new AbortController();
    window.closes = [];
    window.second = start({ signal: controller.signal, onClose: (value) => closes.push(value) });
  });
  for (const name of ['early', 'submit']) {
    const { error } = await outcome(page, name);
    assert.deepEqual([error.code, error.cause], ['aborted', 'too late'], name);
  }
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => { keep('pending', second.submit()); controller.abort('changed my mind'); second.open(); out.state = [document.querySelectorAll('iframe').length, closes]; });
  assert.deepEqual((await outcome(page, 'pending')).error.cause, 'changed my mind');
  assert.deepEqual(await page.evaluate(() => [out.frames, out.state, events.length]), [0, [0, [{ reason: 'aborted' }]], 1]);
  await page.evaluate(() => { const live = CardWidget.init(params({ signal: 'stop' })); live.update({ signal: controller.signal }); live.destroy(); });
  assert.match(page.console.join('\n'), /"signal" must be an AbortSignal, but is "stop"[^]*"signal" cannot be changed/);
});

test('onClose says why, once, synchronously; a failed opening has been told by onError', async () => {
  const page = await visit();
  await page.evaluate(() => {
    window.closes = [];
    window.open2 = (more) => start({ onClose: ({ reason }) => closes.push(reason), ...more });
    open2().close();
    open2();
    open2().destroy();
    document.getElementById('card').id = 'gone';
    const lost = open2();
    lost.close();
    document.getElementById('gone').id = 'card';
    window.reopened = open2({ onClose: () => { if (closes.push('again') < 6) reopened.open(); } });
    reopened.close();
    reopened.close();
  });
  assert.deepEqual(await page.evaluate(() => closes), ['closed', 'replaced', 'destroyed', 'again', 'again']);
  await page.evaluate(() => { reopened.destroy(); closes.length = 0; window.refused = open2({ key: 'wk_refused' }); });
  await heard(page, 'widget-init-error', 2); // the first is that of the element that was gone
  await page.evaluate(() => { refused.close(); refused.destroy(); });
  assert.deepEqual(await page.evaluate(() => [closes, problems.map(({ code, stage }) => [code, stage])]), [[], [['host_not_found', 'init'], ['widget_key_unknown', 'load']]]);
});

test('React StrictMode: init, open, close, init, open in one task leave one live frame', async () => {
  const page = await visit();
  await page.evaluate(() => {
    const mount = () => { const widget = start({ selector: document.getElementById('card') }); return () => widget.destroy(); };
    mount()();
    mount();
    const host = document.body.appendChild(document.createElement('div'));
    const one = start({ selector: host });
    one.close();
    start({ selector: host });
  });
  await heard(page, 'widget-init-ready', 2);
  await settle(page);
  assert.equal(frames(page).length, 2, 'one for each element');
  assert.equal((await page.evaluate(() => events)).length, 2);
});

test('a page from the back/forward cache has a fresh form, and hears no second widget-init-ready', async () => {
  const page = await visit();
  await page.evaluate(() => { window.readies = 0; window.widget = start({ onReady: () => { readies += 1; } }); });
  await heard(page, 'widget-init-ready');
  await page.evaluate(() => {
    window.old = document.querySelector('iframe');
    for (const persisted of [false, true]) dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
    out.fresh = old !== document.querySelector('iframe') && !old.isConnected;
  });
  await page.waitForFunction(() => readies === 2);
  assert.deepEqual(await page.evaluate(() => [out.fresh, events.length, document.querySelectorAll('iframe').length]), [true, 1, 1]);
  await post(frames(page)[0], token);
  assert.equal((await page.evaluate(() => tokens)).length, 1);
});

test('a call inside any callback is fine', async () => {
  const page = await visit();
  await page.evaluate(() => {
    document.addEventListener('widget-init-ready', () => { if (window.hasty) { const widget = hasty; window.hasty = undefined; widget.close(); widget.open(); } });
    window.readies = 0;
    window.hasty = start({ onReady: () => { readies += 1; } });
    window.widget = hasty;
  });
  await heard(page, 'widget-init-ready', 2);
  await settle(page);
  assert.equal(await page.evaluate(() => readies), 1, 'the opening that was closed in its own event says nothing more');
  await page.evaluate(() => { widget.update({ onError: () => widget.destroy(), onClose: () => { widget.open(); widget.submit().catch(() => {}); } }); });
  await frames(page)[0].evaluate((message) => { setTimeout(() => port.postMessage(message)); }, { ...failure, code: 'x', stage: 'submit' });
  await page.waitForFunction(() => !document.querySelector('iframe'));
  assert.deepEqual(page.errors, []);
});

test('after destroy nothing of the widget is left', async () => {
  const page = await visit({ body: `<script>${COUNT}</script><script src="${world.service.origin}/widget/v1/card-widget.js"></script><div id="card"></div>` });
  for (let round = 0; round < 5; round += 1) {
    await page.evaluate(() => {
      events.length = 0;
      window.controller ??= new AbortController();
      window.widget = start({ signal: controller.signal });
      widget.on('token', () => {});
    });
    await heard(page, 'widget-init-ready');
    const used = await page.evaluate(() => { widget.submit(); const used = [count.listeners, count.timers.size, count.observers]; widget.destroy(); return used; });
    assert.ok(used.every(Boolean), `what is counted is used: ${used}`);
    const left = await page.evaluate(() => [count.listeners, count.timers.size, count.observers, document.querySelectorAll('iframe').length, Object.getOwnPropertySymbols(document.getElementById('card')).length]);
    assert.deepEqual(left, [0, 0, 0, 0, 0], `round ${round}`);
  }
});

/** Counts what the loader sets up and takes down after its script has run: listeners by `signal` as well. */
const COUNT = `
  window.count = { listeners: 0, timers: new Set(), observers: 0 };
  document.addEventListener('DOMContentLoaded', () => {
    const isOurs = () => Error().stack.includes('/card-widget.js');
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (isOurs()) {
        count.listeners += 1;
        if (options?.signal) add.call(options.signal, 'abort', () => { count.listeners -= 1; });
      }
      return add.call(this ?? window, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function (...rest) { if (isOurs()) count.listeners -= 1; return remove.apply(this ?? window, rest); };
    const { setTimeout: start, clearTimeout: stop } = window;
    window.setTimeout = (run, ...rest) => { const id = start((...values) => { count.timers.delete(id); run(...values); }, ...rest); if (isOurs()) count.timers.add(id); return id; };
    window.clearTimeout = (id) => { count.timers.delete(id); stop(id); };
    const { observe, disconnect } = MutationObserver.prototype;
    const watching = new Set();
    MutationObserver.prototype.observe = function (...rest) { if (isOurs()) watching.add(this); count.observers = watching.size; return observe.apply(this, rest); };
    MutationObserver.prototype.disconnect = function () { watching.delete(this); count.observers = watching.size; return disconnect.call(this); };
  });
`;

/** What one key may cost: one call of the module, as much layout as a bare input, no memory that grows. */
import assert from 'node:assert/strict';
import { FUTURE, MASTERCARD } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url, { without: {
  firefox: 'calls of a module and layouts can be counted in Chromium alone',
  webkit: 'calls of a module and layouts can be counted in Chromium alone',
} });
const { test } = world;

/**
 * Runs in every document before its scripts: every export of a module that is instantiated counts its calls, helpers
 * that only allocate included.
 */
function count() {
  const calls = [];
  const own = WebAssembly.Instance;
  const wrap = (instance) => {
    const exports = {};
    for (const [name, value] of Object.entries(instance.exports)) {
      exports[name] =
        typeof value === 'function'
          ? (...values) => {
              calls.push(name);
              return value(...values);
            }
          : value;
    }
    window.wasm = { calls, memory: exports.memory };
    return Object.create(own.prototype, { exports: { value: exports } });
  };
  WebAssembly.Instance = function Instance(module, imports) {
    return wrap(new own(module, imports));
  };
  WebAssembly.Instance.prototype = own.prototype;
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const make = WebAssembly[name];
    WebAssembly[name] = async (source, imports) => {
      const made = await make.call(WebAssembly, source, imports);
      return made instanceof own ? wrap(made) : { ...made, instance: wrap(made.instance) };
    };
  }
}

async function open() {
  const page = await world.visit();
  await page.playwright.context().addInitScript(count);
  await page.goto(`${world.shop.origin}/`);
  const form = await cardForm(page).ready();
  await form.waitFor(() => window.wasm.calls.length > 0);
  return form;
}

const calls = (form) => form.evaluate(() => window.wasm.calls.splice(0));

test('the counting counts', async () => {
  const form = await open();
  const first = await calls(form);
  assert.ok(new Set(first).size > 1, `${first}`);
});

test('one call for each key: digits, deletions, keys that mean nothing', async () => {
  const form = await open();
  // The build gives exports short names: which one edits is what a digit calls.
  let edit;
  for (const [field, keys] of [
    ['number', [...'42424', 'Backspace', '4', 'x', ' ', 'Home', 'Delete', '4', 'End', 'ArrowLeft', '2', 'Control+Backspace']],
    ['expiry', [...'122', 'Backspace', 'x']],
    ['code', [...'12', 'Backspace', 'x']],
  ]) {
    await form[field].focus();
    await calls(form);
    for (const key of keys) {
      await form.page.press(key);
      const made = await calls(form);
      assert.ok(made.length <= 1, `${field}, ${key}: ${made}`);
      if (/^\d$/.test(key)) assert.deepEqual(made, [(edit ??= made[0])], `${field}, ${key}`);
    }
  }
});

test('a key that completes a field moves on: that, and nothing else, costs three more', async () => {
  const form = await open();
  await form.expiry.type('122');
  const edit = (await calls(form)).at(-1);
  await form.page.press('9');
  assert.equal(await form.focused(), 'code');
  const [first, ...others] = await calls(form);
  assert.equal(first, edit);
  assert.deepEqual(others, Array(3).fill(others[0]), 'change, left, entered');
  assert.notEqual(others[0], edit);
});

test('one call for a paste, one for a cut, one for an undo', async () => {
  const form = await open();
  await form.number.focus();
  await form.page.copy('4242-4242-42');
  await calls(form);
  for (const key of ['Control+v', 'Control+a', 'Control+x', 'Control+z', 'Control+Shift+z', 'Control+z']) {
    await form.page.press(key);
    const made = await calls(form);
    assert.ok(made.length <= 1, `${key}: ${made}`);
  }
  assert.equal(await form.number.value(), '4242 4242 42');
});

/** Layouts and style calculations for each key that is typed into a field of a frame. */
async function work(page, session, text) {
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (name) => metrics.find((metric) => metric.name === name).value;
    return { layouts: value('LayoutCount'), styles: value('RecalcStyleCount') };
  };
  const rows = [];
  for (const character of text) {
    const before = await read();
    await page.type(character);
    // What the key has left to be done is done with the next frames.
    await session.send('Runtime.evaluate', {
      expression: 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
      awaitPromise: true,
    });
    const after = await read();
    rows.push({ layouts: after.layouts - before.layouts, styles: after.styles - before.styles });
  }
  return rows;
}

test('layout and style of a key are those of a bare input; where the brand shows, one more', async (t) => {
  const form = await open();
  const session = await form.page.frameProtocol(form.frame);
  await session.send('Performance.enable');
  // A bare input in the same document, with the same style and neighbours, whose events nobody hears.
  await form.evaluate(() => {
    const bare = document.querySelector('#number').cloneNode();
    bare.id = 'bare';
    bare.removeAttribute('aria-describedby');
    for (const type of ['beforeinput', 'input', 'change', 'focusin', 'focusout']) bare.addEventListener(type, (event) => event.stopPropagation());
    document.querySelector('#code').closest('.box').append(bare);
  });
  const { page } = form;
  const box = await page.box('#bare', form.frame);
  await page.click({ x: box.x + box.width - 14, y: box.y + box.height / 2 });
  const bare = await work(page, session, UNKNOWN);
  assert.equal(await form.evaluate(() => document.querySelector('#bare').value), UNKNOWN);
  await form.number.focus();
  const ours = await work(page, session, UNKNOWN);
  assert.equal(await form.number.value(), '7234 5678 1234 5');
  await form.number.press('Control+a', 'Backspace');
  const branded = await work(page, session, '4242');
  t.diagnostic(`layouts and style calculations for each key, bare: ${bare.map(said)}; formatted: ${ours.map(said)}; with a brand: ${branded.map(said)}`);
  for (const [index, { layouts, styles }] of ours.entries()) {
    assert.ok(layouts <= bare[index].layouts && styles <= bare[index].styles, `key ${index + 1}`);
  }
  for (const { layouts, styles } of branded) assert.ok(layouts <= 2 && styles <= 2, `${branded.map(said)}`);
});

/** Digits of no brand. */
const UNKNOWN = '7234567812345';

const said = ({ layouts, styles }) => `${layouts}+${styles}`;

test('five hundred keys take no memory', async () => {
  const form = await open();
  const size = () => form.evaluate(() => window.wasm.memory.buffer.byteLength);
  await form.number.type('4242 4242');
  const before = await size();
  await form.number.focus();
  for (let round = 0; round < 25; round += 1) {
    // Digits, deletions and undo: more steps than a history holds.
    await form.page.press(...'424242', ...Array(4).fill('Backspace'), 'Home', '5', 'Delete', 'End', 'Control+z', 'Control+z', '7', 'Backspace', 'x', 'Control+z');
  }
  assert.equal(await size(), before);
  await form.number.press('Control+a', 'Backspace');
  await form.type({ number: MASTERCARD, expiry: FUTURE, code: '123' });
  assert.equal(await size(), before);
});

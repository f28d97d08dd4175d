/** docs/life-cycle.md: what each call does in each state, against the loader. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openWorld } from './world.js';

const world = openWorld();
const STATES = ['idle', 'loading', 'ready', 'refused', 'destroyed'];

/** What the cells of the page's first table say, as what is seen of the call. */
const MEANING = {
  nothing: { frame: 'as before', told: [] },
  'a fresh form': { frame: 'new', told: [] },
  'ends the waiting for `ready`': { frame: 'as before', told: [], start: 'closed' },
  'takes the form away': { frame: 'gone', told: [] },
  'takes the frame away': { frame: 'gone', told: [] },
  'for good': { frame: 'gone', told: [], over: true },
  'count for the next opening': { frame: 'as before', next: true },
  'reach the form when it works': { frame: 'as before', told: [], later: true },
  'change the form': { frame: 'as before', told: ['update'] },
  'wait for the form': { frame: 'as before', told: [], later: true },
  'at once': { frame: 'as before', told: 'itself' },
  'reject `not_open`': { frame: 'as before', told: [], code: 'not_open' },
  'reject with what ended it': { frame: 'as before', told: [], code: 'destroyed' },
};

const CALLS = {
  '`open()`': [['open']],
  '`close()`': [['close']],
  '`destroy()`': [['destroy']],
  '`update()`, `setLang()`': [['update', { amount: 7 }], ['setLang', 'uk']],
  '`focus()`, `clear()`': [['focus'], ['clear']],
  '`validate()`, `submit()`': [['validate'], ['submit']],
};

test('each call does in each state what the page says', async () => {
  const text = readFileSync(new URL('../../docs/life-cycle.md', import.meta.url), 'utf8');
  const rows = Object.fromEntries(text.split('\n').filter((line) => line.startsWith('| `')).map((line) => {
    const [name, ...cells] = line.split('|').slice(1, -1).map((cell) => cell.trim());
    return [name, cells];
  }));
  const page = await world.visit();
  await page.evaluate(DRIVE);
  for (const [name, calls] of Object.entries(CALLS)) {
    assert.equal(rows[name]?.length, STATES.length, name);
    for (const [method, argument] of calls) {
      for (const [index, state] of STATES.entries()) {
        const meant = MEANING[rows[name][index]];
        const what = `${method} in ${state}: ${rows[name][index]}`;
        assert.ok(meant, what);
        const seen = await page.evaluate(([state, method, argument]) => drive(state, method, argument), [state, method, argument]);
        const hasFrame = ['loading', 'ready', 'refused'].includes(state);
        assert.equal(seen.frame, meant.frame === 'gone' && !hasFrame ? 'as before' : meant.frame, what);
        if (meant.told) assert.deepEqual(seen.told, meant.told === 'itself' ? [method] : meant.told, what);
        assert.equal(seen.code, meant.code ?? null, what);
        if (meant.start) assert.equal(seen.start, meant.start, what);
        if (meant.over) assert.equal(seen.again, 'none', what);
        if (meant.later) assert.deepEqual(seen.later, [['update', 'setLang'].includes(method) ? 'update' : method], what);
        if (meant.next) assert.ok(method === 'update' ? seen.next.includes('7') : seen.next.includes('uk'), `${what}: ${seen.next}`);
      }
    }
  }
  assert.deepEqual(page.errors, []);
});

/** Brings a widget into a state, makes one call, and says what came of it. Messages are seen as the loader sends them. */
const DRIVE = `
window.sent = new Map();
{
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (!sent.has(this)) sent.set(this, []);
    sent.get(this).push(message);
    return postMessage.call(this, message, ...rest);
  };
}
window.drive = async (state, method, argument) => {
  const host = document.body.appendChild(document.createElement('div'));
  const all = () => [...sent.values()].flat();
  const key = { refused: 'wk_refused', loading: 'wk_silent' }[state] ?? 'wk_test';
  const widget = CardWidget.init(params({ key, selector: host, lang: 'en' }));
  const find = () => host.querySelector('iframe');
  const greeting = widget.ready;
  const open = async () => { widget.open(); await new Promise((resolve) => find().addEventListener('load', resolve)); };
  if (state === 'loading') widget.open();
  else if (state !== 'idle') { await open(); await widget.ready.catch(() => {}); }
  if (state === 'destroyed') widget.destroy();
  const frame = find();
  const before = all().length;
  const result = widget[method](argument);
  const seen = { told: all().slice(before).map(({ type }) => type), frame: find() === frame ? 'as before' : find() ? 'new' : 'gone' };
  const quick = new Promise((resolve) => setTimeout(resolve, 5, null));
  seen.code = result?.catch ? await Promise.race([result.catch((error) => error.code), quick]) : null;
  seen.start = state === 'idle' && method === 'close' ? await greeting.catch((error) => error.code) : null;
  if (state === 'loading' && find() === frame) {
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    seen.later = all().slice(before).map(({ type }) => type).filter((type) => type !== 'init');
  }
  if (method === 'update' || method === 'setLang') {
    widget.close();
    if (state !== 'destroyed') { await open(); seen.next = JSON.stringify(all().at(-1)); }
  }
  if (method === 'destroy') { widget.open(); seen.again = find() ? 'frame' : 'none'; }
  widget.destroy();
  host.remove();
  return seen;
};
`;

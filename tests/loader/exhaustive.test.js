/** Every event in every state, by the table of `www/loader/life.js` and by the loader itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LIFE, STATES, step } from '../../www/loader/life.js';
import { openWorld } from './world.js';

const world = openWorld();
const EVENTS = Object.keys(LIFE);
const EFFECTS = ['show', 'hide', 'connect', 'heard', 'work', 'calm', 'drop', 'settle', 'fail', 'end', 'release'];
const page = readFileSync(new URL('../../docs/life-cycle.md', import.meta.url), 'utf8');
const pairs = EVENTS.flatMap((event) => STATES.map((state) => [state, event]));

test('the table has a cell for every event in every state, of known states and effects', () => {
  for (const event of EVENTS) assert.equal(LIFE[event].length, STATES.length, event);
  for (const [state, event] of pairs) {
    const [next, ...effects] = step(state, event);
    assert.ok(STATES.includes(next), `${state}, ${event}: ${next}`);
    for (const effect of effects) assert.ok(EFFECTS.includes(effect), `${state}, ${event}: ${effect}`);
    assert.equal(new Set(effects).size, effects.length, `${state}, ${event}: twice the same`);
    if (next !== state) assert.ok(effects.length, `${state}, ${event}: a change that nobody notices`);
  }
});

test('every state is reached, every effect used, and nothing comes after the end', () => {
  const reached = new Set(['idle']);
  for (const state of reached) for (const event of EVENTS) reached.add(step(state, event)[0]);
  assert.deepEqual([...reached].sort(), [...STATES].sort());
  const used = new Set(pairs.flatMap(([state, event]) => step(state, event).slice(1)));
  assert.deepEqual([...used].sort(), [...EFFECTS].sort());
  for (const event of EVENTS) assert.deepEqual(step('destroyed', event), ['destroyed'], event);
});

test('what holds for the whole table', () => {
  for (const [state, event] of pairs) {
    const [next, ...effects] = step(state, event);
    const what = `${state}, ${event}: ${effects}`;
    const has = (effect) => effects.includes(effect);
    const framed = (name) => ['loading', 'ready', 'refused'].includes(name);
    // A frame comes by `show` alone and goes by `hide` alone.
    assert.equal(has('show') || (framed(state) && !has('hide')), framed(next), what);
    // Who leaves an opening that has not failed is told so, by one word: `fail` or `end`.
    const left = ['loading', 'ready'].includes(state) && !['loading', 'ready'].includes(next);
    assert.equal(has('fail') || has('end'), left || event === 'nowhere' && effects.length > 0, what);
    assert.ok(!(has('fail') && has('end')), what);
    // What the page is told comes last, as its handlers may call the widget again; `release` would take the handlers away.
    const told = effects.findIndex((effect) => ['fail', 'end', 'work'].includes(effect));
    if (told >= 0) assert.ok(effects.slice(told + 1).every((effect) => effect === 'release'), what);
    // Nothing is waited for where there is nobody to answer.
    if (['idle', 'refused', 'destroyed'].includes(next) && next !== state) assert.ok(has('settle') || has('fail'), what);
    if (next === 'destroyed' && state !== next) assert.ok(has('hide') && has('release'), what);
  }
});

test('docs/life-cycle.md shows the same table, and says a word on each state, event and effect', () => {
  const rows = tables(page).find(([head]) => head[0] === 'Event');
  assert.deepEqual(rows[0].slice(1), STATES.map((state) => `\`${state}\``));
  const shown = Object.fromEntries(rows.slice(1).map(([event, ...cells]) => [event.replaceAll('`', ''), cells]));
  assert.deepEqual(Object.keys(shown), EVENTS);
  for (const event of EVENTS) {
    const cells = LIFE[event].map((cell) => {
      const [next, ...effects] = cell.split(' ');
      return cell ? `**${next}** ${effects.join(', ')}` : '–';
    });
    assert.deepEqual(shown[event], cells, event);
  }
  const explained = tables(page).flatMap((table) => table.slice(1).map(([name]) => name));
  for (const name of [...STATES, ...EVENTS, ...EFFECTS]) assert.ok(explained.includes(`\`${name}\``), `${name} is explained nowhere`);
});

test('the loader does what the table says: every event in every state', async () => {
  const page = await world.visit({ body: `<script>${CAPTURE}</script><script src="${world.service.origin}/widget/v1/card-widget.js"></script>` });
  await page.evaluate(DRIVE);
  const wrong = [];
  // What takes seconds runs side by side.
  const slow = ['unreachable', 'deadline'];
  for (const event of EVENTS.filter((event) => !slow.includes(event))) {
    for (const state of STATES) wrong.push(...compare(state, event, await page.evaluate(([state, event]) => drive(state, event), [state, event])));
  }
  for (const event of slow) {
    world.deaf = event === 'unreachable';
    const seen = await page.evaluate(([states, event]) => Promise.all(states.map((state) => drive(state, event))), [STATES, event]);
    world.deaf = false;
    STATES.forEach((state, index) => wrong.push(...compare(state, event, seen[index])));
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(page.errors, []);
});

/** What differs between the table and what was seen, in words. */
function compare(state, event, seen) {
  const [next, ...effects] = step(state, event);
  const has = (effect) => effects.includes(effect);
  const open = ['loading', 'ready'].includes(state);
  const expected = {
    next,
    frame: has('show') ? 'new' : has('hide') ? 'none' : ['loading', 'ready', 'refused'].includes(state) ? 'same' : 'none',
    connected: has('connect'),
    ready: has('work') ? 1 : 0,
    errors: has('fail') ? 1 : 0,
    failures: has('fail') ? 1 : 0,
    closes: has('end') ? [event] : [],
    // A start that was waited for: it has worked, it has failed, it is still waited for.
    start: state === 'loading' ? (has('work') ? 'works' : has('fail') || has('settle') ? 'fails' : 'pending') : null,
    validate: open ? (event !== 'deadline' && (has('drop') || has('settle') || has('fail')) ? 'fails' : 'pending') : null,
    released: state === 'destroyed' || has('release') || event === 'replaced',
  };
  return Object.entries(expected)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(seen[name]))
    .map(([name, value]) => `${state}, ${event}: ${name} is ${JSON.stringify(seen[name])}, not ${JSON.stringify(value)}`);
}

/** The tables of a Markdown text: rows of cells. */
function tables(text) {
  return text.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .filter((lines) => lines.length > 2)
    .map(([head, , ...rows]) => [head, ...rows].map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())));
}

/** Keeps the loader's ports, so that a message can come late. */
const CAPTURE = `
  window.ports = [];
  const Channel = MessageChannel;
  window.MessageChannel = class extends Channel { constructor() { super(); ports.push(this.port1); } };
`;

/** Brings a widget of its own into a state, lets an event happen, and says what came of it. */
const DRIVE = `
window.until = async (isSo) => { while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5)); };
window.drive = async (state, event) => {
  const host = document.body.appendChild(document.createElement('div'));
  host.id = 'h' + Math.random().toString(36).slice(2);
  const seen = { ready: 0, errors: 0, failures: 0, closes: [] };
  const controller = new AbortController();
  // A document that loads in the place of the first says nothing.
  const key = ({ refused: 'wk_refused', loading: event === 'deadline' ? 'wk_silent' : 'wk_mute' }[state] ?? 'wk_test') + '_once_' + host.id;
  let stopped = false;
  const widget = CardWidget.init(params({
    key, selector: host.id, signal: controller.signal, timeout: event === 'deadline' ? 1500 : 60_000,
    onReady: () => { seen.ready += 1; }, onError: () => { seen.errors += 1; }, onClose: ({ reason }) => seen.closes.push(reason),
  }));
  document.addEventListener('widget-init-error', ({ detail }) => { if (detail.instance === widget.id && !stopped) seen.failures += 1; });
  const find = () => host.querySelector('iframe');
  const mine = () => ports.filter((port) => port.host === host);
  const opened = async () => {
    const before = ports.length;
    widget.open();
    const frame = find();
    // Side by side with others: the port that comes with this frame's load is this widget's.
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    ports.at(-1).host = host;
  };
  if (state === 'idle') await widget.ready;
  else await opened();
  if (state === 'refused') await until(() => seen.errors === 1);
  if (state === 'ready' || state === 'destroyed') await until(() => seen.ready === 1);
  if (state === 'destroyed') widget.destroy();
  const old = find() ?? document.createElement('iframe');
  const frame = find();
  const port = mine().at(-1);
  Object.assign(seen, { ready: 0, errors: 0, failures: 0, closes: [] });
  const settled = (promise) => { const is = { now: 'pending' }; promise.then(() => { is.now = 'works'; }, () => { is.now = 'fails'; }); return is; };
  const start = settled(widget.ready);
  const validate = settled(['loading', 'ready'].includes(state) && event !== 'deadline' ? widget.validate() : new Promise(() => {}));
  const count = ports.length;
  const say = (data) => port?.dispatchEvent(new MessageEvent('message', { data }));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  await {
    open: () => widget.open(),
    nowhere: async () => { const { id } = host; host.id = ''; widget.open(); await pause(20); host.id = id; },
    closed: () => widget.close(),
    destroyed: () => widget.destroy(),
    aborted: () => controller.abort(),
    removed: async () => { find()?.remove(); await pause(20); },
    replaced: () => { CardWidget.init(params({ selector: host })); },
    hidden: () => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })),
    restored: () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    load: async () => {
      if (!frame) return old.dispatchEvent(new Event('load'));
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(host);
      await loaded;
    },
    alive: () => say({ type: 'resize', height: 0 }),
    ready: () => say({ type: 'ready' }),
    refusal: () => say({ type: 'error', code: 'script_failed', message: '', retryable: true, actor: 'service', stage: 'attach', correlation_id: '' }),
    blocked: () => document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation',
      { effectiveDirective: 'frame-src', violatedDirective: 'frame-src', documentURI: '', blockedURI: new URL(frame?.src ?? location).origin, disposition: 'enforce', statusCode: 200, originalPolicy: '' })),
    unreachable: () => pause(1700),
    deadline: () => pause(1700),
  }[event]();
  await pause(5);

  seen.frame = !find() ? 'none' : find() === frame ? 'same' : 'new';
  seen.connected = event === 'load' && ports.length > count;
  seen.start = state === 'loading' ? start.now : null;
  seen.validate = ['loading', 'ready'].includes(state) ? validate.now : null;
  seen.released = host[Symbol.for('card-widget')] === undefined || event === 'replaced';
  // Which state it is now can be told by what else it does.
  stopped = true;
  const told = structuredClone(seen);
  const code = await Promise.race([widget.validate().catch((error) => error.code), pause(5).then(() => 'pending')]);
  if (code === 'not_open') seen.next = find() ? 'refused' : 'idle';
  else if (code !== 'pending') seen.next = 'destroyed';
  else seen.next = await Promise.race([widget.ready.then(() => 'ready'), pause(5).then(() => 'loading')]);
  widget.destroy();
  host.remove();
  return { ...told, next: seen.next };
};
`;

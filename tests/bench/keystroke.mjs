// @ts-check
/**
 * What a key costs in the number field: the widget beside a bare input, a formatter in plain JavaScript, and what a shop
 * would install instead, taking turns in one run.
 *
 * Each visit is a new page with a new frame of another site, as a person meets it: code that has never run. Real keys go
 * in through the browser's protocol, one every `PACE` milliseconds; the browser's trace tells what each cost
 * (`keystroke/trace.mjs`). Nothing is asserted about times; that a form took the digits is.
 *
 * `cargo xtask bench keystroke [--rounds N]`
 */
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Service } from '../stories/shared/service.mjs';
import { Browser } from './cdp.mjs';
import { inTime, load, median, quantile, say } from './figures.mjs';
import { FORMS, openForms } from './keystroke/forms.mjs';
import { CATEGORIES, MARK, keys } from './keystroke/trace.mjs';

const ROUNDS = Number(process.argv[2] ?? 10);
/** How many times slower the processor is made, for frame and shop alike. */
const SPEEDS = [1, 4];
/** Milliseconds from one key to the next: a quick typist's pace, and enough for all that a key sets off. */
const PACE = 60;

const WIDGET = 'the widget';
const BASE = 'plain JavaScript';
const NAMES = [...Object.keys(FORMS), WIDGET];

/** A public test number. Its groups are of one digit each, so that what is typed again is right with gaps and without. */
const NUMBER = '4444333322221111';

/** What is done, and under which heading it counts. Moves of the caret count under none. */
const STEPS = [
  ...[...NUMBER].map((key) => ({ key, part: 'typing' })),
  ...Array(6).fill({ key: 'ArrowLeft' }),
  ...['Backspace', 'Backspace', '2', '2'].map((key) => ({ key, part: 'in the middle' })),
  { key: 'End' },
  ...['Backspace', 'Backspace', 'Backspace', 'Backspace', ...'1111'].map((key) => ({ key, part: 'at the end' })),
];

/** Windows key codes of the keys that are no characters. @type {Record<string, number>} */
const CODES = { Backspace: 8, End: 35, ArrowLeft: 37 };

/**
 * @typedef {import('./keystroke/trace.mjs').Key & { part: string }} Pressed
 * @typedef {{ pressed: Pressed[], typed: string, edited: string }} Visit
 */

const service = /** @type {Service & { origin: string }} */ (await Service.open());
const shop = await openShop();
const frame = `${service.origin}/widget/v1/frame?key=wk_sandbox&lang=en&type=full_card&origin=${encodeURIComponent(shop.origin)}`;
const forms = await openForms(await (await fetch(frame)).text());
const browser = new Browser(process.env.CHROMIUM ?? '/usr/bin/chromium');
try {
  const { product } = await browser.send('Browser.getVersion');
  say(`${new Date().toISOString().slice(0, 10)}, ${product}, ${cpus().length} cores, Node ${process.versions.node}, load ${load()}`);
  for (const speed of SPEEDS) report(speed, await compare(speed));
  say(`\nload at the end ${load()}`);
} finally {
  await browser.close();
  shop.close();
  forms.close();
  await service.close();
}

/** Visits of all in turns, each round beginning with another; the first warms the browser up and is dropped. */
async function compare(/** @type {number} */ speed) {
  /** @type {Map<string, Visit[]>} */
  const visits = new Map(NAMES.map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (let turn = 0; turn < NAMES.length; turn += 1) {
      const name = NAMES[(round + turn) % NAMES.length];
      const visit = await type(name, speed);
      if (visit.typed !== NUMBER) throw new Error(`${name} did not take the digits`);
      if (round > 0) visits.get(name)?.push(visit);
    }
  }
  return visits;
}

/**
 * One visit: a page of the shop, its frame, and all keys.
 *
 * @param {string} name
 * @param {number} speed
 * @returns {Promise<Visit>}
 */
async function type(name, speed) {
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId: page } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  /** @type {(session: string) => void} */
  let found = () => {};
  const loaded = new Promise((resolve) => { found = resolve; });
  const deaf = browser.listen((method, params, session) => {
    if (method === 'Target.attachedToTarget' && session === page) {
      prepare(params.sessionId, speed)
        .then(() => browser.send('Runtime.runIfWaitingForDebugger', {}, params.sessionId))
        .catch(() => undefined);
    } else if (method === 'Page.loadEventFired' && session !== page) {
      found(session);
    }
  });
  try {
    await prepare(page, speed);
    await browser.send('Page.navigate', { url: `${shop.origin}/?name=${encodeURIComponent(name)}` }, page);
    const session = await inTime(loaded, 'the frame is not a process of its own, or did not load');
    await inTime(browser.evaluate('ready', page), 'the form did not start');
    await click(page, session);

    const value = () => browser.evaluate("document.getElementById('number').value.replace(/ /g, '')", session);
    let typed = '';
    const trace = await traced(async () => {
      await browser.evaluate(`console.timeStamp('${MARK}')`, page);
      for (const [index, { key }] of STEPS.entries()) {
        if (index === NUMBER.length) typed = await value();
        const next = sleep(PACE);
        await press(key, page);
        await next;
      }
    });
    const costs = keys(trace);
    if (costs.length !== STEPS.length) throw new Error(`${name}: ${STEPS.length} keys, ${costs.length} in the trace`);
    const pressed = costs.flatMap((cost, index) => (STEPS[index].part ? [{ ...cost, part: STEPS[index].part }] : []));
    return { pressed, typed, edited: await value() };
  } finally {
    deaf();
    await browser.send('Target.disposeBrowserContext', { browserContextId });
  }
}

/** Before a process runs anything: its speed, and that its frames wait for theirs. */
async function prepare(/** @type {string} */ session, /** @type {number} */ speed) {
  await Promise.all([
    browser.send('Page.enable', {}, session),
    browser.send('Emulation.setCPUThrottlingRate', { rate: speed }, session),
    browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session),
  ]);
}

/** Into the number field, as a person does. @param {string} page @param {string} session */
async function click(page, session) {
  const box = (/** @type {string} */ element) =>
    `(({ x, y, width, height }) => [x, y, width, height])(${element}.getBoundingClientRect())`;
  const [left, top] = await browser.evaluate(box("document.querySelector('iframe')"), page);
  const [x, y, width, height] = await browser.evaluate(box("document.getElementById('number')"), session);
  const at = { x: left + x + width / 2, y: top + y + height / 2, button: 'left', clickCount: 1 };
  const clicked = async () => {
    // A click that comes before the frame's first picture goes to the page around it: until one arrives.
    while (!(await browser.evaluate("document.hasFocus() && document.activeElement.id === 'number'", session))) {
      for (const type of ['mousePressed', 'mouseReleased']) await browser.send('Input.dispatchMouseEvent', { type, ...at }, page);
      await browser.evaluate('new Promise(requestAnimationFrame)', session);
    }
  };
  await inTime(clicked(), 'the field did not take the focus');
}

/** A key down and up; done when the page has handled both. @param {string} key @param {string} page */
async function press(key, page) {
  const digit = key.length === 1;
  const common = { key, code: digit ? `Digit${key}` : key, windowsVirtualKeyCode: CODES[key] ?? key.charCodeAt(0) };
  await browser.send('Input.dispatchKeyEvent', { type: digit ? 'keyDown' : 'rawKeyDown', ...common, ...(digit && { text: key }) }, page);
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }, page);
}

/** The browser's trace of what `run` does. @param {() => Promise<void>} run */
async function traced(run) {
  /** @type {any[]} */
  const events = [];
  /** @type {(value?: unknown) => void} */
  let finish = () => {};
  const complete = new Promise((resolve) => { finish = resolve; });
  const deaf = browser.listen((method, params) => {
    if (method === 'Tracing.dataCollected') events.push(...params.value);
    if (method === 'Tracing.tracingComplete') finish();
  });
  try {
    await browser.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: CATEGORIES } });
    await run();
    await browser.send('Tracing.end');
    await inTime(complete, 'the trace did not end');
    return events;
  } finally {
    deaf();
  }
}

/** @param {number} speed @param {Map<string, Visit[]>} visits */
function report(speed, visits) {
  const pressed = (/** @type {string} */ name) => (visits.get(name) ?? []).flatMap((visit) => visit.pressed);
  const base = pressed(BASE);
  say(`\nCPU ${speed === 1 ? 'as it is' : `${speed}x slower`}, ${ROUNDS} visits each, ${base.length} keys; medians in µs, in brackets the ratio to ${BASE}`);
  say(`${''.padEnd(30)} ${'events'.padStart(14)} ${'whole key'.padStart(14)} ${'quartiles'.padStart(14)} ${'typing'.padStart(14)} ${'in the middle'.padStart(14)} ${'at the end'.padStart(14)}`);
  for (const name of NAMES) {
    const own = pressed(name);
    /** @type {(pick: (key: Pressed) => number, part?: string) => string} */
    const cell = (pick, part) => {
      const of = (/** @type {Pressed[]} */ keys) => median(keys.filter((key) => !part || key.part === part).map(pick));
      return `${of(own).toFixed(0)} (${(of(own) / of(base)).toFixed(2)})`.padStart(14);
    };
    const wholes = own.map(({ whole }) => whole);
    const quartiles = `${quantile(wholes, 0.25).toFixed(0)}..${quantile(wholes, 0.75).toFixed(0)}`.padStart(14);
    const parts = ['typing', 'in the middle', 'at the end'].map((part) => cell(({ whole }) => whole, part)).join(' ');
    say(`${name.padEnd(30)} ${cell(({ event }) => event)} ${cell(({ whole }) => whole)} ${quartiles} ${parts}`);
  }
  const kinds = ['events', 'script', 'style', 'layout', 'paint', 'idle', 'collector', 'other'];
  say(`\nwhere the frame's time goes, mean µs per key\n${''.padEnd(30)} ${kinds.map((kind) => kind.padStart(9)).join(' ')}`);
  for (const name of NAMES) {
    const own = pressed(name);
    const means = kinds.map((kind) => own.reduce((total, { parts }) => total + (parts[kind] ?? 0), 0) / own.length);
    say(`${name.padEnd(30)} ${means.map((mean) => mean.toFixed(0).padStart(9)).join(' ')}`);
  }
  for (const name of NAMES) {
    const wrong = (visits.get(name) ?? []).filter(({ edited }) => edited !== NUMBER).length;
    if (wrong) say(`${name}: after editing, ${wrong} of ${ROUNDS} visits ended with other digits than were typed`);
  }
}

/** The shop's page: with the widget, or with a frame of one of the forms. */
async function openShop() {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://shop').searchParams.get('name') ?? '';
    const form = `${forms.origin}/?name=${encodeURIComponent(name)}`;
    const content =
      name === WIDGET
        ? `<div id="card"></div>
<script>
const ready = new Promise((resolve) => document.addEventListener('widget-init-ready', resolve));
function __onWidgetReady() { CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', lang: 'en', onToken() {} }).open(); }
</script>
<script async src="${service.origin}/widget/v1/card-widget.js"></script>`
        : `<script>const ready = true;</script><iframe src="${form}" style="width: 100%; height: 330px; border: 0"></iframe>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Shop</title>${content}</html>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    // Another site than the `localhost` of service and forms.
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

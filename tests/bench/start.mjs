// @ts-check
/**
 * How long until a card can be typed: the widget beside the floor of `floor.mjs`, taking turns in one run.
 *
 * A visit is cold where its browser context, and so cache and connections, is new; the next one in the same context is
 * warm. All times count from the moment the shop's page asks for the script. Nothing is asserted: a machine's load
 * decides too much.
 *
 * `cargo xtask bench start [--rounds N]`; the variable `VARIANTS` names what is measured: `floor`, `widget`, `pinned`
 * (the address with a version, and `integrity`), and the changes of `variants.mjs`; `CONDITION=slow` leaves the other out.
 */
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { Service } from '../stories/shared/service.mjs';
import { Browser } from './cdp.mjs';
import { load, median, quantile, say } from './figures.mjs';
import { openFloor } from './floor.mjs';
import { CHANGES, openVariant, pinned } from './variants.mjs';
import { roundTrips, visit } from './visit.mjs';

/**
 * @typedef {import('./visit.mjs').Visit} Visit
 * @typedef {import('./visit.mjs').Fetched} Fetched
 * @typedef {{ [name: string]: Record<'cold' | 'warm', Visit[]> }} Results Of one condition.
 */

const ROUNDS = Number(process.argv[2] ?? 15);
/** The floor comes first: all ratios are to it. */
const NAMES = [...new Set(['floor', ...(process.env.VARIANTS ?? 'widget,inlined').split(',')])];
const VISITS = /** @type {const} */ (['cold', 'warm']);

/** Of the throttled run, to the floor's typable; the one that is steady enough to hold to. */
const TARGETS = { typable: 1.05, ready: 1.65 };

/**
 * "Slow 4G" with the figures of Chromium's own tools: latency per request in milliseconds, bytes per second.
 *
 * @type {import('./visit.mjs').Condition[]}
 */
const CONDITIONS = [
  ...(process.env.CONDITION === 'slow' ? [] : [{ name: 'no throttling', cpu: 1 }]),
  {
    name: 'CPU 4x slower, slow 4G',
    cpu: 4,
    network: { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 },
  },
];

const service = /** @type {Service & { origin: string }} */ (await Service.open());
const servers = new Map();
for (const name of NAMES) servers.set(name, await open(name));
const shop = await openShop();
const browser = new Browser(process.env.CHROMIUM ?? '/usr/bin/chromium');
try {
  const { product } = await browser.send('Browser.getVersion');
  say(`${new Date().toISOString().slice(0, 10)}, ${product}, ${cpus().length} cores, Node ${process.versions.node}, load ${load()}`);
  /** @type {Results[]} */
  const results = [];
  for (const condition of CONDITIONS) {
    results.push(await compare(condition));
    report(condition, /** @type {Results} */ (results.at(-1)));
  }
  say(`\nload at the end ${load()}`);
  tables(results);
} finally {
  await browser.close();
  shop.close();
  for (const server of servers.values()) server.close();
  await service.close();
}

/**
 * Visits to all in turns, each round beginning with another one; the first round warms the browser up and is dropped.
 *
 * @param {import('./visit.mjs').Condition} condition
 */
async function compare(condition) {
  /** @type {Results} */
  const visits = Object.fromEntries(NAMES.map((name) => [name, { cold: [], warm: [] }]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (let turn = 0; turn < NAMES.length; turn++) {
      const name = NAMES[(round + turn) % NAMES.length];
      const target = { page: `${shop.origin}/${name}`, origin: servers.get(name).origin, tellsReady: name !== 'floor' };
      const { browserContextId } = await browser.send('Target.createBrowserContext');
      for (const which of VISITS) {
        const measured = await visit(browser, browserContextId, target, condition);
        if (round > 0) visits[name][which].push(measured);
      }
      await browser.send('Target.disposeBrowserContext', { browserContextId });
    }
  }
  return visits;
}

/** @param {import('./visit.mjs').Condition} condition @param {Results} visits */
function report(condition, visits) {
  for (const which of VISITS) {
    const base = median(visits.floor[which].map(({ typable }) => typable));
    /** @type {(name: string, times: number[], target?: number) => void} */
    const row = (name, times, target) => {
      const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(times, part));
      const ratio = middle / base;
      const verdict = target && condition.network && which === 'cold' ? ` ${ratio.toFixed(2) <= target.toFixed(2) ? 'within' : 'OVER'} ${target}` : '';
      say(`${name.padEnd(30)} ${middle.toFixed(0).padStart(6)} ms ${`${low.toFixed(0)}..${high.toFixed(0)}`.padStart(12)} ${ratio.toFixed(2).padStart(7)}${verdict}`);
    };
    say(`\n${condition.name}, ${which}, ${visits.floor[which].length} visits each`);
    say(`${''.padEnd(30)} ${'median'.padStart(9)} ${'quartiles'.padStart(12)} ${'ratio'.padStart(7)}`);
    for (const name of NAMES) {
      const all = visits[name][which];
      const isOurs = name === 'widget';
      row(`${name}, typable`, all.map(({ typable }) => typable), isOurs ? TARGETS.typable : undefined);
      if (name !== 'floor') row(`${name}, ready`, all.map(({ ready }) => ready ?? NaN), isOurs ? TARGETS.ready : undefined);
    }
    // Without latency the files of the next step are there before anything is painted, and tell nothing.
    if (!condition.network) continue;
    for (const name of NAMES) {
      const all = visits[name][which];
      traffic(`${name}, until typable`, all.map(({ fetched, typable }) => fetched.filter(({ end }) => end <= typable)));
      if (name !== 'floor') traffic(`${name}, in all`, all.map(({ fetched }) => fetched));
    }
  }
  proof(Object.values(visits).flatMap(({ cold, warm }) => [...cold, ...warm]));
}

/** @param {string} name @param {import('./visit.mjs').Fetched[][]} visits */
function traffic(name, visits) {
  const bytes = (/** @type {import('./visit.mjs').Fetched[]} */ fetched) => fetched.reduce((sum, one) => sum + one.bytes, 0);
  const requests = median(visits.map((fetched) => fetched.length));
  say(`${name.padEnd(30)} ${requests} requests, ${median(visits.map(roundTrips))} serial round trips, ${median(visits.map(bytes)).toFixed(0)} bytes on the wire`);
}

/** Whether the throttling held, in both processes and for each request, the frame's own page among them. @param {Visit[]} visits */
function proof(visits) {
  const ms = (/** @type {number} */ time) => `${time.toFixed(0)} ms`;
  const heads = visits.flatMap(({ fetched }) => fetched.map(({ start, first }) => first - start));
  const begins = visits.map(({ begin }) => begin);
  const work = (/** @type {'shop' | 'frame'} */ where) => ms(median(visits.map(({ work }) => work[where])));
  say(`the same work took ${work('shop')} in the shop's process, ${work('frame')} in the frame's`);
  say(`no answer began before ${ms(Math.min(...heads))}; navigation of the frame ${ms(Math.min(...begins))} to ${ms(Math.max(...begins))} after its element, by two clocks`);
}

/** The same as rows for `docs/performance.md`: cold and warm of each condition; then the traffic of the last one. @param {Results[]} results */
function tables(results) {
  const times = (/** @type {Visit[]} */ visits, /** @type {'typable' | 'ready'} */ what) => median(visits.map((visit) => visit[what] ?? NaN));
  /** @type {(name: string, cell: (visits: Results, which: 'cold' | 'warm') => string) => void} */
  const row = (name, cell) => say(`| ${[name, ...results.flatMap((visits) => VISITS.map((which) => cell(visits, which)))].join(' | ')} |`);
  say('');
  for (const name of NAMES) {
    for (const what of /** @type {const} */ (['typable', 'ready'])) {
      if (name === 'floor' && what === 'ready') continue;
      row(`${name}, ${what}`, (visits, which) => {
        const time = times(visits[name][which], what);
        return `${Math.round(time).toLocaleString('en')} ms (${(time / times(visits.floor[which], 'typable')).toFixed(2)})`;
      });
    }
  }
  say('');
  for (const name of NAMES) {
    for (const part of ['until typable', 'in all']) {
      const of = (/** @type {Visit} */ { fetched, typable }) => (part === 'in all' ? fetched : fetched.filter(({ end }) => end <= typable));
      const counts = [(/** @type {Fetched[]} */ all) => all.length, roundTrips, (/** @type {Fetched[]} */ all) => all.reduce((sum, { bytes }) => sum + bytes, 0)];
      const last = /** @type {Results} */ (results.at(-1));
      const cells = counts.map((count) => VISITS.map((which) => Math.round(median(last[name][which].map((visit) => count(of(visit))))).toLocaleString('en')));
      say(`| ${[`${name}, ${part}`, ...cells.flat()].join(' | ')} |`);
    }
  }
}

/** Where the frame of a variant comes from. @param {string} name @returns {Promise<{ origin: string, close(): void }>} */
async function open(name) {
  if (name === 'floor') return openFloor();
  if (name === 'widget' || name === 'pinned') return { origin: service.origin, close() {} };
  if (!CHANGES[name]) throw new Error(`"${name}" is not one of floor, widget, pinned, ${Object.keys(CHANGES).join(', ')}`);
  return openVariant(service.origin, CHANGES[name]);
}

/** A page for each, with one external script, as a shop would have them. */
async function openShop() {
  const { path, integrity } = await pinned(service.origin);
  const page = (/** @type {string} */ name) => {
    const { origin } = servers.get(name);
    const scripts =
      name === 'floor'
        ? `<script async src="${origin}/widget/v1/floor.js"></script>`
        : `<script>function __onWidgetReady() { CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', lang: 'en', onToken() {} }).open(); }</script>
<script async src="${origin}${name === 'pinned' ? `${path}" integrity="${integrity}" crossorigin` : '/widget/v1/card-widget.js"'}></script>`;
    return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Shop</title><div id="card"></div>\n${scripts}</html>`;
  };
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(page((request.url ?? '/').slice(1)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    // Another site than the service's `localhost`.
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

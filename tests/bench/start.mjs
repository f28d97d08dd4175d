// @ts-check
/**
 * How long until a card can be typed: the widget beside the floor of `floor.mjs`, taking turns in one run.
 *
 * Both are loaded cold: each load has a browser context, and so a cache and connections, of its own. All times count
 * from the moment the shop's page asks for the script. Nothing is asserted: a machine's load decides too much.
 *
 * `cargo xtask bench start [--rounds N]`
 */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Service } from '../stories/shared/service.mjs';
import { Browser } from './cdp.mjs';
import { openFloor } from './floor.mjs';

const PROBE = readFileSync(new URL('./probe.js', import.meta.url), 'utf8');
const ROUNDS = Number(process.argv[2] ?? 15);
/** A load that takes longer than this is a fault, in milliseconds. */
const TIME_LIMIT = 60_000;

/**
 * "Slow 4G" with the figures of Chromium's own tools: latency per request in milliseconds, bytes per second.
 *
 * @typedef {{ name: string, cpu: number, network?: { latency: number, downloadThroughput: number, uploadThroughput: number } }} Condition
 * @type {Condition[]}
 */
const CONDITIONS = [
  { name: 'no throttling', cpu: 1 },
  {
    name: 'CPU 4x slower, slow 4G',
    cpu: 4,
    network: { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 },
  },
];

/**
 * One load. Times in milliseconds from the start of the script's request.
 *
 * @typedef {object} Load
 * @property {number} typable
 * @property {number | undefined} ready `widget-init-ready`; the floor has none.
 * @property {number} begin From the frame's element to the start of the frame's clock: never negative while the clocks
 *   of the two processes agree.
 * @property {Record<'shop' | 'frame', number>} work Milliseconds for the same work in either process.
 * @property {Fetched[]} fetched What came from the service, or the floor's server.
 *
 * @typedef {object} Fetched
 * @property {string} path
 * @property {number} start
 * @property {number} first When the head of the answer was there.
 * @property {number} end
 * @property {number} bytes On the wire, heads included.
 */

const service = /** @type {Service & { origin: string }} */ (await Service.open());
const floor = await openFloor();
const shop = await openShop();
const browser = new Browser(process.env.CHROMIUM ?? '/usr/bin/chromium');
try {
  const { product } = await browser.send('Browser.getVersion');
  say(`${new Date().toISOString().slice(0, 10)}, ${product}, ${cpus().length} cores, Node ${process.versions.node}, load ${load()}`);
  for (const condition of CONDITIONS) report(condition, await compare(condition));
  say(`load at the end ${load()}`);
} finally {
  await browser.close();
  shop.close();
  floor.close();
  await service.close();
}

/** Alternating loads of both, the order changing each round; the first round warms the browser up and is dropped. */
async function compare(/** @type {Condition} */ condition) {
  const loads = { widget: /** @type {Load[]} */ ([]), floor: /** @type {Load[]} */ ([]) };
  for (let round = 0; round <= ROUNDS; round++) {
    const order = /** @type {('widget' | 'floor')[]} */ (round % 2 ? ['widget', 'floor'] : ['floor', 'widget']);
    for (const which of order) {
      const measured = await measure(which, condition);
      if (round > 0) loads[which].push(measured);
    }
  }
  return loads;
}

/**
 * @param {'widget' | 'floor'} which
 * @param {Condition} condition
 * @returns {Promise<Load>}
 */
async function measure(which, condition) {
  const origin = which === 'widget' ? service.origin : floor.origin;
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId: page } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  /** @type {Map<string, Partial<Fetched> & { url: string }>} */
  const requests = new Map();
  /** @type {(session: string) => void} */
  let found = () => {};
  const frame = new Promise((resolve) => { found = resolve; });

  const deaf = browser.listen((method, params, session) => {
    if (method === 'Target.attachedToTarget' && session === page) {
      if (params.targetInfo.type === 'iframe') {
        prepare(params.sessionId, condition)
          .then(() => browser.send('Runtime.runIfWaitingForDebugger', {}, params.sessionId))
          .catch(() => undefined);
      } else {
        browser.send('Runtime.runIfWaitingForDebugger', {}, params.sessionId).catch(() => undefined);
      }
    } else if (method === 'Page.loadEventFired' && session !== page) {
      found(session);
    } else if (method.startsWith('Network.')) {
      keep(requests, method, params);
    }
  });
  try {
    await prepare(page, condition);
    await browser.send('Page.navigate', { url: `${shop.origin}/${which}` }, page);
    const session = await inTime(frame, 'the frame is not a process of its own, or did not load');
    const typableAt = await inTime(browser.evaluate('cardWidgetBench.typable', session), 'the form was not painted');
    const readyAt =
      which === 'widget' ? await inTime(browser.evaluate('cardWidgetBench.ready', page), 'the widget did not start') : undefined;

    const [scriptAt, frameAt] = await browser.evaluate(
      `['script', 'iframe'].map((kind) => performance.timeOrigin +
        performance.getEntriesByType('resource').find((entry) => entry.initiatorType === kind).startTime)`,
      page,
    );
    const frameOrigin = await browser.evaluate('performance.timeOrigin', session);
    const work = {
      shop: await browser.evaluate('cardWidgetBench.work()', page),
      frame: await browser.evaluate('cardWidgetBench.work()', session),
    };
    return {
      typable: typableAt - scriptAt,
      ready: readyAt && readyAt - scriptAt,
      begin: frameOrigin - frameAt,
      work,
      fetched: from(origin, requests),
    };
  } finally {
    deaf();
    await browser.send('Target.disposeBrowserContext', { browserContextId });
  }
}

/** What must hold in a process before it runs anything of ours: throttling, the probe, and the same for its frames. */
async function prepare(/** @type {string} */ session, /** @type {Condition} */ { cpu, network }) {
  /** @type {[string, Record<string, any>][]} */
  const commands = [
    ['Network.enable', {}],
    ['Page.enable', {}],
    ['Page.addScriptToEvaluateOnNewDocument', { source: PROBE }],
    ['Emulation.setCPUThrottlingRate', { rate: cpu }],
    ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }],
  ];
  if (network) commands.push(['Network.emulateNetworkConditions', { offline: false, ...network }]);
  await Promise.all(commands.map(([method, params]) => browser.send(method, params, session)));
}

/**
 * @param {Map<string, Partial<Fetched> & { url: string }>} requests
 * @param {string} method
 * @param {Record<string, any>} params
 */
function keep(requests, method, { requestId, timestamp, request, encodedDataLength }) {
  if (method === 'Network.requestWillBeSent') {
    // A navigation may be told in both processes; the first to tell it knows when it began.
    if (!requests.has(requestId)) requests.set(requestId, { url: request.url, start: timestamp * 1000 });
    return;
  }
  const known = requests.get(requestId);
  if (!known) return;
  if (method === 'Network.responseReceived') known.first ??= timestamp * 1000;
  if (method === 'Network.loadingFinished') Object.assign(known, { end: timestamp * 1000, bytes: encodedDataLength });
}

/**
 * What came from one origin, in the order of its start, counted from the first.
 *
 * @param {string} origin
 * @param {Map<string, Partial<Fetched> & { url: string }>} requests
 * @returns {Fetched[]}
 */
function from(origin, requests) {
  const all = [...requests.values()]
    .filter(({ url }) => url.startsWith(origin + '/'))
    .map(({ url, start = NaN, first = NaN, end = NaN, bytes = NaN }) => ({ path: new URL(url).pathname, start, first, end, bytes }))
    .sort((a, b) => a.start - b.start);
  for (const { path, start, first, end, bytes } of all) {
    if (Number.isNaN(start + first + end + bytes)) throw new Error(`${path} was not seen to its end`);
  }
  const zero = all[0].start;
  return all.map((one) => ({ ...one, start: one.start - zero, first: one.first - zero, end: one.end - zero }));
}

/** Requests one after the other: each stands behind those that had ended when it began. @param {Fetched[]} fetched */
function roundTrips(fetched) {
  /** @type {number[]} */
  const depth = [];
  fetched.forEach((one, index) => {
    depth[index] = 1 + Math.max(0, ...fetched.slice(0, index).map((other, at) => (other.end <= one.start ? depth[at] : 0)));
  });
  return Math.max(...depth);
}

/** @param {Condition} condition @param {{ widget: Load[], floor: Load[] }} loads */
function report(condition, { widget, floor }) {
  const base = median(floor.map((load) => load.typable));
  /** @type {(name: string, times: number[]) => void} */
  const row = (name, times) => {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(times, part));
    say(`${name.padEnd(30)} ${middle.toFixed(0).padStart(6)} ms ${`${low.toFixed(0)}..${high.toFixed(0)}`.padStart(12)} ${(middle / base).toFixed(2).padStart(7)}`);
  };
  say(`\n${condition.name}, ${widget.length} loads each`);
  say(`${''.padEnd(30)} ${'median'.padStart(9)} ${'quartiles'.padStart(12)} ${'ratio'.padStart(7)}`);
  row('plain form in a frame, typable', floor.map((load) => load.typable));
  row('widget, typable', widget.map((load) => load.typable));
  row('widget, widget-init-ready', widget.map((load) => load.ready ?? NaN));

  // Whether the throttling held, in both processes and for each request, the frame's own page among them.
  const both = [...widget, ...floor];
  const heads = both.flatMap(({ fetched }) => fetched.map(({ start, first }) => first - start));
  const begins = both.map(({ begin }) => begin);
  say(`the same work took ${ms(median(both.map(({ work }) => work.shop)))} in the shop's process, ${ms(median(both.map(({ work }) => work.frame)))} in the frame's`);
  say(`no answer began before ${ms(Math.min(...heads))}; navigation of the frame ${ms(Math.min(...begins))} to ${ms(Math.max(...begins))} after its element, by two clocks`);

  // Without latency the files of the next step are there before anything is painted, and tell nothing.
  if (!condition.network) return;
  traffic('plain form in a frame', floor.map((load) => load.fetched));
  traffic('widget, until typable', widget.map(({ fetched, typable }) => fetched.filter(({ end }) => end <= typable)));
  traffic('widget, in all', widget.map((load) => load.fetched));
}

/** @param {string} name @param {Fetched[][]} loads */
function traffic(name, loads) {
  const bytes = (/** @type {Fetched[]} */ fetched) => fetched.reduce((sum, one) => sum + one.bytes, 0);
  const requests = median(loads.map((fetched) => fetched.length));
  const trips = median(loads.map(roundTrips));
  say(`${name.padEnd(30)} ${requests} requests, ${trips} serial round trips, ${median(loads.map(bytes)).toFixed(0)} bytes on the wire`);
}

/** Two pages, each with one external script, as a shop would have them. */
async function openShop() {
  const widget = `<script>function __onWidgetReady() { CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', lang: 'en', onToken() {} }).open(); }</script>
<script async src="${service.origin}/widget/v1/card-widget.js"></script>`;
  const plain = `<script async src="${floor.origin}/widget/v1/floor.js"></script>`;
  const page = (/** @type {string} */ scripts) =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Shop</title><div id="card"></div>\n${scripts}</html>`;
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(page(request.url === '/widget' ? widget : plain));
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

/** @template T @param {Promise<T>} promise @param {string} otherwise @returns {Promise<T>} */
async function inTime(promise, otherwise) {
  const stop = new AbortController();
  const late = sleep(TIME_LIMIT, undefined, { signal: stop.signal }).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}

/** @param {number[]} values */
function median(values) {
  return quantile(values, 0.5);
}

/** Between neighbours in proportion. @param {number[]} values @param {number} part */
function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/** @param {number} time */
function ms(time) {
  return `${time.toFixed(0)} ms`;
}

function load() {
  return loadavg()[0].toFixed(1);
}

/** @param {string} line */
function say(line) {
  console.log(line);
}

// @ts-check
/**
 * One visit to a shop's page with a form in a frame, with the times and the traffic of it.
 *
 * @typedef {{ name: string, cpu: number, network?: { latency: number, downloadThroughput: number, uploadThroughput: number } }} Condition
 *
 * Times are milliseconds from the start of the script's request.
 *
 * @typedef {object} Visit
 * @property {number} typable
 * @property {number | undefined} ready `widget-init-ready`; the floor has none.
 * @property {number} begin From the frame's element to the start of the frame's clock: never negative while the clocks
 *   of the two processes agree.
 * @property {Record<'shop' | 'frame', number>} work Milliseconds for the same work in either process.
 * @property {Fetched[]} fetched What came over the network from the service, or the floor's server.
 *
 * @typedef {object} Fetched
 * @property {string} path
 * @property {number} start
 * @property {number} first When the head of the answer was there.
 * @property {number} end
 * @property {number} bytes On the wire, heads included.
 */
import { readFileSync } from 'node:fs';
import { inTime } from './figures.mjs';

const PROBE = readFileSync(new URL('./probe.js', import.meta.url), 'utf8');

/**
 * @param {import('./cdp.mjs').Browser} browser
 * @param {string} browserContextId Its cache and connections are used.
 * @param {{ page: string, origin: string, tellsReady: boolean }} target Address of the shop's page, and where its frame comes from.
 * @param {Condition} condition
 * @returns {Promise<Visit>}
 */
export async function visit(browser, browserContextId, target, condition) {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId: page } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const traffic = new Traffic();
  /** @type {(session: string) => void} */
  let found = () => {};
  const frame = new Promise((resolve) => { found = resolve; });

  const deaf = browser.listen((method, params, session) => {
    if (method === 'Target.attachedToTarget' && session === page) {
      if (params.targetInfo.type === 'iframe') {
        prepare(browser, params.sessionId, condition)
          .then(() => browser.send('Runtime.runIfWaitingForDebugger', {}, params.sessionId))
          .catch(() => undefined);
      } else {
        browser.send('Runtime.runIfWaitingForDebugger', {}, params.sessionId).catch(() => undefined);
      }
    } else if (method === 'Page.loadEventFired' && session !== page) {
      found(session);
    } else if (method.startsWith('Network.')) {
      traffic.keep(method, params);
    }
  });
  try {
    await prepare(browser, page, condition);
    await browser.send('Page.navigate', { url: target.page }, page);
    const session = await inTime(frame, 'the frame is not a process of its own, or did not load');
    const typableAt = await inTime(browser.evaluate('cardWidgetBench.typable', session), 'the form was not painted');
    const readyAt = target.tellsReady
      ? await inTime(browser.evaluate('cardWidgetBench.ready', page), 'the widget did not start')
      : undefined;

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
      fetched: traffic.from(target.origin),
    };
  } finally {
    deaf();
    await browser.send('Target.closeTarget', { targetId });
  }
}

/**
 * What must hold in a process before it runs anything of ours: throttling, the probe, and the same for its frames.
 *
 * @param {import('./cdp.mjs').Browser} browser
 * @param {string} session
 * @param {Condition} condition
 */
async function prepare(browser, session, { cpu, network }) {
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

/** Requests of one visit, as the browser's protocol tells them. */
class Traffic {
  /** @type {Map<string, Partial<Fetched> & { url: string, isKept?: boolean }>} */
  #requests = new Map();

  /** @param {string} method @param {Record<string, any>} params */
  keep(method, { requestId, timestamp, request, response, encodedDataLength }) {
    if (method === 'Network.requestWillBeSent') {
      // A navigation may be told in both processes; the first to tell it knows when it began.
      if (!this.#requests.has(requestId)) this.#requests.set(requestId, { url: request.url, start: timestamp * 1000 });
      return;
    }
    const known = this.#requests.get(requestId);
    if (!known) return;
    if (method === 'Network.requestServedFromCache') known.isKept = true;
    if (method === 'Network.responseReceived') {
      known.first ??= timestamp * 1000;
      known.isKept ||= response.fromDiskCache;
    }
    if (method === 'Network.loadingFinished') Object.assign(known, { end: timestamp * 1000, bytes: encodedDataLength });
  }

  /** What came over the network from one origin, in the order of its start, counted from the first. @param {string} origin @returns {Fetched[]} */
  from(origin) {
    const all = [...this.#requests.values()]
      .filter(({ url, isKept }) => url.startsWith(origin + '/') && !isKept)
      .map(({ url, start = NaN, first = NaN, end = NaN, bytes = NaN }) => ({ path: new URL(url).pathname, start, first, end, bytes }))
      .sort((a, b) => a.start - b.start);
    for (const { path, start, first, end, bytes } of all) {
      if (Number.isNaN(start + first + end + bytes)) throw new Error(`${path} was not seen to its end`);
    }
    const zero = all[0].start;
    return all.map((one) => ({ ...one, start: one.start - zero, first: one.first - zero, end: one.end - zero }));
  }
}

/** Requests one after the other: each stands behind those that had ended when it began. @param {Fetched[]} fetched */
export function roundTrips(fetched) {
  /** @type {number[]} */
  const depth = [];
  fetched.forEach((one, index) => {
    depth[index] = 1 + Math.max(0, ...fetched.slice(0, index).map((other, at) => (other.end <= one.start ? depth[at] : 0)));
  });
  return Math.max(0, ...depth);
}

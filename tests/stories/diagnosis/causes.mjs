// @ts-check
/**
 * Why a form does not start. Each cause is made for real, by what stands between browser and service, by the browser or by
 * the page around.
 *
 * @typedef {import('../shared/world.mjs').World} World
 * @typedef {import('../shared/world.mjs').Visit} Visit
 *
 * @typedef {object} Cause
 * @property {string} name
 * @property {(world: World, page: Visit) => unknown} [happen]
 * @property {(world: World, page: Visit) => unknown} [heal] Beyond taking all rules away.
 * @property {(world: World) => object} [params]
 * @property {string} code
 * @property {'load' | 'attach' | 'init'} stage
 * @property {'customer' | 'merchant' | 'network' | 'service'} actor
 * @property {boolean} [retryable]
 * @property {number} within Milliseconds.
 * @property {RegExp} [says] What the sentence names.
 */
import { ENGINE } from '../shared/engines.mjs';
import { offline, online } from '../shared/offline.mjs';

/** Where a browser gives a sign of some kind. */
export const SOON = 3000;
/** Of no connection only Chromium gives a sign. Elsewhere the service is asked again after 5 s of silence. */
export const DOWN = ENGINE === 'chromium' ? SOON : 6000;
/** Of a widget that is given this long, and a little. */
const TIMEOUT = 1200;
const IN_TIME = { params: () => ({ timeout: TIMEOUT }), within: TIMEOUT + 1000 };

const FRAME = /^\/widget\/v1\/frame$/;
const SCRIPT = /\/frame-[0-9a-f]+\.js$/;

const UNREACHABLE = { code: 'service_unreachable', actor: /** @type {const} */ ('network'), stage: /** @type {const} */ ('load'), retryable: true, within: SOON };
const REFUSED = { code: 'frame_refused', actor: /** @type {const} */ ('merchant'), stage: /** @type {const} */ ('load'), within: SOON };
const SETUP = { actor: /** @type {const} */ ('merchant'), stage: /** @type {const} */ ('load'), within: SOON };
const BROKEN = { code: 'script_failed', actor: /** @type {const} */ ('service'), stage: /** @type {const} */ ('attach'), retryable: true, within: SOON };
const LATE = { code: 'timeout', actor: /** @type {const} */ ('network'), retryable: true, ...IN_TIME };

/** @type {Cause[]} */
export const CAUSES = [
  { ...LATE, name: "the frame's module never comes", happen: ({ front }) => front.hold(/\.wasm$|fallback/), stage: 'attach', params: () => ({ timeout: 3000 }), within: 4000 },
  { ...SETUP, name: 'a key that nobody knows', params: () => ({ key: 'wk_nobody' }), code: 'widget_key_unknown' },
  {
    ...SETUP,
    name: 'an origin that the key does not allow',
    params: ({ service }) => ({ key: service.addKey('https://shop.example') }),
    code: 'origin_not_allowed',
  },
  { ...BROKEN, name: "the frame's script is not there", happen: answer(SCRIPT, 404, '') },
  { ...BROKEN, name: "the frame's script fails", happen: answer(SCRIPT, 500, '') },
  { ...BROKEN, name: "the frame's script is kept out by an extension", happen: rule(SCRIPT, async () => undefined) },
  { ...BROKEN, name: "the frame's script is somebody's page", happen: answer(SCRIPT, 200, '<h1>Sign in</h1>') },

  { ...UNREACHABLE, name: 'the service is down', happen: ({ front }) => front.stop(), heal: ({ front }) => front.start(), within: DOWN },
  // Elsewhere the same silence as before, for five seconds more.
  ...(ENGINE === 'chromium' ? [{ ...UNREACHABLE, name: 'the service hangs up', happen: rule(/./, async () => undefined) }] : []),
  { ...UNREACHABLE, name: "somebody else answers in the service's place", happen: answer(/./, 200, '<h1>Sign in to this network</h1>') },
  {
    name: 'the device is offline',
    happen: (world, page) => offline(world, page),
    heal: (world, page) => online(world, page),
    code: 'offline',
    stage: 'load',
    actor: 'network',
    retryable: true,
    within: SOON,
  },
  { ...LATE, name: 'the service takes the connection and never answers', happen: ({ front }) => front.hold(/./), stage: 'load' },
  { ...LATE, name: "the frame's page never comes", happen: ({ front }) => front.hold(FRAME), stage: 'load' },
  // A document whose script is under way has not loaded yet.
  { ...LATE, name: "the frame's script never comes", happen: ({ front }) => front.hold(SCRIPT), stage: 'load' },

  { ...REFUSED, name: "somebody's page in the frame", happen: answer(FRAME, 200, '<h1>Sign in</h1>') },
  { ...REFUSED, name: "a proxy's page in the frame", happen: answer(FRAME, 502, '<h1>Bad gateway</h1>') },
  {
    name: "the frame's page is cut in the middle",
    happen: rule(FRAME, async (_, pass) => half(await pass())),
    // Chromium goes on waiting for the rest.
    ...(ENGINE === 'chromium' ? { ...LATE, stage: 'load' } : REFUSED),
  },
];

/** @param {RegExp} path @param {number} status @param {string} body @returns {Cause['happen']} */
function answer(path, status, body) {
  const headers = { 'content-type': 'text/html', connection: 'close' };
  return rule(path, async () => ({ status, headers, body: Buffer.from(body) }));
}

/** @param {RegExp} path @param {import('../shared/front.mjs').Rule} does @returns {Cause['happen']} */
function rule(path, does) {
  return ({ front }) => front.rule(path, does);
}

/** @param {import('../shared/front.mjs').Answer} answer */
function half(answer) {
  const { length } = answer.body;
  return { ...answer, headers: { ...answer.headers, 'content-length': String(length) }, body: answer.body.subarray(0, length >> 1) };
}

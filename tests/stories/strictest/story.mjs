// @ts-check
/**
 * On the strictest page that browsers allow a card becomes a token, no policy is violated,
 * nothing is reported, and nobody keeps a cookie or anything else.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { launch } from '../shared/engines.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const CARD = { number: VISA, expiry: FUTURE, code: '123' };
const NONCE = 'c2hvcC1ub25jZQ';
const RECORD = readFileSync(new URL('../shared/record.js', import.meta.url), 'utf8');

/** What the shop's page writes down, before anything else runs. */
const WATCH = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ disposition, effectiveDirective, blockedURI }) => violations.push([disposition, effectiveDirective, blockedURI].join(' ')));
  if (window.ReportingObserver) new ReportingObserver((reports) => reports.forEach(({ type, body }) => violations.push(type + ' ' + JSON.stringify(body))), { buffered: true }).observe();
`;
const START = 'openWidget({ amount: 100.5, currency: "UAH" });';
/** Where browsers report to. */
const REPORTS = '/reports';

/** All that a page may be refused; `cross-origin-isolated` is what shows that the other headers are in force. */
const FEATURES = `accelerometer autoplay bluetooth camera clipboard-read clipboard-write compute-pressure display-capture
  encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map
  local-fonts magnetometer microphone midi otp-credentials payment picture-in-picture publickey-credentials-create
  publickey-credentials-get screen-wake-lock serial storage-access sync-xhr unload usb web-share window-management
  xr-spatial-tracking`.split(/\s+/);

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Browsers ask for the shop's own icon. @param {string} script Sources of scripts. @param {string} frame Sources of frames. */
const policy = (script, frame) =>
  `default-src 'none'; img-src 'self'; script-src ${script}; frame-src ${frame}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
  `require-trusted-types-for 'script'; trusted-types 'none'`;

/** What every page here sends beside its policy. */
const STRICT = {
  'cross-origin-embedder-policy': `require-corp; report-to="shop"`,
  'cross-origin-opener-policy': `same-origin; report-to="shop"`,
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': FEATURES.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'reporting-endpoints': `shop="${REPORTS}", default="${REPORTS}"`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const SERVICE = '%SERVICE%';
const HASHES = [WATCH, RECORD, START].map(hash).join(' ');
const WHOLE = policy(`${SERVICE} ${HASHES}`, SERVICE);

/** @param {string} policy @param {Record<string, string>} [headers] @param {string} [attributes] Of every script. */
const page = (policy, headers, attributes = '') => ({
  headers: { ...STRICT, 'content-security-policy': `${policy}; report-uri ${REPORTS}`, ...headers },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>A strict shop</title><h1>A strict shop</h1><div id="card"></div>
<script ${attributes}>${WATCH}</script><script ${attributes}>${RECORD}</script>
<script ${attributes} src="${SERVICE}/widget/v1/card-widget.js"></script><script ${attributes}>${START}</script></html>`,
});

/** @type {{ [path: string]: { headers?: Record<string, string>, body: string, type?: string } }} */
const PAGES = {
  '/': page(WHOLE, {
    'content-security-policy-report-only': `${WHOLE}; report-uri ${REPORTS}`,
    'cross-origin-embedder-policy-report-only': `require-corp; report-to="shop"`,
  }),
  '/narrow': page(policy(`${SERVICE}/widget/v1/card-widget.js ${HASHES}`, `${SERVICE}/widget/v1/frame`)),
  '/nonce': page(policy(`'nonce-${NONCE}' 'strict-dynamic'`, SERVICE), {}, `nonce="${NONCE}"`),
  '/self': {
    headers: { ...STRICT, 'content-security-policy': `${policy(`'self' ${SERVICE}`, SERVICE)}; report-uri ${REPORTS}` },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>A strict shop</title><div id="card"></div>
<script src="/watch.js"></script><script src="/shared/record.js"></script><script src="${SERVICE}/widget/v1/card-widget.js"></script><script src="/start.js"></script></html>`,
  },
  '/favicon.ico': { body: '', type: 'image/svg+xml' },
  '/watch.js': { body: WATCH },
  '/start.js': { body: START },
  '/credentialless': page(WHOLE, { 'cross-origin-embedder-policy': 'credentialless' }),
  '/sandbox': page(`${WHOLE}; sandbox allow-scripts allow-same-origin allow-forms`),
  // Where engines do not even say that a form was submitted.
  '/sandbox-without-forms': page(`${WHOLE}; sandbox allow-scripts allow-same-origin`),
  '/opaque': page(`${WHOLE}; sandbox allow-scripts`),
};

/** How often a browser has reported something. */
let reports = 0;

const world = openWorld(import.meta.url, {
  serve(path) {
    if (path === REPORTS) reports += 1;
    return PAGES[path];
  },
});
const { test } = world;

/** @param {string} path */
function visit(path) {
  reports = 0;
  return world.visit(path);
}

test('a card becomes a token, without a word from any policy', async () => {
  /** @type {unknown[]} */
  const cookies = [];
  world.front.rule(/./, async (_, pass) => {
    const answer = await pass();
    cookies.push(...(answer.headers['set-cookie'] ?? []));
    return answer;
  });
  const page = await visit('/');
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.button.click();
  assert.equal((await token(page)).card_mask, '42424242****4242');
  assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'the headers are in force');

  assert.deepEqual(await violations(page), []);
  const { console, errors, refused } = await heard(page);
  assert.deepEqual([console, errors, refused], [[], [], []]);
  // Of the frame as well, where the engine tells. What is said about the shop's own headers is the shop's.
  assert.deepEqual((page.console ?? []).filter((/** @type {string} */ line) => !/permissions-policy|Unrecognized feature/i.test(line)), []);

  assert.deepEqual(cookies, []);
  assert.deepEqual(page.requests.filter(({ headers }) => headers.cookie || headers.referer).map(({ path }) => path), []);
  for (const frame of [undefined, form.frame]) assert.deepEqual(await page.evaluate(kept, undefined, frame), [], frame ?? 'the shop');

  // That something is reported where there is something: after all the rest, so that it is the only one.
  await page.evaluate(() => {
    try {
      document.createElement('script').src = 'https://elsewhere.invalid/';
    } catch {
      // Trusted Types are in force too.
    }
  });
  await page.waitFor(() => /** @type {any} */ (window).violations.length > 0);
  const count = (await violations(page)).filter((line) => !line.startsWith('csp-violation')).length;
  await until(() => reports === count);
});

for (const [path, what] of [
  ['/narrow', 'by hash; of the service no more than two addresses'],
  ['/nonce', 'by nonce, and whatever a trusted script asks for'],
  ['/self', "by the shop's own origin"],
  ['/credentialless', 'what is embedded comes without credentials'],
]) {
  test(`scripts: ${what}`, async () => {
    const page = await visit(path);
    await cardForm(page).ready();
    assert.deepEqual([await violations(page), reports, (await heard(page)).console], [[], 0, []]);
  });
}

for (const path of ['/sandbox', '/sandbox-without-forms']) test(`a shop in a ${path.slice(1).replaceAll('-', ' ')}`, async () => {
  const page = await visit(path);
  const form = await cardForm(page).ready();
  await form.type(CARD);
  await form.code.press('Enter');
  await token(page);
  assert.deepEqual([await violations(page), reports], [[], 0]);
});

test('a shop without an origin is told so', async () => {
  const page = await visit('/opaque');
  await page.waitFor(() => window.heard.refused.length > 0);
  assert.equal((await heard(page)).refused[0].id, 'origin_opaque');
});

test('where frames of other sites may keep nothing', { without: {
  webkit: 'it cannot be set from outside',
} }, async () => {
  await strangersKeepNothing(async () => {
    const page = await visit('/');
    const form = await cardForm(page).ready();
    const isRefused = await form.evaluate(() => {
      try {
        return localStorage.length < 0;
      } catch (error) {
        return /** @type {Error} */ (error).name === 'SecurityError';
      }
    });
    assert.equal(isRefused, true);
    await form.type(CARD);
    await form.button.click();
    await token(page);
    assert.deepEqual([await violations(page), reports], [[], 0]);
  });
});

/** As some browsers are by default, Chromium among them in the private windows that stories run in. @param {() => Promise<void>} run */
async function strangersKeepNothing(run) {
  if (world.engine === 'chromium') return run();
  const { inside } = /** @type {any} */ (await launch());
  await inside("Services.prefs.setIntPref('network.cookie.cookieBehavior', 2)");
  try {
    await run();
  } finally {
    await inside("Services.prefs.clearUserPref('network.cookie.cookieBehavior')");
  }
}

/** @param {import('../shared/page.mjs').Page} page @returns {Promise<string[]>} */
const violations = (page) => page.evaluate(() => /** @type {any} */ (window).violations);

/** What is kept in this document's origin, by name. Runs in a page. */
async function kept() {
  /** @type {string[]} */
  const names = [];
  // Where all is refused, nothing is kept.
  const look = async (/** @type {() => unknown} */ find) => {
    try {
      await find();
    } catch {
      // Refused.
    }
  };
  await look(() => document.cookie && names.push('a cookie'));
  await look(() => localStorage.length && names.push('localStorage'));
  await look(() => sessionStorage.length && names.push('sessionStorage'));
  await look(async () => { for (const { name } of await indexedDB.databases()) names.push(`database ${name}`); });
  await look(async () => { for (const name of await caches.keys()) names.push(`cache ${name}`); });
  await look(async () => { for (const { scope } of await navigator.serviceWorker.getRegistrations()) names.push(`worker ${scope}`); });
  return names;
}

/** @param {() => boolean} isSo */
async function until(isSo) {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

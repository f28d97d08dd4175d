/** Strict pages, and starts that fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, heard, openWorld } from './world.js';

const world = openWorld();

test('works on a page that forbids nearly everything, and keeps nothing', async () => {
  const page = await world.visit({ headers: strict() });
  await page.evaluate(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    const widget = start();
    widget.close();
    widget.open();
  });
  await heard(page, 'widget-init-ready');
  assert.equal(await page.evaluate(() => document.querySelector('iframe').getAttribute('srcdoc')), null);
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]), ['', 0, 0]);
  assert.deepEqual(page.console, []);
  assert.deepEqual(page.errors, []);
});

test('a policy that keeps the frame out is named at once, with the directive', async () => {
  const page = await world.visit({ headers: strict('frame-src https://elsewhere.example') });
  await page.evaluate(() => { window.widget = start(); });
  const { id, message } = await heard(page, 'widget-init-error');
  assert.equal(id, 'frame_blocked');
  assert.match(message, /frame-src/);
  assert.ok(message.includes(world.service.origin));
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0);
});

test('a policy that only reports, and one that blocks another frame, stop nothing', async () => {
  const page = await world.visit({
    headers: {
      'content-security-policy-report-only': "frame-src 'none'",
      'content-security-policy': `frame-src ${world.service.origin}`,
    },
  });
  await page.evaluate(() => {
    start();
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://localhost:9/else' }));
  });
  await heard(page, 'widget-init-ready');
  assert.deepEqual((await page.evaluate(() => events)).map(({ name }) => name), ['widget-init-ready']);
});

test('a service that does not answer: one deadline, said plainly, and open tries again', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => { window.widget = start({ key: 'wk_silent' }); });
  await page.clock.runFor(12_000); // the clock also runs by itself, so this is at least 12 s
  assert.deepEqual(await page.evaluate(() => events), []);
  await page.clock.runFor(3_100);
  const { id, message } = await heard(page, 'widget-init-error');
  assert.equal(id, 'timeout');
  assert.match(message, /15 s.*down.*out of reach.*blocked.*does not tell/);
  assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0);
  await page.evaluate(() => widget.open());
  await page.clock.runFor(15_100);
  await heard(page, 'widget-init-error', 2);
});

test('nothing is due any more once the form works', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => { start(); });
  await heard(page, 'widget-init-ready');
  await page.clock.runFor(60_000);
  assert.equal((await page.evaluate(() => events)).length, 1);
});

test('a refusal of the service becomes widget-init-error, once; open starts afresh', async () => {
  const page = await world.visit({ clock: true });
  await page.evaluate(() => { window.widget = start({ key: 'wk_refused' }); });
  const event = await heard(page, 'widget-init-error');
  assert.equal(event.id, 'widget_key_unknown');
  assert.equal(event.message, 'No such key.');
  await page.clock.runFor(20_000);
  assert.deepEqual((await page.evaluate(() => [events.length, problems.length])), [1, 1]);
  assert.equal(frames(page).length, 1, 'the page that says why stays');
  await page.evaluate(() => { window.old = document.querySelector('iframe'); widget.open(); });
  await heard(page, 'widget-init-error', 2);
  assert.equal(await page.evaluate(() => old.isConnected || document.querySelectorAll('iframe').length !== 1), false);
});

test('a page without an origin of its own is refused before anything is asked of the service', async () => {
  const page = await world.visit({ headers: { 'content-security-policy': 'sandbox allow-scripts' } });
  world.asked.length = 0;
  await page.evaluate(() => { start(); });
  assert.equal((await heard(page, 'widget-init-error')).id, 'origin_opaque');
  assert.equal(world.asked.includes('/widget/v1/frame'), false);
});

test('a page that came over plain http is refused', async () => {
  const page = await world.visit({ origin: `http://shop.test:${world.shop.port}` });
  await page.evaluate(() => { start(); });
  assert.equal((await heard(page, 'widget-init-error')).id, 'insecure_context');
});

/** The strictest headers there are. */
function strict(frames = `frame-src ${world.service.origin}`) {
  return {
    'content-security-policy': `default-src 'none'; script-src ${world.service.origin}; ${frames}; require-trusted-types-for 'script'; trusted-types 'none'`,
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

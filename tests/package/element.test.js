/** `card-widget/element` before the stand-in frame in a browser, and on a server. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { frames, openWorld, post, settle } from '../loader/world.js';
import { bundle, installPackage } from './pack.js';

const world = openWorld();
let shop;
before(() => { shop = installPackage(); });
after(() => shop?.remove());

const TOKEN = { type: 'token', token: 'ct_one', expires_at: '2026-01-31T23:59:59', expires_in: 3_600_000, card_mask: '424242******4242' };

test('on a server it is null', () => {
  writeFileSync(join(shop.project, 'server.js'), "import { defineCardWidget } from 'card-widget/element'; console.log(defineCardWidget());");
  assert.equal(execFileSync(process.execPath, ['server.js'], { cwd: shop.project, encoding: 'utf8' }), 'null\n');
});

test('attributes are parameters, changes reach the form, and what makes another form makes one', async () => {
  const page = await visit('<card-widget url="%SERVICE%" widget-key="wk_test" lang="pl" amount="12.5" currency="EUR" brands="visa mastercard" look="evo" auto-advance="false" customer-id="c-7"></card-widget>');
  await ready(page);
  const [frame] = frames(page);
  const query = Object.fromEntries(new URL(frame.url()).searchParams);
  assert.deepEqual([query.key, query.lang, query.style, query.type], ['wk_test', 'pl', 'evo', 'full_card']);
  const { amount, currency, brands, auto_advance, customer_id } = await frame.evaluate(() => told.messages[0]);
  assert.deepEqual({ amount, currency, brands, auto_advance, customer_id }, { amount: 12.5, currency: 'EUR', brands: ['visa', 'mastercard'], auto_advance: false, customer_id: 'c-7' });
  await page.evaluate(() => {
    card.amount = 3;
    card.currency = 'UAH';
    card.theme = { accent: '#0a5' };
    card.brands = ['visa'];
    card.removeAttribute('look');
  });
  await settle(page);
  const updates = await frame.evaluate(() => told.messages.filter(({ type }) => type === 'update'));
  assert.deepEqual(updates.map(({ amount, currency, theme, brands, style }) => ({ amount, currency, theme, brands, style })),
    [{ amount: 3, currency: 'UAH', theme: { accent: '#0a5' }, brands: ['visa'], style: 'plain' }], 'once for all of them');
  assert.deepEqual(await page.evaluate(() => [card.amount, card.getAttribute('amount'), card.brands, card.autoAdvance, card.look, card.customerId]), [3, '3', ['visa'], false, null, 'c-7']);
  await page.evaluate(() => { card.widgetKey = 'wk_other'; card.type = 'pan_only'; });
  await ready(page, 2);
  assert.equal(frames(page).length, 1);
  assert.equal(new URL(frames(page)[0].url()).searchParams.get('type'), 'pan_only');
  assert.deepEqual([...page.console, ...page.errors], []);
});

test('the token is the value in a form, until its time is up, the form is reset or the element leaves', async () => {
  const page = await visit('<form><card-widget name="card_token" url="%SERVICE%" widget-key="wk_test"></card-widget></form>');
  await ready(page);
  const value = () => page.evaluate(() => new FormData(document.forms[0]).get('card_token'));
  assert.equal(await value(), null);
  assert.equal(await page.evaluate(() => card.form === document.forms[0]), true);
  for (const [way, message] of [['expired', { ...TOKEN, expires_in: 1 }], ['reset', TOKEN], ['left', TOKEN]]) {
    await post(frames(page)[0], { ...message, expires_in: way === 'expired' ? 300 : message.expires_in });
    assert.equal(await value(), 'ct_one', way);
    if (way === 'expired') await page.waitForFunction(() => said.some(([name]) => name === 'card-expire'));
    if (way === 'reset') await page.evaluate(() => document.forms[0].reset());
    if (way === 'left') await page.evaluate(() => { const form = document.forms[0]; card.remove(); form.append(card); });
    assert.equal(await value(), null, way);
  }
  assert.deepEqual((await page.evaluate(() => said)).filter(([name]) => name === 'card-token').length, 3);
});

test('calls, whenever they come; moved, removed and put back', async () => {
  const page = await visit('<div id="one"></div><div id="two"></div>');
  const early = await page.evaluate(() => {
    const made = document.createElement('card-widget');
    made.url = SERVICE;
    made.widgetKey = 'wk_test';
    const none = made.submit().catch(({ name, code, message }) => [name, code, message]);
    made.submit();
    made.open();
    made.focus();
    document.getElementById('one').append(made);
    window.card = made;
    window.paid = made.submit();
    return none;
  });
  assert.deepEqual(early, ['CardWidgetError', 'not_open', '<card-widget>: there is no form yet.']);
  await ready(page);
  await post(frames(page)[0], TOKEN);
  assert.equal((await page.evaluate(() => window.paid)).token, 'ct_one');
  await page.evaluate(() => document.getElementById('two').append(card));
  await ready(page, 2);
  assert.equal(frames(page).length, 1);
  await page.evaluate(() => card.remove());
  await settle(page);
  assert.equal(frames(page).length, 0);
  await page.evaluate(() => document.body.append(card));
  await ready(page, 3);
  assert.equal((await page.evaluate(() => said)).some(([name]) => name === 'card-close'), false, 'its page did it');
  assert.deepEqual([...page.console, ...page.errors], []);
});

test('set before it was defined; in a shadow tree; two of them; defined twice', async () => {
  const page = await visit('<card-widget id="late"></card-widget><div id="tree"></div>', 'wait');
  await page.evaluate(() => {
    const late = document.getElementById('late');
    late.url = SERVICE;
    late.widgetKey = 'wk_test';
    late.theme = { accent: '#0a5' };
    const tree = document.getElementById('tree').attachShadow({ mode: 'open' });
    tree.innerHTML = `<card-widget url="${SERVICE}" widget-key="wk_test"></card-widget>`;
    window.same = define() === define();
  });
  await ready(page, 2);
  assert.equal(frames(page).length, 2);
  assert.equal(await page.evaluate(() => window.same && getComputedStyle(document.getElementById('late')).display), 'block');
  const themes = frames(page).map((frame) => new URL(frame.url()).searchParams.get('theme'));
  assert.ok(themes.includes('{"accent":"#0a5"}'));
});

test('a failure is an event with one sentence, and can be tried again', async () => {
  const page = await visit('<card-widget widget-key="wk_test"></card-widget>');
  const failure = async (count) => {
    await page.waitForFunction((count) => said.length >= count, count);
    const [name, { code, message }] = (await page.evaluate(() => said)).at(-1);
    return [name, code, message];
  };
  assert.deepEqual(await failure(1), ['card-error', 'parameter_invalid', '<card-widget>: url must be the absolute address of the service, for example "https://pay.example".']);
  await page.evaluate(() => { card.url = SERVICE; card.widgetKey = 'wk_refused'; });
  assert.deepEqual(await failure(2), ['card-error', 'widget_key_unknown', 'No such key.']);
  await page.evaluate(() => card.open());
  assert.deepEqual(await failure(3), ['card-error', 'widget_key_unknown', 'No such key.']);
  await page.evaluate(() => { card.widgetKey = 'wk_test'; card.amount = 'a lot'; });
  await ready(page);
  assert.match(page.console.at(-1), /"amount" must be at least 0/);
});

test('with the fake of `card-widget/testing`, which works in a browser as well', async () => {
  world.pages.set('/fake.js', {
    headers: { 'content-type': 'text/javascript' },
    body: bundle(shop, `
      import { defineCardWidget } from 'card-widget/element';
      import { cards, expiry, fakeCardWidget } from 'card-widget/testing';
      const fake = fakeCardWidget();
      defineCardWidget();
      const form = await fake.form();
      await form.fill({ number: cards.declined, expiry: expiry(), code: '123' });
      await form.submit();
      fake.restore();
      window.left = document.querySelectorAll('iframe').length;`, 'esm'),
  });
  const page = await world.visit({
    body: `<card-widget url="https://pay.example" widget-key="wk_test"></card-widget>
      <script>document.addEventListener('card-token', ({ detail }) => { window.token = detail.token; });</script>
      <script type="module" src="/fake.js"></script>`,
  });
  await page.waitForFunction(() => 'left' in window);
  assert.match(await page.evaluate(() => window.token), /^fake_declined_/);
  assert.equal(await page.evaluate(() => window.left), 0);
  assert.deepEqual([...page.console, ...page.errors], []);
});

/** A page with this markup; `card` is its element, `said` what it says. */
async function visit(markup, when = 'now') {
  const path = `/element-${world.pages.size}.js`;
  const code = `import { defineCardWidget } from 'card-widget/element'; window.define = defineCardWidget; ${when === 'now' ? 'defineCardWidget();' : ''}`;
  world.pages.set(path, { headers: { 'content-type': 'text/javascript' }, body: bundle(shop, code, 'esm') });
  return world.visit({
    body: `${markup.replaceAll('%SERVICE%', world.service.origin)}
      <script>
        const SERVICE = '${world.service.origin}';
        window.said = [];
        window.card = document.querySelector('card-widget');
        for (const name of ['ready', 'token', 'error', 'change', 'close', 'expire'].map((name) => 'card-' + name))
          document.addEventListener(name, ({ detail }) => said.push([name, name === 'card-error' ? { ...detail, message: detail.message } : detail]));
      </script>
      <script type="module" src="${path}"></script>`,
  });
}

const ready = (page, count = 1) => page.waitForFunction((count) => window.said?.filter(([name]) => name === 'card-ready').length >= count, count);

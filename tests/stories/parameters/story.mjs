/** Parameters are checked first: a wrong one is told once, after the task, by a stable id and a sentence that names it. */
import assert from 'node:assert/strict';
import { VISA } from '../shared/cards.mjs';
import { cardForm, heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** Parameter, what is given (`undefined` is left out), the id, what the sentence says. @type {[string, unknown, string, RegExp][]} */
const WRONG = [
  ['key', undefined, 'parameter_missing', /"key".*undefined/],
  ['key', null, 'parameter_missing', /"key".*null/],
  ['key', '', 'parameter_missing', /"key"/],
  ['key', 5, 'parameter_invalid', /"key".*5/],
  ['key', {}, 'parameter_invalid', /"key".*object/],
  ['mode', undefined, 'parameter_missing', /"mode" must be "inline", but is undefined/],
  ['mode', 'popup', 'parameter_invalid', /"mode" must be "inline", but is "popup"/],
  ['mode', 'Inline', 'parameter_invalid', /"mode".*"Inline"/],
  ['selector', undefined, 'parameter_missing', /"selector".*undefined/],
  ['selector', 7, 'parameter_invalid', /"selector".*7/],
  ['selector', [], 'parameter_invalid', /"selector".*object/],
  ['selector', 'nowhere', 'host_not_found', /"selector".*nowhere/],
  ['selector', '#nowhere', 'host_not_found', /"selector".*#nowhere/],
  ['onToken', undefined, 'parameter_missing', /"onToken".*a function.*undefined/],
  ['onToken', 'pay', 'parameter_invalid', /"onToken".*a function.*"pay"/],
  ['onToken', true, 'parameter_invalid', /"onToken".*a function.*true|boolean/],
];

/** Optional ones: the warning says which and what was wanted, and the form comes as if it had been left out. */
const FALLS_BACK = [
  ['amount', -1], ['amount', '12'], ['currency', 'hryvnia'], ['lang', 'xx'], ['style', 'fancy'],
  ['type', 'half_card'], ['template', 'circle'], ['colorScheme', 'sepia'], ['theme', 'red'], ['brands', ['nobody']],
  ['autoAdvance', 'yes'], ['locale', 'uk'], ['customer_ip', 127], ['customer_id', {}], ['customer_email', []],
  ['onError', 'tell'], ['onChange', 1],
  // Each of these since there is more than the contract.
  ['onReady', 1], ['onClose', 1], ['onExpire', 1], ['timeout', 'soon'], ['timeout', 5], ['signal', {}],
];

const RIGHT = { key: 'wk_sandbox', mode: 'inline', selector: 'card' };

test('a missing or wrong one is told once, after the current task, and nothing is opened', async () => {
  const page = await world.visit();
  for (const [name, value, id, sentence] of WRONG) {
    const { task, ids, ...told } = await page.evaluate(async ({ params, name, value, missing }) => {
      heard.refused.length = 0;
      const given = { ...params, onToken() {}, [name]: value };
      if (missing) delete given[name];
      const handle = CardWidget.init(given);
      handle.open();
      handle.update({ amount: 5 });
      handle.setLang('en');
      handle.close();
      const task = heard.refused.length;
      await new Promise((resolve) => { document.addEventListener('widget-init-error', resolve, { once: true }); });
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      const { id, message, instance } = heard.refused[0];
      return { task, ids: heard.refused.length, id, message, mine: instance === handle.id, frames: document.querySelectorAll('iframe').length };
    }, { params: RIGHT, name, value, missing: value === undefined });
    const what = `${name}: ${JSON.stringify(value)}`;
    assert.equal(task, 0, `${what} is told within the task`);
    assert.equal(ids, 1, `${what} is told once`);
    assert.match(told.message, sentence);
    assert.deepEqual({ ...told, message: '' }, { id, message: '', mine: true, frames: 0 }, what);
  }
  assert.equal(page.requests.filter(({ path }) => path.endsWith('/frame')).length, 0);
});

test('nothing at all is told like a wrong parameter, and what was received is never a card', async () => {
  const page = await world.visit();
  for (const params of [undefined, null, 5, 'card', []]) {
    await page.evaluate((params) => { heard.refused.length = 0; CardWidget.init(params).open(); }, params);
    await page.waitFor(() => heard.refused.length === 1);
  }
  await page.evaluate((number) => {
    heard.refused.length = 0;
    CardWidget.init({ key: 'wk_sandbox', mode: number, selector: 'card', onToken() {} });
    CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', onToken() {}, amount: number, lang: number });
  }, VISA);
  await page.waitFor(() => heard.refused.length === 1);
  const { refused, console } = await heard(page);
  assert.ok(console.length >= 3);
  assert.ok(!JSON.stringify([refused, console]).includes(VISA.slice(0, 8)));
});

test('unknown values of optional ones warn and fall back', async () => {
  const page = await world.visit();
  const texts = await page.evaluate((all) => {
    const warned = [];
    for (const [name, value] of all) {
      heard.console.length = 0;
      CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', onToken() {}, [name]: value }).close();
      warned.push(heard.console.join('\n'));
    }
    return warned;
  }, FALLS_BACK);
  for (const [index, [name]] of FALLS_BACK.entries()) assert.match(texts[index], new RegExp(`^warn CardWidget: .*"${name}"`), `${name}: ${texts[index]}`);
  await page.evaluate((all) => openWidget({ ...Object.fromEntries(all), onReady: undefined }), FALLS_BACK);
  const form = await cardForm(page).ready();
  const params = await page.evaluate(() => Object.fromEntries(new URL(document.querySelector('iframe').src).searchParams));
  assert.deepEqual([params.lang, params.type, params.template, params.style, params.scheme], ['pl', 'full_card', 'stacked', 'plain', 'light']);
  assert.equal(await form.evaluate(() => document.querySelectorAll('input[autocomplete]').length), 3);
  assert.deepEqual((await heard(page)).refused, []);
});

test('the host element by its id, with and without #, and by itself', async () => {
  const page = await world.visit();
  for (const [round, selector] of ['card', '#card', null].entries()) {
    await page.evaluate((selector) => openWidget({ selector: selector ?? document.getElementById('card') }), selector);
    await cardForm(page).ready(round + 1);
    assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 1);
  }
  // An element that is not in the page yet is awaited until `open`.
  await page.evaluate(() => {
    const host = document.createElement('section');
    host.id = 'later';
    const handle = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: host, onToken() {} });
    document.body.append(host);
    handle.open();
  });
  await cardForm(page, '#later').ready(4);
  // One that is gone by then is told.
  await page.evaluate(() => {
    const host = document.body.appendChild(document.createElement('p'));
    const handle = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: host, onToken() {} });
    host.remove();
    handle.open();
  });
  await page.waitFor(() => heard.refused.length === 1);
  assert.equal((await heard(page)).refused[0].id, 'host_not_found');
});

// @ts-check
/**
 * Pages as they are: with style for everything, with scripts that have changed the language, in modes that nobody chooses.
 * The form works in each.
 */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const CARD = { number: VISA, expiry: FUTURE, code: '123' };
const RECORD = '<script src="/shared/record.js"></script>';
const LOADER = '<script src="%SERVICE%/widget/v1/card-widget.js"></script>';
const START = '<script>openWidget();</script>';
const HOST = '<div id="card"></div><p id="below">Below</p>';
const HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>';

/** Resets and habits of real style sheets, none of them meant for the widget. */
const STYLE = `
  * { all: unset; }
  *, *::before, *::after { box-sizing: border-box; margin: 7px; padding: 9px; transition: all 2s; }
  html { font-size: 3px; line-height: 9; direction: rtl; writing-mode: horizontal-tb; }
  div { display: block; color: red; user-select: none; }
  iframe { display: none; width: 40px; height: 0; border: 9px inset; max-width: 100%; }
  #card > * { display: inline; height: 10%; }`;

/** As zone.js, core-js and Prototype do, and less careful ones. */
const PATCHES = `
  const Own = Promise;
  window.Promise = class extends Own {
    then(done, failed) { return super.then(done && ((value) => done(value)), failed && ((error) => failed(error))); }
  };
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent']) {
    const own = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (...given) { return own.apply(this, given); };
  }
  const later = window.setTimeout;
  window.setTimeout = (run, wait, ...rest) => later(() => run(...rest), wait);
  Array.prototype.last = function () { return this[this.length - 1]; };
  Object.prototype.extra = 'inherited';
  Function.prototype.bind = function (self, ...first) { return (...rest) => this.apply(self, [...first, ...rest]); };
  window.name = 'parent';
  window.origin = 'https://elsewhere.invalid';
  window.event = null;`;

/** As hardened environments do: nobody changes what the language brings. */
const FREEZE = `
  for (const name of Object.getOwnPropertyNames(window)) {
    if (!/^[A-Z]/.test(name) || typeof window[name] !== 'function') continue;
    const { prototype } = window[name];
    if (prototype) Object.freeze(prototype);
    if (!/^(CardWidget|Symbol)$/.test(name)) Object.freeze(window[name]);
  }
  Object.freeze(Reflect); Object.freeze(JSON); Object.freeze(Math);
  Object.freeze(Object.getPrototypeOf(function* () {})); Object.freeze(Object.getPrototypeOf([][Symbol.iterator]()));`;

/** @type {{ [path: string]: { body: string, type?: string } }} */
const PAGES = {
  '/style': { body: `${HEAD}<style>${STYLE}</style>${HOST}${RECORD}${LOADER}${START}` },
  '/hidden': { body: `${HEAD}<style id="rule">iframe { display: none !important; }</style>${HOST}${RECORD}${LOADER}${START}` },
  '/patched': { body: `${HEAD}${HOST}<script>${PATCHES}</script>${RECORD}${LOADER}${START}` },
  '/frozen': { body: `${HEAD}${HOST}${RECORD}<script>${FREEZE}</script>${LOADER}${START}` },
  '/base': { body: `${HEAD}<base href="https://elsewhere.invalid/shop/" target="_top">${HOST}<script src="http://%SHOP%/shared/record.js"></script>${LOADER}${START}` },
  '/domain': { body: `${HEAD}<script>try { document.domain = document.domain; } catch {}</script>${HOST}${RECORD}${LOADER}${START}` },
  '/quirks': { body: `<title>A shop</title><center>${HOST}</center>${RECORD}${LOADER}${START}` },
  '/xhtml': {
    type: 'application/xhtml+xml',
    body: `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>A shop</title></head><body>${HOST}${RECORD}${LOADER}${START}</body></html>`,
  },
};

const world = openWorld(import.meta.url, {
  serve: (path) => {
    const page = PAGES[path];
    return page && { ...page, body: page.body.replace('%SHOP%', new URL(world.shop.origin).host) };
  },
});
const { test } = world;

for (const [path, what] of [
  ['/style', 'style for everything'],
  ['/patched', 'patched promises, listeners and timers'],
  ['/frozen', 'frozen prototypes'],
  ['/base', 'a base address elsewhere'],
  ['/domain', 'document.domain'],
  ['/quirks', 'quirks mode'],
  ['/xhtml', 'XHTML'],
]) {
  test(what, async () => {
    const page = await world.visit(path);
    // Playwright knows frames by the name of their element in capitals, which it does not have in XML.
    if (page.playwright && path === '/xhtml') page.playwright.$ = async () => ({ contentFrame: () => page.playwright.frames()[1], dispose() {} });
    const form = await cardForm(page).ready();
    // A token where scripts or style could be in its way; elsewhere a key shows enough.
    const isWhole = ['/style', '/patched', '/frozen', '/xhtml'].includes(path);
    await form.type(isWhole ? CARD : { number: VISA });
    assert.equal(await form.number.value(), '4242 4242 4242 4242');
    await fits(form);
    const frame = await page.box('#card iframe');
    const card = await page.box('#card');
    const below = await page.box('#below');
    assert.ok(frame.width >= Math.min(card.width - 40, 280) && frame.height > 200, `${frame.width} x ${frame.height}`);
    assert.ok(below.y >= frame.y + frame.height, 'what follows stands below');
    if (isWhole) {
      await form.code.press('Enter');
      await token(page);
    }
    const { console, errors, refused } = await heard(page);
    assert.deepEqual([console, errors, refused], [[], [], []]);
    if (path === '/frozen') {
      // Errors are made of what is frozen too.
      await page.evaluate(() => openWidget({ key: '' }));
      await page.waitFor(() => window.heard.refused.length > 0);
      assert.equal((await heard(page)).refused[0].id, 'parameter_missing');
    }
  });
}

test("the shop's style hides every frame, and stops doing so", async () => {
  const page = await world.visit('/hidden');
  const form = await cardForm(page).ready();
  assert.equal(await page.evaluate(() => document.querySelector('iframe')?.checkVisibility()), false, 'a shop has the last word');
  await page.evaluate(() => document.getElementById('rule')?.remove());
  await form.type({ number: VISA });
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
  await fits(form);
  assert.deepEqual((await heard(page)).console, []);
});

/** The frame is as high as its page. @param {import('../shared/form.mjs').CardForm} form */
const fits = (form) => form.waitFor(() => Math.abs(innerHeight - document.documentElement.getBoundingClientRect().height) <= 1);

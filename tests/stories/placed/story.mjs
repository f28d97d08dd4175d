// @ts-check
/**
 * Wherever a shop puts the form, in a shadow root, a dialog, a page from right to left, an enlarged, a
 * transformed or a hidden container, a card becomes a token there.
 */
import assert from 'node:assert/strict';
import { selectors } from 'playwright-core';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { CardForm, cardForm, heard, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

// Playwright too stops at a closed shadow root: `seen=` asks the page, as `see-through.js` has made it.
await selectors.register('seen', () => ({
  query: (/** @type {unknown} */ _, /** @type {string} */ selector) => document.querySelector(selector),
  queryAll: (/** @type {unknown} */ _, /** @type {string} */ selector) => [document.querySelector(selector)],
}));

for (const mode of /** @type {ShadowRootMode[]} */ (['open', 'closed'])) {
  test(`in a shadow root, ${mode}`, async () => {
    const page = await world.visit();
    await page.evaluate((mode) => {
      // One within another, as components are.
      const outer = /** @type {Element} */ (document.getElementById('place')).attachShadow({ mode });
      const component = document.createElement('div');
      outer.append(component);
      const inner = component.attachShadow({ mode });
      inner.innerHTML = '<style>iframe { outline: 3px solid; } div { padding: 10px; }</style><div id="card"></div>';
      openWidget({ selector: inner.getElementById('card'), onClose: ({ reason }) => console.info(reason) });
    }, mode);
    const form = new CardForm(page, `${world.engine === 'chromium' ? 'seen=' : ''}#card iframe`);
    await form.ready();
    await form.type(CARD);
    await form.code.press('Enter');
    await token(page);
    assert.equal(await page.evaluate(() => document.querySelectorAll('iframe').length), 0, 'it stands inside');
    // The component goes, and the widget with it, though nothing changes in its own tree.
    await page.evaluate(() => document.getElementById('place')?.remove());
    await page.waitFor(() => window.heard.console.length > 0);
    const { console, refused } = await heard(page);
    assert.deepEqual([console, refused], [['info removed'], []]);
  });
}

test('in a modal dialog: the keyboard stays in it, Escape is the shop\'s, and it can be shown again', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    /** @type {Element} */ (document.getElementById('place')).innerHTML = '<dialog id="dialog"><input id="first" aria-label="First"><div id="card"></div><button id="last">Close</button></dialog>';
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('dialog'));
    dialog.showModal();
    openWidget();
    dialog.addEventListener('keydown', ({ key, target }) => {
      if (key === 'Escape' && /** @type {Element} */ (target).tagName === 'IFRAME') dialog.close();
    });
  });
  const form = await cardForm(page).ready();
  await form.type({ number: VISA });
  /** @type {string[]} */
  const way = [];
  for (let step = 0; step < 9; step += 1) {
    const inside = await form.focused();
    way.push(inside || (await page.evaluate(() => (document.hasFocus() && document.activeElement?.id) || 'browser')));
    await page.press('Tab');
  }
  assert.ok(way.includes('submit') && way.includes('last'), way.join(' '));
  assert.deepEqual(way.filter((name) => name === 'before' || name === 'after'), [], way.join(' '));

  await form.number.focus();
  await form.number.press('Escape');
  await page.waitFor(() => !document.querySelector('dialog')?.open);
  await page.evaluate(() => document.querySelector('dialog')?.showModal());
  assert.equal(await form.number.value(), '4242 4242 4242 4242', 'what was typed is there');
  await form.type({ expiry: FUTURE, code: '123' });
  await form.button.click();
  await token(page);

  // A shop that closes the widget with the dialog gets an empty form.
  await page.evaluate(() => {
    const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));
    widget.close();
    dialog.close();
    dialog.showModal();
    widget.open();
  });
  await form.ready(2);
  assert.equal(await form.number.value(), '');
  await form.type({ number: '4' });
  assert.equal(await form.number.value(), '4');
});

test('from right to left', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    /** @type {HTMLElement} */ (document.getElementById('place')).innerHTML = '<div id="card" style="width: 320px; border: 1px solid"></div>';
    openWidget({ lang: 'uk' });
  });
  const form = await cardForm(page).ready();
  const card = await page.box('#card');
  const frame = await page.box('#card iframe');
  assert.ok(frame.x >= card.x && frame.x + frame.width <= card.x + card.width, 'the frame is in its place');
  assert.ok(card.x > 600, 'which is on the right');
  await form.type(CARD);
  assert.equal(await form.number.evaluate((input) => getComputedStyle(input).direction), 'ltr');
  await form.button.click();
  await token(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test('at 200 %', { without: {
  webkit: 'its zoom cannot be set from outside',
} }, async () => {
  const page = await world.visit('/', { viewport: { width: 500, height: 700 }, deviceScaleFactor: 2 });
  const inside = world.engine === 'firefox' ? /** @type {any} */ (page.engine).inside : async () => {};
  await inside('gBrowser.selectedBrowser.fullZoom = 2');
  try {
    await page.waitFor(() => devicePixelRatio === 2);
    await page.evaluate(() => {
      /** @type {HTMLElement} */ (document.getElementById('place')).id = 'card';
      openWidget();
    });
    const form = await cardForm(page).ready();
    await form.type(CARD);
    await fits(form);
    await form.code.press('Enter');
    await token(page);
  } finally {
    await inside('gBrowser.selectedBrowser.fullZoom = 1');
  }
});

test('hidden in every way, and shown later', async () => {
  const ways = ['display: none', 'visibility: hidden', 'content-visibility: hidden', 'width: 0; height: 0; overflow: hidden', 'opacity: 0'];
  const page = await world.visit();
  // The module takes its time: what is silent because it is hidden must not be taken for dead.
  const { release } = world.front.hold(/\.wasm$/);
  await page.evaluate((ways) => {
    /** @type {HTMLElement} */ (document.getElementById('place')).innerHTML = ways.map((way, index) => `<div style="${way}"><div id="card-${index}"></div></div>`).join('');
    ways.forEach((_, index) => openWidget({ selector: `card-${index}` }));
  }, ways);
  await page.waitFor(() => document.querySelectorAll('iframe').length === 5);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  release();
  await page.waitFor((count) => window.heard.ready.length + window.heard.refused.length >= count, ways.length);
  assert.deepEqual((await heard(page)).refused, []);
  assert.deepEqual(page.requests.filter(({ path }) => path.endsWith('/alive.js')), [], 'nobody has doubted it');
  for (const [index, way] of ways.entries()) {
    await page.evaluate((index) => document.getElementById(`card-${index}`)?.parentElement?.removeAttribute('style'), index);
    const form = cardForm(page, `#card-${index}`);
    await form.type({ number: VISA });
    assert.equal(await form.number.value(), '4242 4242 4242 4242', way);
    await fits(form);
    await page.evaluate((index) => document.getElementById(`card-${index}`)?.parentElement?.remove(), index);
  }
});

test('turned, shrunk and cut out', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.getElementById('place')).innerHTML =
      '<div style="transform: scale(.5); transform-origin: 0 0; filter: grayscale(1); border-radius: 20px; overflow: hidden; will-change: transform"><div id="card" style="contain: layout style"></div></div>';
    openWidget();
  });
  const form = await cardForm(page).ready();
  for (const [name, text] of Object.entries(CARD)) {
    // A click where it is seen.
    const outer = await page.evaluate(() => {
      const { x, y } = /** @type {Element} */ (document.querySelector('#card iframe')).getBoundingClientRect();
      return { x, y };
    });
    const inner = await form.evaluate((name) => {
      const { x, y, width, height } = /** @type {Element} */ (document.getElementById(name)).getBoundingClientRect();
      return { x: x + width - 20, y: y + height / 2 };
    }, name);
    await page.click({ x: outer.x + inner.x / 2, y: outer.y + inner.y / 2 });
    await form.waitFor((name) => document.hasFocus() && document.activeElement?.id === name, name);
    await page.type(text);
  }
  await page.press('Enter');
  await token(page);
});

/** The frame is as high as its page. @param {CardForm} form */
const fits = (form) => form.waitFor(() => Math.abs(innerHeight - document.documentElement.getBoundingClientRect().height) <= 1);

// @ts-check
/**
 * axe finds nothing, in any state, with every pair of language, look, scheme, template, type of form,
 * width, direction of the shop's page and kind of key. Each row below goes through every state, so a state meets all of them.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { axe } from '../shared/axe.mjs';
import { NOBODYS, VISA } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { ALIKE } from '../shared/engines.mjs';
import { openWorld } from '../shared/world.mjs';
import { states } from './states.mjs';
import { leave, named, namedOf, tree } from './tree.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const FRAME = '#card iframe';

/** The grounds on which the theme has the least contrast (docs/theme.md). */
const GROUND = { light: '#f4f5f7', dark: '#1f2228' };

/** What can be combined. A width is that of the frame: one column, the row without the button, the row with it. */
const FACTORS = {
  lang: ['uk', 'en', 'pl'],
  width: [320, 700, 940],
  scheme: ['light', 'dark'],
  style: ['plain', 'evo'],
  template: ['stacked', 'line'],
  type: ['full_card', 'pan_only'],
  dir: ['ltr', 'rtl'],
  key: ['test', 'live'],
};

/**
 * Every pair of values stands in one of them; a test counts.
 *
 * @type {[lang: string, width: number, scheme: 'light' | 'dark', style: string, template: string, type: string, dir: string, key: string][]}
 */
const ROWS = [
  ['uk', 320, 'dark', 'evo', 'line', 'full_card', 'ltr', 'test'],
  ['uk', 700, 'light', 'evo', 'stacked', 'full_card', 'rtl', 'test'],
  ['uk', 940, 'light', 'plain', 'line', 'pan_only', 'rtl', 'live'],
  ['en', 320, 'light', 'plain', 'stacked', 'full_card', 'rtl', 'live'],
  ['en', 700, 'dark', 'plain', 'line', 'pan_only', 'ltr', 'live'],
  ['en', 940, 'dark', 'evo', 'line', 'pan_only', 'rtl', 'test'],
  ['pl', 320, 'light', 'plain', 'stacked', 'pan_only', 'ltr', 'test'],
  ['pl', 700, 'dark', 'evo', 'line', 'pan_only', 'rtl', 'live'],
  ['pl', 940, 'dark', 'evo', 'stacked', 'full_card', 'ltr', 'test'],
];

/** Chromium alone can pretend to have these. */
const CHROMIUM = {
  firefox: 'what the system asks for is emulated in Chromium alone',
  webkit: 'what the system asks for is emulated in Chromium alone',
};

test('the rows hold every pair', () => {
  /** @type {(string | number)[][]} */
  const values = Object.values(FACTORS);
  for (const row of ROWS) row.forEach((value, factor) => assert.ok(values[factor].includes(value), String(value)));
  for (let one = 0; one < values.length; one += 1) {
    for (let other = 0; other < one; other += 1) {
      for (const first of values[one]) {
        for (const second of values[other]) {
          assert.ok(ROWS.some((row) => row[one] === first && row[other] === second), `${first} with ${second}`);
        }
      }
    }
  }
});

for (const [at, row] of ROWS.entries()) {
  // Elsewhere one of each language and width.
  test(row.join(', '), { without: at % 4 ? ALIKE : {} }, async () => {
    const [lang, width, scheme, style, template, type, dir, key] = row;
    const page = await open({ lang, colorScheme: scheme, style, template, type, amount: 1234.5, currency: 'UAH' }, { width, dir, live: key === 'live' });
    const found = [];
    for await (const state of states(world, cardForm(page), key === 'live' ? NOBODYS : VISA)) {
      const shop = state === 'empty' || state === 'done';
      found.push(...(await axe(page, { ground: GROUND[scheme], shop })).map((line) => `${state}: ${line}`));
    }
    assert.deepEqual(found, []);
  });
}

for (const [name, emulated, ground] of /** @type {const} */ ([
  ['reduced motion', { reducedMotion: 'reduce' }, 'light'],
  ['more contrast', { contrast: 'more' }, 'light'],
  ['a dark system', { colorScheme: 'dark' }, 'dark'],
  ['forced colors, light', { forcedColors: 'active', colorScheme: 'light' }, 'light'],
  ['forced colors, dark', { forcedColors: 'active', colorScheme: 'dark' }, 'dark'],
])) {
  test(name, { without: CHROMIUM }, async () => {
    const page = await open({ colorScheme: 'auto' }, { dark: ground === 'dark', emulated });
    const found = [];
    for await (const state of states(world, cardForm(page))) {
      // In forced colors axe takes the colours that are asked for, not those that are shown; the system's are the person's own.
      const without = 'forcedColors' in emulated ? ['color-contrast', 'color-contrast-enhanced'] : [];
      const lines = await axe(page, { ground: GROUND[ground], shop: false, without });
      found.push(...lines.map((line) => `${state}: ${line}`));
    }
    assert.deepEqual(found, []);
  });
}

test('while it is busy something moves, and nothing for who wants that', { without: CHROMIUM }, async () => {
  for (const [reducedMotion, moving] of /** @type {const} */ ([['no-preference', 1], ['reduce', 0]])) {
    const page = await open({}, { emulated: { reducedMotion } });
    const form = cardForm(page);
    for await (const state of states(world, form)) {
      const count = await form.evaluate(() => document.getAnimations().length);
      assert.equal(count, state === 'busy' ? moving : 0, state);
    }
  }
});

for (const lang of FACTORS.lang) {
  test(`a form that is refused (${lang})`, async () => {
    const page = await world.visit('/shared/checkout.html');
    await page.evaluate((lang) => openWidget({ key: 'wk_nobody', lang }), lang);
    await page.waitFor(() => window.heard.refused.length > 0);
    assert.deepEqual(await axe(page, { ground: GROUND.light }), []);
  });
}

test('axe sees what it is there for', async () => {
  const page = await open({}, {});
  const form = cardForm(page);
  const worse = {
    label: () => document.getElementById('number-label')?.remove(),
    'color-contrast': () => document.getElementById('code-note')?.style.setProperty('color', '#999'),
    'color-contrast-enhanced': () => document.getElementById('code-note')?.style.setProperty('color', '#666'),
    'aria-valid-attr-value': () => document.getElementById('code')?.setAttribute('aria-invalid', 'perhaps'),
    'button-name': () => document.getElementById('submit')?.replaceChildren(),
    'autocomplete-valid': () => document.getElementById('expiry')?.setAttribute('autocomplete', 'cc-date'),
    'html-has-lang': () => document.documentElement.removeAttribute('lang'),
    'document-title': () => { document.title = ''; },
  };
  for (const [rule, change] of Object.entries(worse)) {
    await form.evaluate(change);
    const found = await axe(page, { ground: GROUND.light, shop: false });
    assert.ok(found.some((line) => line.includes(`| ${rule} |`)), `${rule}: ${found.join('\n')}`);
  }
  await page.evaluate(() => document.querySelector('iframe')?.removeAttribute('title'));
  assert.match((await axe(page)).join('\n'), /shop \| wrong \| frame-title/);
});

for (const [name, params] of /** @type {const} */ ([
  ['full_card', { lang: 'en' }],
  ['pan_only', { lang: 'uk', type: 'pan_only' }],
])) {
  test(`the accessibility tree of each state (${name})`, async () => {
    const page = await open(params, {});
    for await (const state of states(world, cardForm(page))) await compareTree(page, `${name}/${state.replace(' ', '-')}`);
  });
}

test('the accessibility tree of a form that is refused', async () => {
  const page = await world.visit('/shared/checkout.html');
  await page.evaluate(() => openWidget({ key: 'wk_nobody' }));
  await page.waitFor(() => window.heard.refused.length > 0);
  await compareTree(page, 'refused-form');
});

test('a tree that changes is noticed', async () => {
  const page = await open({}, {});
  await cardForm(page).evaluate(() => document.getElementById('code')?.setAttribute('aria-label', 'CVV'));
  await assert.rejects(compareTree(page, 'full_card/empty', 500));
  await leave(page);
});

/**
 * Compares the frame's tree with the file of that name. With `TREES=write`, Chromium writes the files anew.
 *
 * @param {import('../shared/page.mjs').Page} page
 * @param {string} name
 */
async function compareTree(page, name, patience = 3000) {
  const file = new URL(`trees/${name}.txt`, import.meta.url);
  if (process.env.TREES === 'write' && world.engine === 'chromium' && patience === 3000) {
    mkdirSync(new URL('./', file), { recursive: true });
    writeFileSync(file, await tree(page, FRAME));
  }
  const kept = readFileSync(file, 'utf8');
  assert.doesNotMatch(kept, /\d(\D?\d){3}/, 'digits of a card');
  const wanted = world.engine === 'webkit' ? namedOf(kept) : kept;
  const read = world.engine === 'webkit' ? named : tree;
  // Trees are built beside the page, in Firefox in another process.
  let now = await read(page, FRAME);
  for (const end = Date.now() + patience; now !== wanted && Date.now() < end; now = await read(page, FRAME)) await sleep(50);
  assert.equal(now, wanted, name);
}

/**
 * A shop's page whose form works.
 *
 * @param {object} params
 * @param {{ width?: number, dir?: string, dark?: boolean, live?: boolean, emulated?: object }} place
 */
async function open(params, { width, dir = 'ltr', dark = 'colorScheme' in params && params.colorScheme === 'dark', live, emulated }) {
  const page = await world.visit('/shared/checkout.html', emulated);
  const key = live ? world.service.addKey(world.shop.origin, { live }) : 'wk_sandbox';
  await page.evaluate(
    ([params, width, dir, dark]) => {
      // Of the element, as not every window can be made that narrow.
      document.getElementById('card')?.style.setProperty('width', width);
      document.documentElement.dir = dir;
      document.documentElement.classList.toggle('dark', dark);
      openWidget(params);
    },
    /** @type {const} */ ([{ ...params, key }, width ? `${width}px` : 'auto', dir, dark]),
  );
  await cardForm(page).ready();
  return page;
}

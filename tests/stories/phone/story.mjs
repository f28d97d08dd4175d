/** Line 5.3 on phones: sizes, touch, and what remains above a soft keyboard. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url, { without: {
  firefox: 'phones and touch can be emulated in Chromium alone',
  webkit: 'phones and touch can be emulated in Chromium alone',
} });
const { test } = world;

const phone = (width, height) => ({ viewport: { width, height }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
/** Smallest side of what a finger shall hit, CSS pixels: WCAG 2.2, 2.5.5 (AAA). */
const TARGET = 44;
/** Below this, iOS zooms into a field that is focused. */
const FONT = 16;

async function tap(form, selector) {
  const { x, y, width, height } = await form.page.box(selector, form.frame);
  await form.page.playwright.touchscreen.tap(x + width / 2, y + height / 2);
}

for (const [width, height] of [[280, 653], [320, 568], [360, 740], [390, 844], [412, 915], [844, 390]]) {
  for (const query of ['', '?template=line', '?type=pan_only', '?lang=uk']) {
    test(`${width} × ${height}${query && `, ${query.slice(1)}`}: nothing overflows, fingers hit, nobody zooms`, async () => {
      const page = await world.visit(`/${query}`, phone(width, height));
      const form = await cardForm(page).ready();
      const found = await form.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        cut: document.documentElement.scrollHeight - innerHeight,
        targets: [...document.querySelectorAll('input[inputmode], button')].map((element) => {
          const { x, width, height } = element.getBoundingClientRect();
          const { fontSize } = getComputedStyle(element);
          return { id: element.id, width, height, font: parseFloat(fontSize), inside: x >= 0 && x + width <= innerWidth };
        }),
        modes: [...document.querySelectorAll('input[autocomplete]')].map(({ inputMode }) => inputMode),
      }));
      assert.ok(found.overflow <= 0 && found.cut <= 1, JSON.stringify(found));
      for (const { id, width, height, font, inside } of found.targets) {
        assert.ok(inside, `${id} is inside`);
        assert.ok(width >= TARGET && height >= TARGET, `${id}: ${width} × ${height}`);
        assert.ok(font >= FONT, `${id}: ${font} px`);
      }
      assert.deepEqual(new Set(found.modes), new Set(['numeric']));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the shop’s page does not scroll sideways');
    });
  }
}

test('by touch, from field to field, to a token', async () => {
  const page = await world.visit('/', phone(360, 740));
  const form = await cardForm(page).ready();
  for (const [field, text] of [['number', VISA], ['expiry', FUTURE], ['code', '123']]) {
    await tap(form, `#${field}`);
    await form.waitFor((id) => document.activeElement?.id === id, field);
    await page.type(text);
  }
  await tap(form, '#submit');
  assert.equal((await token(page)).card_mask, '42424242****4242');
});

test('the networks of a co-badged card by touch', async () => {
  const page = await world.visit('/', phone(320, 568));
  const form = await cardForm(page).ready();
  await tap(form, '#number');
  await page.type('650035');
  await form.waitFor(() => !document.querySelector('#networks').hidden);
  const sizes = await form.evaluate(() =>
    [...document.querySelectorAll('#networks label')].map((label) => {
      const { width, height } = label.getBoundingClientRect();
      return Math.min(width, height);
    }),
  );
  assert.ok(sizes.length === 2 && sizes.every((size) => size >= TARGET), `${sizes}`);
  await tap(form, 'label:has(#network-1)');
  await page.waitFor(() => window.heard.changes.at(-1)?.brand === 'discover');
});

test('in what a soft keyboard leaves, the field in use and the first wrong one are in view', async () => {
  const page = await world.visit('/', phone(360, 300));
  const form = await cardForm(page).ready();
  await page.evaluate(() => {
    document.body.style.paddingTop = '400px';
    document.body.style.paddingBottom = '900px';
  });
  const inView = (id) =>
    page.waitFor(
      ([top, bottom]) => {
        const { y } = document.querySelector('#card iframe').getBoundingClientRect();
        return y + top >= 0 && y + bottom <= visualViewport.height;
      },
      id,
    );
  const edges = (id) =>
    form.evaluate((id) => {
      const { top, bottom } = document.getElementById(id).getBoundingClientRect();
      return [top, bottom];
    }, id);
  for (const id of ['number', 'expiry', 'code']) {
    await tap(form, `#${id}`);
    await form.waitFor((id) => document.activeElement?.id === id, id);
    await inView(await edges(id));
  }
  await tap(form, '#submit');
  await form.waitFor(() => document.activeElement?.id === 'number');
  await inView(await edges('number'));
});

// @ts-check
/**
 * Enlarged, by the browser or in its text alone, or with wider spacing (WCAG 1.4.4, 1.4.10,
 * 1.4.12), nothing is cut off, covered or out of reach, and the frame is as high as it has to be.
 */
import assert from 'node:assert/strict';
import { states } from '../accessibility/states.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** What WCAG 1.4.12 lets a person set. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

for (const template of ['stacked', 'line']) {
  for (const [zoom, width] of [[2, 640], [4, 320]]) {
    test(`the page at ${zoom * 100} % of 1280 px, ${template}`, { without: {
      firefox: 'the next test zooms it for real',
      webkit: 'its zoom cannot be set from outside',
    } }, async () => {
      const { page, form } = await open({ template }, { viewport: { width, height: 1024 / zoom }, deviceScaleFactor: zoom });
      await walk(page, form, `${template} at ${zoom}`);
    });
  }

  test(`zoomed by the browser, whole and text alone, ${template}`, { without: {
    chromium: 'the test before pretends it',
    webkit: 'its zoom cannot be set from outside',
  } }, async () => {
    for (const [kind, zoom] of [['fullZoom', 2], ['fullZoom', 3], ['textZoom', 2]]) {
      const { page, form } = await open({ template });
      await inside(page, `gBrowser.selectedBrowser.${kind} = ${zoom}`);
      if (kind === 'fullZoom') await page.waitFor((zoom) => devicePixelRatio === zoom, zoom);
      else await form.waitFor(() => Number(document.getElementById('submit')?.getBoundingClientRect().height) > 50);
      await walk(page, form, `${kind} ${zoom}`);
      await inside(page, `gBrowser.selectedBrowser.${kind} = 1`);
    }
  });

  for (const width of [320, 640, 940]) {
    test(`text of twice the size, and spaced, at ${width} px, ${template}`, async () => {
      for (const rules of ['html { font-size: 32px !important; }', SPACING]) {
        const { page, form } = await open({ template, lang: 'uk', amount: 1234567.89, currency: 'UAH' });
        await page.evaluate((width) => document.getElementById('card')?.style.setProperty('width', `${width}px`), width);
        await form.evaluate((rules) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(rules);
          document.adoptedStyleSheets.push(sheet);
        }, rules);
        await walk(page, form, `${width}: ${rules}`);
      }
    });
  }
}

test('what is cut off or covered is noticed', async () => {
  const { page, form } = await open();
  const worse = [
    () => document.getElementById('submit')?.style.setProperty('white-space', 'nowrap'),
    () => document.getElementById('code-note')?.style.setProperty('margin-top', '-40px'),
  ];
  await page.evaluate(() => document.getElementById('card')?.style.setProperty('width', '280px'));
  await form.evaluate(() => { /** @type {HTMLElement} */ (document.getElementById('submit')).textContent = 'A text that does not fit into one line of that width'; });
  await fits(form, 'a long text');
  assert.deepEqual(await form.evaluate(lost), []);
  for (const change of worse) {
    await form.evaluate(change);
    assert.notDeepEqual(await form.evaluate(lost), []);
    await form.evaluate(() => document.querySelectorAll('[style]').forEach((element) => element !== document.documentElement && element.removeAttribute('style')));
  }
});

/** @param {object} [params] @param {import('playwright-core').BrowserContextOptions} [emulated] */
async function open(params = {}, emulated = { viewport: { width: 1280, height: 1600 } }) {
  const page = await world.visit('/', emulated);
  await page.evaluate((params) => openWidget(params), params);
  return { page, form: await cardForm(page).ready() };
}

/** @param {any} page @param {string} script */
const inside = (page, script) => page.engine.inside(script);

/**
 * @param {import('../shared/page.mjs').Page} page
 * @param {import('../shared/form.mjs').CardForm} form
 * @param {string} what
 */
async function walk(page, form, what) {
  for await (const state of states(world, form)) {
    const name = `${what}, ${state}`;
    await fits(form, name);
    assert.deepEqual(await form.evaluate(lost), [], name);
    const outside = await page.evaluate(() => {
      const frame = /** @type {HTMLElement} */ (document.querySelector('iframe')).getBoundingClientRect();
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth <= clientWidth || frame.right <= clientWidth, /** @type {HTMLElement} */ (document.querySelector('#card + p')).getBoundingClientRect().top >= frame.bottom];
    });
    assert.deepEqual(outside, [true, true], `${name}: sideways, below`);
  }
}

/** The frame tells its height, the loader gives it that, and it takes it over. @param {import('../shared/form.mjs').CardForm} form @param {string} what */
async function fits(form, what) {
  try {
    await form.waitFor(() => Math.abs(innerHeight - document.documentElement.getBoundingClientRect().height) <= 1);
  } catch (error) {
    throw new Error(`${what}: the frame is not as high as its page`, { cause: error });
  }
}

/** What cannot be read or reached in whole. Runs in the frame. */
function lost() {
  const parts = [...document.querySelectorAll('label, legend, .note, .test, input:not([type=radio]), button, #status')].filter(
    (element) => element.checkVisibility() && (element instanceof HTMLInputElement || element.textContent),
  );
  const found = [];
  const boxes = parts.map((element) => element.getBoundingClientRect());
  for (const [index, element] of parts.entries()) {
    const name = element.id || element.textContent?.trim() || element.tagName;
    const { left, top, right, bottom, height } = boxes[index];
    if (left < -0.5 || top < -0.5 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`${name} sticks out`);
    if (element instanceof HTMLInputElement) {
      if (height < parseFloat(getComputedStyle(element).fontSize) * 1.2) found.push(`${name} is too low for its text`);
    } else if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) {
      found.push(`${name} is cut off`);
    }
    for (let other = 0; other < index; other += 1) {
      const box = boxes[other];
      const apart = left >= box.right - 0.5 || box.left >= right - 0.5 || top >= box.bottom - 0.5 || box.top >= bottom - 0.5;
      if (!apart && !parts[other].contains(element)) found.push(`${name} lies on ${parts[other].id || parts[other].textContent}`);
    }
  }
  return found;
}

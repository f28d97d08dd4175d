/** How the form looks: nothing jumps, nothing is cut off, and what a shop sets is what is seen. */
import assert from 'node:assert/strict';
import { FUTURE, VISA, WRONG } from '../shared/cards.mjs';
import { ALIKE } from '../shared/engines.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** RuPay and JCB on one card. */
const SHARED = '3538000000000005';

/** What the emulation of the system's settings is for. */
const CHROMIUM_ALONE = 'nothing here can set what the system prefers';

for (const lang of ['uk', 'en', 'pl']) {
  const without = lang === 'uk' ? {} : ALIKE;
  test(`${lang}: the height held free is the height that the form has`, { without }, async () => {
    const page = await world.visit();
    for (const type of ['full_card', 'pan_only']) {
      for (const template of ['stacked', 'line']) {
        for (const width of [280, 320, 639, 640, 719, 720, 899, 900, 1280]) {
          const ready = await page.evaluate(() => window.heard.ready.length);
          await page.evaluate(([width, params]) => { window.heights = []; openIn(width, params); }, [width, { lang, type, template }]);
          await cardForm(page).ready(ready + 1);
          await settled(page);
          const heights = await page.evaluate(() => window.heights);
          assert.equal(new Set(heights).size, 1, `${type}, ${template}, ${width} px: ${heights}`);
        }
      }
    }
  });

  test(`${lang}: errors come and go without moving anything`, { without }, async () => {
    const page = await world.visit();
    for (const [width, template] of [
      [280, 'stacked'], [320, 'stacked'], [500, 'stacked'], [720, 'stacked'], [640, 'line'], [768, 'line'], [900, 'line'], [1024, 'line'],
    ]) {
      const form = await open(page, width, { lang, template });
      const before = await height(page);
      await form.number.type(WRONG);
      await form.expiry.type('13');
      await form.code.type('1');
      await form.button.click();
      await form.waitFor(() => document.querySelectorAll('[aria-invalid="true"]').length === 3);
      await settled(page);
      assert.equal(await height(page), before, `${template}, ${width} px`);
    }
  });
}

test('long texts of the shop break, and push what is below them', async () => {
  const page = await world.visit();
  const long = 'Donaudampfschifffahrtsgesellschaftskartennummernfeld und noch ein langer Text dazu';
  const locale = {
    en: { cardNumber: long, expiryDate: long, cvv: long, submit: long, hints: { cvvHint: long }, errors: { cardNumber: long, expiryDate: long, cvv: long } },
  };
  for (const [width, template] of [[280, 'stacked'], [480, 'stacked'], [640, 'line'], [900, 'line']]) {
    const form = await open(page, width, { locale, template, theme: { fontSize: '24px' } });
    await form.number.press('Enter');
    await form.waitFor(() => document.querySelectorAll('[aria-invalid="true"]').length === 3);
    await settled(page);
    assert.deepEqual(await form.evaluate(cutOrCovered), [], `${template}, ${width} px`);
  }
});

test('the two networks of a card fit at 280 px, and in one row of `line`', async () => {
  const page = await world.visit();
  for (const [width, template] of [[280, 'stacked'], [640, 'line'], [900, 'line']]) {
    const form = await open(page, width, { template });
    await form.number.type(SHARED);
    await form.waitFor(() => !(/** @type {HTMLElement} */ (document.querySelector('#networks')).hidden));
    await settled(page);
    assert.deepEqual(await form.evaluate(cutOrCovered), [], `${template}, ${width} px`);
  }
});

test('nineteen digits of the widest are not covered by the mark', async () => {
  const page = await world.visit();
  const form = await open(page, 280);
  await form.number.type('6200000000000000003');
  const [text, mark] = await form.evaluate(() => {
    const input = document.querySelector('#number');
    const box = input.getBoundingClientRect();
    const { paddingRight } = getComputedStyle(input);
    return [box.right - parseFloat(paddingRight), document.querySelector('#brand').getBoundingClientRect().left];
  });
  assert.ok(text <= mark, 'the text ends where the mark begins, and scrolls');
});

test('what can be touched is 44 px high or more, and text is never below 16 px in a field', async () => {
  const page = await world.visit();
  for (const template of ['stacked', 'line']) {
    const form = await open(page, 280, { template });
    await form.number.type(SHARED);
    await form.waitFor(() => !(/** @type {HTMLElement} */ (document.querySelector('#networks')).hidden));
    const found = await form.evaluate(() =>
      [...document.querySelectorAll('input:not([type=radio]), fieldset label, button')].map((element) => {
        const { height } = element.getBoundingClientRect();
        return [element.id || element.textContent, height >= 44, parseFloat(getComputedStyle(element).fontSize) >= (element.matches('label') ? 14 : 16)];
      }),
    );
    assert.equal(found.length, 6);
    for (const [what, high, large] of found) assert.ok(high && large, what);
  }
});

test('update changes the look and keeps what was typed', async () => {
  const page = await world.visit();
  const form = await open(page, 700);
  await form.type({ number: VISA, expiry: FUTURE, code: '12' });
  const look = () =>
    form.evaluate(() => {
      const input = document.querySelector('#number');
      const { borderTopLeftRadius, backgroundColor, color, fontSize } = getComputedStyle(input);
      const other = document.querySelector('#expiry').getBoundingClientRect().top === input.getBoundingClientRect().top;
      return { radius: borderTopLeftRadius, field: backgroundColor, text: color, fontSize, line: other, values: [...document.querySelectorAll('input')].map(({ value }) => value).slice(0, 1) };
    });
  const first = await look();
  assert.deepEqual([first.radius, first.field, first.text, first.line], ['8px', 'rgb(255, 255, 255)', 'rgb(17, 34, 51)', false]);
  const steps = [
    [{ style: 'evo' }, { radius: '16px', field: 'rgb(244, 244, 250)' }],
    [{ template: 'line' }, { line: true }],
    [{ colorScheme: 'dark' }, { field: 'rgb(34, 34, 51)', text: 'rgb(238, 238, 255)' }],
    [{ theme: { radius: '3px', field: '#fed #123', fontSize: '20px' } }, { radius: '3px', field: 'rgb(17, 34, 51)', fontSize: '20px' }],
    [{ colorScheme: 'light' }, { field: 'rgb(255, 238, 221)', text: 'rgb(17, 34, 51)' }],
    [{ theme: {} }, { radius: '16px', field: 'rgb(244, 244, 250)', fontSize: '16px' }],
    [{ template: 'stacked', style: 'plain' }, first],
  ];
  for (const [change, wanted] of steps) {
    await page.evaluate((change) => window.widget.update(change), change);
    const names = Object.keys(wanted);
    let seen;
    for (let turn = 0; turn < 200; turn += 1) {
      const now = await look();
      seen = Object.fromEntries(names.map((name) => [name, now[name]]));
      if (JSON.stringify(seen) === JSON.stringify(Object.fromEntries(names.map((name) => [name, wanted[name]])))) break;
      await settled(page);
    }
    assert.deepEqual(seen, Object.fromEntries(names.map((name) => [name, wanted[name]])), JSON.stringify(change));
    assert.deepEqual((await look()).values, first.values);
  }
});

test('a theme that is not allowed is told to the shop, and leaves the look as it is', async () => {
  const page = await world.visit();
  const form = await open(page, 320, { theme: { accent: 'url(https://attacker.test)', text: '#000;color:red', nonsense: '#000', radius: '4px' } });
  assert.equal(await form.evaluate(() => document.documentElement.getAttribute('style')), '--radius: 4px;');
  await page.waitFor(() => window.heard.console.filter((line) => line.startsWith('warn CardWidget: "theme.')).length >= 3);
  const told = (await page.evaluate(() => window.heard.console)).join('\n');
  for (const name of ['accent', 'text', 'nonsense']) assert.ok(told.includes(`"theme.${name}" is ignored`), name);
  assert.ok(!told.includes('attacker'));
});

test('the keyboard is seen: a ring of two pixels around whatever has it', async () => {
  const page = await world.visit();
  const form = await open(page, 320);
  await form.number.focus();
  for (const id of ['number', 'expiry', 'code', 'submit']) {
    const [focused, style, width] = await form.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return [document.activeElement.id, outlineStyle, outlineWidth];
    });
    assert.deepEqual([focused, style, width], [id, 'solid', '2px']);
    await page.press('Tab');
  }
});

test('from the right to the left: values stay as they are, and the mark stays clear of them', async () => {
  const page = await world.visit();
  await page.evaluate(() => { document.dir = 'rtl'; });
  const form = await open(page, 320);
  await form.evaluate(() => { document.documentElement.dir = 'rtl'; });
  await form.number.type(VISA);
  const seen = await form.evaluate(() => {
    const input = document.querySelector('#number');
    const label = document.querySelector('#number-label').getBoundingClientRect();
    const mark = document.querySelector('#brand').getBoundingClientRect();
    const box = input.getBoundingClientRect();
    return [getComputedStyle(input).direction, label.right > box.right - 2, mark.left > box.left + box.width / 2];
  });
  assert.deepEqual(seen, ['ltr', true, true]);
  assert.deepEqual(await form.evaluate(cutOrCovered), []);
});

test('what the system prefers: less motion, its own colours, dark', { without: { firefox: CHROMIUM_ALONE, webkit: CHROMIUM_ALONE } }, async () => {
  for (const reducedMotion of ['reduce', 'no-preference']) {
    const page = await world.visit('/', { reducedMotion });
    const form = await open(page, 320);
    const { release } = world.front.hold(/\/tokens$/);
    await form.type({ number: VISA, expiry: FUTURE, code: '123' });
    await form.button.click();
    await form.waitFor(() => document.querySelector('[aria-busy="true"]'));
    assert.equal(await form.evaluate(() => document.getAnimations().length), reducedMotion === 'reduce' ? 0 : 1);
    release();
  }

  const forced = await world.visit('/', { forcedColors: 'active' });
  const form = await open(forced, 320);
  await form.number.type(WRONG);
  await form.button.click();
  await form.wrong();
  const borders = await form.evaluate(() => [...document.querySelectorAll('#number, #submit')].map((element) => getComputedStyle(element).borderTopStyle));
  assert.deepEqual(borders, ['dashed', 'solid'], 'a wrong field is another one by its border too');

  const dark = await world.visit('/', { colorScheme: 'dark' });
  const automatic = await open(dark, 320, { colorScheme: 'auto', theme: { text: '#123456' } });
  const [field, text] = await automatic.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector('#number'));
    return [backgroundColor, color];
  });
  assert.equal(field, 'rgb(34, 34, 51)');
  assert.match(text, /^oklch\(0\.9\d/, 'light, of the same hue');
});

/** A form in a host of that width, ready. */
async function open(page, width, params = {}) {
  const ready = await page.evaluate(() => window.heard.ready.length);
  await page.evaluate(([width, params]) => openIn(width, params), [width, params]);
  const form = await cardForm(page).ready(ready + 1);
  await settled(page);
  return form;
}

/** Lets the frame tell its height, and the page take it over. */
async function settled(page) {
  await page.waitFor(
    async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return true;
    },
  );
  const needed = () => page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return Math.ceil(document.documentElement.getBoundingClientRect().height);
  }, undefined, '#card iframe');
  await page.waitFor((height) => document.querySelector('iframe').clientHeight === height, await needed());
}

const height = (page) => page.evaluate(() => document.querySelector('iframe').clientHeight);

/** What is cut off, sticks out of the frame, or lies on something else. Runs in the frame. */
function cutOrCovered() {
  const found = [];
  const parts = [...document.querySelectorAll('label, legend, .note, .test, .mark, input, button, #status')].filter(
    (element) => element.getClientRects().length && (element.matches('input, .mark') || element.textContent),
  );
  const boxes = parts.map((element) => element.getBoundingClientRect());
  for (const [at, element] of parts.entries()) {
    const name = element.id || element.textContent || element.tagName;
    const { left, right, top, bottom } = boxes[at];
    if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) found.push(`${name} sticks out`);
    if (!element.matches('input, .mark') && element.scrollWidth > element.clientWidth + 1) found.push(`${name} is cut off`);
    for (const [other, box] of boxes.entries()) {
      const inside = parts[other].contains(element) || element.contains(parts[other]);
      // The mark of the brand stands in its field, where the text leaves room for it.
      const atHome = element.closest('#brand') || parts[other].closest('#brand');
      if (other <= at || inside || atHome) continue;
      if (left < box.right - 0.5 && box.left < right - 0.5 && top < box.bottom - 0.5 && box.top < bottom - 0.5) {
        found.push(`${name} lies on ${parts[other].id || parts[other].textContent}`);
      }
    }
  }
  return found;
}

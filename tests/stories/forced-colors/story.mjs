// @ts-check
/**
 * In the colours that a person forces on every page: what is a field, wrong, focused, chosen or busy
 * is told by lines, never by a colour of ours.
 */
import assert from 'node:assert/strict';
import { states } from '../accessibility/states.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const REASON = 'forced colors can be emulated in Chromium alone';
const world = openWorld(import.meta.url, { without: { firefox: REASON, webkit: REASON } });
const { test } = world;

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`${colorScheme}: every state is told apart by its lines`, async () => {
    const page = await world.visit('/shared/checkout.html', { forcedColors: 'active', colorScheme });
    await page.evaluate(() => openWidget({ colorScheme: 'auto', theme: { border: '#fff #000', field: '#fff #000', error: '#fff #000', accent: '#fff #000' } }));
    const form = await cardForm(page).ready();
    for await (const state of states(world, form)) {
      const { ground, boxes, mark, busy, networks, test } = await form.evaluate(look);
      for (const { id, border, invalid, focused, outline, text, note } of boxes) {
        const name = `${state}: ${id}`;
        assert.ok(contrast(border.color, ground) >= 3, `${name} has a border: ${border.color} on ${ground}`);
        assert.deepEqual([border.style, border.width], invalid ? ['dashed', '2px'] : ['solid', '1px'], name);
        assert.ok(contrast(text, ground) >= 7, `${name} can be read`);
        if (invalid) assert.ok(note && note.length > 5, `${name} says what is wrong`);
        assert.equal(outline.style, focused ? 'solid' : 'none', `${name}: ring`);
        if (focused) assert.ok(contrast(outline.color, ground) >= 3, `${name}: ${outline.color} on ${ground}`);
      }
      assert.deepEqual(test, ['dashed', '1px'], state);
      // Drawn in colours of its own: light letters on a dark ground.
      assert.ok(contrast(mark.letters, mark.ground) >= 4.5, `${state}: ${mark.letters} on ${mark.ground}`);
      assert.equal(busy, state === 'busy' ? '4px solid' : '', state);
      assert.equal(networks, state === 'networks' ? 2 : 0, state);
    }
  });
}

/** What is seen of the form, as far as it is told by lines. Runs in the frame. */
function look() {
  const after = getComputedStyle(/** @type {Element} */ (document.getElementById('submit')), '::after');
  const mark = /** @type {Element} */ (document.querySelector('#brand .mark'));
  // The mark itself lies in the shadow of `use`; what it is a copy of has the same colours.
  const symbol = document.querySelector(mark.querySelector('use')?.getAttribute('href') ?? '#mark-') ?? document.getElementById('mark-visa');
  const canvas = document.createElement('i');
  canvas.style.color = 'Canvas';
  document.body.append(canvas);
  const ground = getComputedStyle(canvas).color;
  canvas.remove();
  const test = getComputedStyle(/** @type {Element} */ (document.getElementById('test')));
  return {
    ground,
    boxes: [...document.querySelectorAll('.box input, button')].map((element) => {
      const style = getComputedStyle(element);
      return {
        id: element.id,
        border: { color: style.borderTopColor, style: style.borderTopStyle, width: style.borderTopWidth },
        invalid: element.hasAttribute('aria-invalid'),
        focused: element === document.activeElement && element.matches(':focus-visible'),
        outline: { style: style.outlineStyle, color: style.outlineColor },
        text: style.color,
        note: document.getElementById(`${element.id}-note`)?.textContent,
      };
    }),
    mark: {
      ground: getComputedStyle(/** @type {Element} */ (symbol?.querySelector('path'))).fill,
      letters: getComputedStyle(/** @type {Element} */ (symbol?.querySelector('text'))).fill,
    },
    busy: after.content === 'none' ? '' : `${after.borderBottomWidth} ${after.borderBottomStyle}`,
    networks: [...document.querySelectorAll('fieldset .mark')].filter((element) => element.checkVisibility()).length,
    test: [test.borderTopStyle, test.borderTopWidth],
  };
}

/** WCAG 2.2's contrast of two opaque or nearly opaque colours, the first one laid on the second. @param {string} front @param {string} back */
function contrast(front, back) {
  const [below] = [parts(back)];
  const [red, green, blue, alpha = 1] = parts(front);
  const above = [red, green, blue].map((value, index) => value * alpha + below[index] * (1 - alpha));
  const [light, dark] = [luminance(above), luminance(below)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} color `rgb(…)` or `rgba(…)` */
function parts(color) {
  const numbers = color.match(/[\d.]+/g)?.map(Number) ?? [];
  assert.ok(/^rgba?\(/.test(color) && numbers.length >= 3, color);
  return numbers;
}

/** @param {number[]} color */
function luminance(color) {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

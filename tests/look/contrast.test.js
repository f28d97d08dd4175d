// @ts-check
/** Contrast of every pair of colours that meet in the form, and of those that follow from a shop's values. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contrast, darken, parse, textOn } from '../../www/playground/colours.js';
import { DEFAULTS, PAIRS, findContrast } from '../../www/playground/contrast.js';
import { AA, AAA, COLOURS, LIGHTEST_DARK, LOOKS, NOT_TEXT, PAGE, marks, valuesOf, withTables, worst } from './theme.js';

const WHITE = parse('#fff');

test('contrast is the one of WCAG', () => {
  for (const [one, other, ratio] of /** @type {const} */ ([
    ['#000', '#fff', 21],
    ['#777', '#fff', 4.478],
    ['#767676', '#fff', 4.542],
    ['#123456', '#123456', 1],
  ])) {
    assert.ok(Math.abs(contrast(parse(one), parse(other)) - ratio) < 0.001, `${one} on ${other}`);
  }
});

for (const look of LOOKS) {
  test(`${look}: every pair is above its bound`, () => {
    assert.deepEqual(COLOURS.filter((name) => !(name in valuesOf(look))), [], 'frame.css has them all');
    for (const pair of PAIRS) {
      const least = pair.least === AA ? AAA : pair.least; // what docs/theme.md promises is more than is asked for
      assert.ok(worst(pair, look) >= least, `${pair.upper} on ${pair.lower}: ${worst(pair, look).toFixed(2)}`);
    }
  });
}

test('the playground has the same colours, and counts the same', () => {
  for (const look of LOOKS) {
    const [style, scheme] = look.split(' ');
    const values = Object.entries(DEFAULTS[style]).map(([name, sides]) => [name, sides[scheme === 'dark' ? 1 : 0]]);
    assert.deepEqual(Object.fromEntries(values), Object.fromEntries(COLOURS.map((name) => [name, valuesOf(look)[name]])));
    const page = scheme === 'dark' ? LIGHTEST_DARK : '#f4f5f7';
    for (const { ratio, ...pair } of findContrast({ style, scheme, theme: {}, page, dark: false })) {
      assert.ok(Math.abs(ratio - worst(pair, look)) < 0.01, `${look}: ${pair.what}`);
    }
  }
});

test('the playground knows two colours, one for both, and one that makes two', () => {
  const text = (/** @type {string} */ scheme, /** @type {string} */ value, dark = false) =>
    findContrast({ style: 'plain', scheme, theme: { text: value }, page: '#000000', dark })[0].ratio;
  assert.equal(text('dark', '#000 #fff'), 21);
  assert.equal(text('light', '#000 #fff'), 1);
  assert.equal(text('dark', '#000'), 1);
  assert.equal(text('auto', '#000'), 1);
  assert.equal(text('auto', '#000', true), 21);
  assert.ok(text('light', 'url(x)') > 1, 'what the frame would not take counts as left out');
});

test('the letters of every mark can be read on its ground and on its shape', () => {
  assert.equal(marks().length, 16);
  for (const { id, grounds } of marks()) {
    for (const ground of grounds) assert.ok(contrast(WHITE, ground) >= AA, id);
  }
});

test('no two marks have the same letters', () => {
  assert.equal(new Set(marks().map(({ letters }) => letters)).size, 16);
});

test('whatever the accent, the text of the button can be read on it', () => {
  for (const accent of everyColour(3)) assert.ok(contrast(textOn(accent), accent) >= AA, String(accent));
});

test('what can be read on white has a dark one that can be read on a dark page', () => {
  const dark = parse(LIGHTEST_DARK);
  for (const colour of everyColour(5)) {
    const light = contrast(colour, WHITE);
    const derived = contrast(darken('text', colour), dark);
    if (light >= AA) assert.ok(derived >= AA, String(colour));
    if (light >= NOT_TEXT) assert.ok(derived >= NOT_TEXT, String(colour));
  }
});

test('the ground of a field that is nearly white has a dark one that is nearly black', () => {
  const dark = parse(LIGHTEST_DARK);
  for (const field of ['#fff', '#f4f4fa', '#fafafa', '#fffbe6', '#eef6ff']) {
    assert.ok(contrast(darken('field', parse(field)), WHITE) >= contrast(dark, WHITE) - 0.5, field);
  }
});

test('docs/theme.md holds these figures', () => {
  const page = readFileSync(PAGE, 'utf8');
  assert.equal(page, withTables(page), 'out of date: run `node tests/look/theme.js`');
});

/** @param {number} step */
function* everyColour(step) {
  for (let red = 0; red <= 255; red += step) {
    for (let green = 0; green <= 255; green += step) {
      for (let blue = 0; blue <= 255; blue += step) yield /** @type {import('../../www/playground/colours.js').Colour} */ ([red, green, blue]);
    }
  }
}

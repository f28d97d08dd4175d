// @ts-check
/** Keys by the names that `KeyboardEvent.key` has, and the characters that WebDriver writes for them (W3C WebDriver §17.4.2). */
const CODES = /** @type {Record<string, string>} */ ({
  Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Shift: '\uE008', Control: '\uE009', Alt: '\uE00A', Escape: '\uE00C',
  Space: ' ', PageUp: '\uE00E', PageDown: '\uE00F', End: '\uE010', Home: '\uE011', ArrowLeft: '\uE012', ArrowUp: '\uE013',
  ArrowRight: '\uE014', ArrowDown: '\uE015', Insert: '\uE016', Delete: '\uE017',
});

/**
 * What is pressed for `Control+Shift+z`: modifiers first.
 *
 * @param {string} combination A `+` of its own is the last character: `Control++`.
 */
export function split(combination) {
  const names = combination.split(/(?<=.)\+(?=.)/);
  return { key: names[names.length - 1], modifiers: names.slice(0, -1) };
}

/** @param {string} name */
export function code(name) {
  const code = CODES[name] ?? name;
  if ([...code].length !== 1) throw new Error(`there is no key ${name}`);
  return code;
}

/**
 * WebDriver's actions for one combination.
 *
 * @param {string} combination
 */
export function actions(combination) {
  const { key, modifiers } = split(combination);
  const held = modifiers.map(code);
  const value = code(key);
  return [
    ...held.map((value) => ({ type: 'keyDown', value })),
    { type: 'keyDown', value },
    { type: 'keyUp', value },
    ...held.reverse().map((value) => ({ type: 'keyUp', value })),
  ];
}

// @ts-check
/**
 * Colours as numbers: contrast after WCAG 2.2, and what browsers make of the two relative colours that the frame uses
 * (CSS Color 5 §4). A colour is `[red, green, blue]`, 0 to 255.
 *
 * @typedef {[red: number, green: number, blue: number]} Colour
 */

/**
 * @param {string} hex `#rgb` or `#rrggbb`.
 * @returns {Colour}
 */
export function parse(hex) {
  const digits = hex.slice(1);
  const wide = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  if (!/^#/.test(hex) || !/^[\da-f]{6}$/i.test(wide)) throw new Error(`no colour: ${hex}`);
  return /** @type {Colour} */ ([0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16)));
}

/**
 * From 1 to 21 (WCAG 2.2, "contrast ratio").
 *
 * @param {Colour} one
 * @param {Colour} other
 */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * `upper` laid over `lower`.
 *
 * @param {Colour} upper
 * @param {number} opacity
 * @param {Colour} lower
 * @returns {Colour}
 */
export function over(upper, opacity, lower) {
  return /** @type {Colour} */ (upper.map((value, at) => value * opacity + lower[at] * (1 - opacity)));
}

/**
 * `--accentText` of `frame.css`: white on whatever is darker than a luminance of 0.18.
 *
 * @param {Colour} accent
 * @returns {Colour}
 */
export function textOn(accent) {
  return luminance(accent) < 0.18 ? [255, 255, 255] : [0, 0, 0];
}

/**
 * The dark one that `paint` makes of a light colour where the system decides: the lightness of OKLCH turned round.
 *
 * @param {string} name
 * @param {Colour} light
 * @returns {Colour}
 */
export function darken(name, light) {
  const [lightness, a, b] = toOklab(light);
  return fromOklab([name === 'field' ? 1.2 - lightness : Math.max(lightness, 1.3 - lightness), a, b]);
}

/** @param {Colour} colour */
function luminance(colour) {
  const [red, green, blue] = colour.map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {number} value */
function toLinear(value) {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** @param {number} part Out of range is clipped, as browsers do. */
function fromLinear(part) {
  const value = Math.min(Math.max(part, 0), 1);
  return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
}

/**
 * Matrices of CSS Color 4, "Sample code for color conversions", sRGB and OKLab joined.
 *
 * @param {Colour} colour
 */
function toOklab(colour) {
  const [red, green, blue] = colour.map(toLinear);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/**
 * @param {number[]} oklab
 * @returns {Colour}
 */
function fromOklab([lightness, a, b]) {
  const clipped = Math.min(Math.max(lightness, 0), 1);
  const l = (clipped + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (clipped - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (clipped - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

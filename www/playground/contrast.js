// @ts-check
/**
 * The contrast that a theme has on a page, pair by pair.
 *
 * @import { Colour } from './colours.js'
 */
import { contrast, darken, parse, textOn } from './colours.js';

/**
 * Colours that meet in the form, and the least contrast of WCAG 2.2: 4.5 for text (1.4.3), 3 for the rest (1.4.11).
 * `page` is the ground that the shop's page has.
 *
 * @typedef {{ what: string, least: number, upper: string, lower: string }} Pair
 * @type {Pair[]}
 */
export const PAIRS = [
  { what: 'labels, messages', least: 4.5, upper: 'text', lower: 'page' },
  { what: 'hints, test mode', least: 4.5, upper: 'muted', lower: 'page' },
  { what: 'errors', least: 4.5, upper: 'error', lower: 'page' },
  { what: 'success', least: 4.5, upper: 'success', lower: 'page' },
  { what: 'what is typed', least: 4.5, upper: 'text', lower: 'field' },
  { what: 'placeholder, typed text while busy', least: 4.5, upper: 'muted', lower: 'field' },
  { what: 'text of the button', least: 4.5, upper: 'accentText', lower: 'accent' },
  { what: 'border of a field, outside', least: 3, upper: 'border', lower: 'page' },
  { what: 'border of a field, inside', least: 3, upper: 'border', lower: 'field' },
  { what: 'border of a wrong field, outside', least: 3, upper: 'error', lower: 'page' },
  { what: 'border of a wrong field, inside', least: 3, upper: 'error', lower: 'field' },
  { what: 'focus ring', least: 3, upper: 'accent', lower: 'page' },
  { what: 'the button on its page', least: 3, upper: 'accent', lower: 'page' },
];

/** The looks' own colours, for light and for dark; `docs/theme.md` has the same from `frame.css`. */
const PLAIN = {
  accent: ['#14c', '#acf'],
  text: ['#123', '#eef'],
  muted: ['#456', '#bbc'],
  field: ['#fff', '#223'],
  border: ['#889', '#889'],
  error: ['#a00', '#fba'],
  success: ['#053', '#8da'],
};

/** @type {{ [style: string]: { [name: string]: string[] } }} */
export const DEFAULTS = { plain: PLAIN, evo: { ...PLAIN, accent: ['#52c', '#cbf'], field: ['#f4f4fa', '#223'] } };

/** Names of the colours that a theme may set. */
export const COLOURS = ['accent', 'accentText', ...Object.keys(PLAIN).slice(1)];

/** What a colour of the theme may be; the frame has the same pattern. */
export const COLOUR = /^#([\da-f]{3}){1,2}( #([\da-f]{3}){1,2})?$/i;

/**
 * @param {{ style: string, scheme: string, theme: { [name: string]: string }, page: string, dark: boolean }} look `dark`
 *   says what the system has, for the scheme `auto`.
 * @returns {(Pair & { ratio: number })[]}
 */
export function findContrast({ style, scheme, theme, page, dark }) {
  const side = scheme === 'dark' || (scheme === 'auto' && dark) ? 1 : 0;
  /** @type {(name: string) => Colour} */
  const colourOf = (name) => {
    if (name === 'page') return parse(page);
    const given = COLOUR.test(theme[name] ?? '') ? theme[name].split(' ') : undefined;
    if (!given) return name === 'accentText' ? textOn(colourOf('accent')) : parse(DEFAULTS[style][name][side]);
    if (side && scheme === 'auto' && !given[1]) return darken(name, parse(given[0]));
    return parse(given[side] ?? given[0]);
  };
  return PAIRS.map((pair) => ({ ...pair, ratio: contrast(colourOf(pair.upper), colourOf(pair.lower)) }));
}

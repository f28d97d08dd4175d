// @ts-check
/**
 * The theme as `www/frame/frame.css` has it, and the tables that `docs/theme.md` makes of it.
 *
 * `node tests/look/theme.js` writes the tables into the page; `contrast.test.js` fails while they are out of date.
 *
 * @import { Colour } from '../../www/playground/colours.js'
 * @import { Pair } from '../../www/playground/contrast.js'
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contrast, over, parse, textOn } from '../../www/playground/colours.js';
import { PAIRS } from '../../www/playground/contrast.js';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

export const PAGE = new URL('../../docs/theme.md', import.meta.url);

/** The four that are built in, by their names in the tables. */
export const LOOKS = /** @type {const} */ (['plain light', 'plain dark', 'evo light', 'evo dark']);

/** Colours of the theme that are in `frame.css` as such; the text of the button follows from the accent. */
export const COLOURS = ['accent', 'text', 'muted', 'field', 'border', 'error', 'success'];

/** The shop's pages that the form is made for: from white to the first, and from black to the second. */
export const DARKEST_LIGHT = '#f4f5f7';
export const LIGHTEST_DARK = '#1f2228';

/** What WCAG 2.2 asks for: text (1.4.3 AA, 1.4.6 AAA), what is not text (1.4.11 AA). */
export const AA = 4.5;
export const AAA = 7;
export const NOT_TEXT = 3;

/**
 * The values of a look, as hex: those of `:root`, then those of the look.
 *
 * @param {string} look One of {@link LOOKS}.
 * @returns {{ [name: string]: string }}
 */
export function valuesOf(look) {
  const css = read('www/frame/frame.css').replace(/\/\*[^]*?\*\//g, '');
  const [style, scheme] = look.split(' ');
  /** @type {{ [name: string]: string }} */
  const values = {};
  for (const selector of [':root', `\\[data-look="${style}"\\]`]) {
    const body = RegExp(`${selector} \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
    for (const [, name, value] of body.matchAll(/--(\w+): ([^;]+);/g)) {
      const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
      values[name] = light ? (scheme === 'dark' ? dark : light) : value;
    }
  }
  return values;
}

/**
 * The least contrast that a pair has in a look.
 *
 * @param {Pair} pair
 * @param {string} look
 */
export function worst({ upper, lower }, look) {
  const values = valuesOf(look);
  const accent = parse(values.accent);
  const one = upper === 'accentText' ? textOn(accent) : parse(values[upper]);
  const pages = look.endsWith('dark') ? ['#000', LIGHTEST_DARK] : ['#fff', DARKEST_LIGHT];
  const grounds = lower === 'page' ? pages : [values[lower]];
  return Math.min(...grounds.map((ground) => contrast(one, parse(ground))));
}

/**
 * The brand marks: id, letters, and the grounds that the letters stand on, with and without the shape.
 *
 * @returns {{ id: string, letters: string, grounds: Colour[] }[]}
 */
export function marks() {
  const shape = /path \+ path \{\s*fill: #fff(\d);/.exec(read('www/frame/frame.css'))?.[1];
  const opacity = parseInt(shape ?? '', 16) / 15;
  const found = read('www/frame/frame.html').matchAll(/<g id="mark-(\w+)" fill="(#\w+)">.*<text[^>]*>(\w+)</g);
  return [...found].map(([, id, fill, letters]) => ({
    id,
    letters,
    grounds: [parse(fill), over([255, 255, 255], opacity, parse(fill))],
  }));
}

/** The tables of the page, by the name in their marker. */
export function tables() {
  const head = LOOKS.join(' | ');
  const rule = LOOKS.map(() => '---').join('|');
  const values = LOOKS.map(valuesOf);
  const colours = COLOURS.map((name) => `| \`${name}\` | ${values.map((look) => `\`${look[name]}\``).join(' | ')} |`);
  const shown = (/** @type {number} */ ratio) => (Math.floor(ratio * 100) / 100).toFixed(2);
  const pairs = PAIRS.map((pair) => {
    const cells = LOOKS.map((look) => shown(worst(pair, look))).join(' | ');
    return `| ${pair.what} | \`${pair.upper}\` on \`${pair.lower}\` | ${pair.least} | ${cells} |`;
  });
  return {
    colours: [`| Name | ${head} |`, `|---|${rule}|`, ...colours].join('\n'),
    contrast: [`| What | Pair | At least | ${head} |`, `|---|---|---|${rule}|`, ...pairs].join('\n'),
  };
}

/**
 * The page with its tables as they should be.
 *
 * @param {string} page
 */
export function withTables(page) {
  for (const [name, table] of Object.entries(tables())) {
    const marker = RegExp(`(<!-- table: ${name} -->)[^]*?(<!-- end -->)`);
    if (!marker.test(page)) throw new Error(`docs/theme.md has no place for the table "${name}"`);
    page = page.replace(marker, (_, start, end) => `${start}\n${table}\n${end}`);
  }
  return page;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));

// @ts-check
/** axe-core in every engine: in the shop's page, and in the frame, which a script of the shop's page cannot reach. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules about a whole page, which a frame is not: the shop's page has the heading and the landmarks. */
const PAGE_RULES = ['bypass', 'landmark-one-main', 'page-has-heading-one', 'region'];

/** Every rule of WCAG 2.0 to 2.2, A to AAA (off by default), and those that axe thinks good or tries out. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice', 'experimental'];

/** Reminders, not rules: to show what is hidden, which other states do, and to look into frames, which is done here. */
const OFF = ['hidden-content', 'frame-tested'];

/**
 * What axe finds, and what it cannot decide, one line for each element: where it is, the rule, the element. Empty when
 * there is nothing.
 *
 * @param {import('./page.mjs').Page} page
 * @param {{ frame?: string | null, shop?: boolean, ground?: string, without?: string[] }} [where] `frame` is the widget's, `null` where there is none; `shop:
 *   false` leaves the shop's page out; `ground` is the colour that lies below the frame, which a frame cannot know;
 *   `without` names rules that are left out.
 * @returns {Promise<string[]>}
 */
export async function axe(page, { frame = '#card iframe', shop = true, ground, without = [] } = {}) {
  const found = frame === null ? [] : await find(page, [...without, ...OFF, ...PAGE_RULES], frame, ground);
  if (shop) found.push(...(await find(page, [...without, ...OFF])));
  return found;
}

/** @param {import('./page.mjs').Page} page @param {string[]} off @param {string} [frame] @param {string} [ground] @returns {Promise<string[]>} */
async function find(page, off, frame, ground) {
  // Once for each document: it is large.
  const isThere = await page.evaluate(() => 'axe' in window, undefined, frame);
  if (!isThere) await page.evaluate(/** @type {() => void} */ (new Function(SOURCE)), undefined, frame);
  const { violations, incomplete, passes } = await page.evaluate(
    async ([options, ground]) => {
      const sheet = new CSSStyleSheet();
      if (ground) sheet.replaceSync(`html { background: ${ground} }`);
      document.adoptedStyleSheets.push(sheet);
      const { violations, incomplete, passes } = await /** @type {any} */ (window).axe.run(document, options);
      document.adoptedStyleSheets.pop();
      const plain = (/** @type {any[]} */ results) => results.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map((/** @type {any} */ { target, failureSummary }) => ({ target, failureSummary })),
      }));
      return { violations: plain(violations), incomplete: plain(incomplete), passes: passes.length };
    },
    /** @type {const} */ ([
      {
        // A frame in the page would be asked by messages that nobody answers.
        iframes: false,
        runOnly: TAGS,
        resultTypes: ['violations', 'incomplete'],
        rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])),
      },
      ground,
    ]),
    frame,
  );
  if (passes === 0) throw new Error('axe has checked nothing');
  const lines = (/** @type {{ id: string, nodes: any[] }[]} */ results, /** @type {string} */ word) =>
    results.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [frame ? 'frame' : 'shop', word, id, target.join(' '), failureSummary.replace(/\s+/g, ' ')].join(' | ')),
    );
  return [...lines(violations, 'wrong'), ...lines(incomplete, 'undecided')];
}

// @ts-check
/** Blocks of code in the documents. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = new URL('../../', import.meta.url);

/** @typedef {{ page: string, line: number, language: string, word: string, text: string }} Block `word` is the second one of the fence. */

/** All blocks of a page, by its path in the repository. @param {string} page @returns {Block[]} */
export function blocks(page) {
  const found = [];
  const lines = readFileSync(new URL(page, ROOT), 'utf8').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^(\s*)(`{3,})(.*)$/.exec(lines[at]);
    if (!fence) continue;
    const [, indent, marks, info] = fence;
    const end = lines.findIndex((line, index) => index > at && line.trim() === marks);
    const inner = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    const [language = '', word = ''] = info.trim().split(/\s+/);
    found.push({ page, line: at + 1, language, word, text: `${inner.join('\n')}\n` });
    at = end;
  }
  return found;
}

/** Every page with code for those who integrate: the documents, and the package's own page. */
export function pages() {
  const docs = readdirSync(new URL('docs/', ROOT), { recursive: true }).map((name) => `docs/${String(name)}`);
  const examples = readdirSync(new URL('examples/', ROOT)).map((name) => `examples/${name}/README.md`);
  const all = ['README.md', 'pkg-template/README.md', 'crates/service/README.md', ...docs, ...examples];
  return all.filter((name) => name.endsWith('.md')).sort();
}

/** @param {string} path */
export const at = (path) => fileURLToPath(new URL(path, ROOT));

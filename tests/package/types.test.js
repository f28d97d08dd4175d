/** The hand-written types (guide/conventions.md §46 and §61). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPackage } from './pack.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
let shop;
before(() => { shop = installPackage(); });
after(() => shop?.remove());

for (const [good, bad] of [['good.ts', 'bad.ts'], ['rules-good.ts', 'rules-bad.ts']]) {
  for (const module of ['nodenext', 'preserve']) {
    test(`what shops write compiles (${good}, module: ${module})`, () => {
      assert.equal(check(good, module), '');
    });
  }

  test(`each wrong line is an error, and nothing else is (${bad})`, () => {
    const lines = readFileSync(join(here, 'types', bad), 'utf8').split('\n');
    const first = lines.findIndex((line) => line.startsWith('// --- from here on')) + 1;
    const expected = lines.flatMap((line, index) => (index >= first && line ? [index + 1] : []));
    const words = new RegExp(`^${bad}\\((\\d+),`, 'gm');
    const found = new Set([...check(bad, 'nodenext').matchAll(words)].map((match) => Number(match[1])));
    assert.deepEqual([...found].sort((a, b) => a - b), expected);
    assert.ok(expected.length > 20);
  });
}

test("the package's own JavaScript keeps its types", () => {
  const folder = join(shop.project, 'checked');
  mkdirSync(folder);
  for (const file of ['index.js', 'index.d.ts', 'rules.js', 'rules.d.ts']) cpSync(join(shop.installed, file), join(folder, file));
  for (const file of ['loader.d.ts', 'rules-core.d.ts']) cpSync(join(here, 'types', file), join(folder, file));
  // Under other names, as a script beside types of its own name is not looked into.
  for (const name of ['index', 'rules']) renameSync(join(folder, `${name}.js`), join(folder, `${name}-staged.js`));
  const files = ['checked/index-staged.js', 'checked/rules-staged.js'];
  const config = { compilerOptions: { ...options('nodenext'), allowJs: true, checkJs: true }, files };
  assert.equal(run(config), '');
});

/** The compiler's words about one of the files in `types/`, as the shop's project sees it. */
function check(file, module) {
  cpSync(join(here, 'types', file), join(shop.project, file));
  return run({ compilerOptions: options(module), files: [file] });
}

function options(module) {
  return {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module,
    moduleResolution: module === 'nodenext' ? 'nodenext' : 'bundler',
  };
}

function run(config) {
  writeFileSync(join(shop.project, 'tsconfig.json'), JSON.stringify(config));
  return tscOutput(['-p', shop.project]);
}

function tscOutput(args) {
  try {
    return execFileSync(process.execPath, [tsc, ...args], { cwd: shop.project, encoding: 'utf8' });
  } catch (error) {
    return error.stdout;
  }
}

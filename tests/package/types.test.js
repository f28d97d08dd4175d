/** The hand-written types (guide/conventions.md §46 and §61). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPackage } from './pack.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
let shop;
before(() => { shop = installPackage(); });
after(() => shop?.remove());

for (const module of ['nodenext', 'preserve']) {
  test(`what shops write compiles (module: ${module})`, () => {
    assert.equal(check('good.ts', module), '');
  });
}

test('each wrong line is an error, and nothing else is', () => {
  const lines = readFileSync(join(here, 'types/bad.ts'), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('// --- from here on')) + 1;
  const expected = lines.flatMap((line, index) => (index >= first && line ? [index + 1] : []));
  const found = new Set([...check('bad.ts', 'nodenext').matchAll(/^bad\.ts\((\d+),/gm)].map((match) => Number(match[1])));
  assert.deepEqual([...found].sort((a, b) => a - b), expected);
  assert.ok(expected.length > 20);
});

test("the package's own JavaScript keeps its types", () => {
  const config = { compilerOptions: { ...options('nodenext'), allowJs: true, checkJs: true }, files: ['staged.js'] };
  cpSync(join(shop.installed, 'index.js'), join(shop.project, 'staged.js'));
  cpSync(join(shop.installed, 'index.d.ts'), join(shop.project, 'index.d.ts'));
  cpSync(join(here, 'types/loader.d.ts'), join(shop.project, 'loader.d.ts'));
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

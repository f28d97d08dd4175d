/** The hand-written types (guide/conventions.md §46 and §61). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPackage } from './pack.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
/** Checked where they are made. */
const GENERATED = ['loader.js', 'rules-core.js'];
let shop;
before(() => {
  shop = installPackage();
  mkdirSync(join(shop.project, 'node_modules/@types'));
  for (const name of ['@types/react', 'csstype']) {
    symlinkSync(fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)), join(shop.project, 'node_modules', name));
  }
});
after(() => shop?.remove());

for (const [good, bad] of [
  ['good.ts', 'bad.ts'], ['element-good.ts', 'element-bad.ts'], ['react-good.tsx', 'react-bad.tsx'], ['rules-good.ts', 'rules-bad.ts'],
]) {
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
    assert.ok(expected.length >= 20);
  });
}

test("the package's own JavaScript keeps its types", () => {
  const folder = join(shop.project, 'checked');
  mkdirSync(folder);
  for (const file of readdirSync(shop.installed)) if (/\.(js|d\.ts)$/.test(file)) cpSync(join(shop.installed, file), join(folder, file));
  for (const file of ['loader.d.ts', 'rules-core.d.ts']) cpSync(join(here, 'types', file), join(folder, file));
  // Under other names, as a script beside types of its own name is not looked into.
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js') && existsSync(join(folder, file.replace(/js$/, 'd.ts'))) && !GENERATED.includes(file));
  assert.ok(scripts.length >= 4);
  for (const file of scripts) renameSync(join(folder, file), join(folder, `staged-${file}`));
  const files = ['mount.js', 'service.js', ...scripts.map((file) => `staged-${file}`)].map((file) => `checked/${file}`);
  const config = { compilerOptions: { ...options('nodenext'), allowJs: true, checkJs: true, lib: ['es2022', 'dom', 'dom.iterable'] }, files };
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
    jsx: 'react-jsx',
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

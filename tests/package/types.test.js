/**
 * The package's types: in `types/`, what must compile (`…good.ts`) and what must not, line by
 * line (`…bad.ts`), under several versions of TypeScript.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';
import { installPackage } from './pack.js';

const here = fileURLToPath(new URL('types/', import.meta.url));
const tools = fileURLToPath(new URL('../node_modules/', import.meta.url));

const SOURCES = readdirSync(here).filter((file) => /(^|-)(good|bad)\.tsx?$/.test(file));

/** How shops' projects are set up: versions, ways to find modules, strictness. */
const PROJECTS = [
  { version: '5.0', module: 'node16' },
  { version: '5.4', module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true },
  { version: '5.9', module: 'nodenext', exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  { version: '6.0', module: 'preserve', moduleResolution: 'bundler' },
  { version: '7.0', module: 'nodenext', verbatimModuleSyntax: true },
];

/** Checked where they are made. */
const GENERATED = ['loader.js', 'rules-core.js', 'client-core.js', 'client-core.module.js'];

/** What runs on servers, where there is no document. */
const SERVER = /^(callbacks|client|rules|wire)/;

let shop;
before(() => {
  shop = installPackage();
  mkdirSync(join(shop.project, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types', '@types/react', 'csstype']) {
    if (existsSync(join(tools, name))) symlinkSync(join(tools, name), join(shop.project, 'node_modules', name));
  }
});
after(() => shop?.remove());

test('there are both kinds of files, with many lines that must not compile', () => {
  for (const bad of SOURCES.filter((file) => file.includes('bad'))) {
    assert.ok(SOURCES.includes(bad.replace('bad', 'good')), bad);
    assert.ok(wrongLines(bad).length >= 20, bad);
  }
});

for (const { version, ...options } of PROJECTS) {
  test(`TypeScript ${version}, module ${options.module}: what is right compiles, and each wrong line is an error`, async () => {
    await check(version, SOURCES, { ...options, types: [], lib: ['es2022', 'dom'] });
  });
}

test('on a server, without the DOM', async () => {
  const sources = SOURCES.filter((file) => SERVER.test(file));
  await check('5.9', sources, { module: 'nodenext', types: ['node'], lib: ['es2022'] });
});

test("the package's own JavaScript keeps its types", async () => {
  const folder = join(shop.project, 'checked');
  mkdirSync(folder);
  for (const file of readdirSync(shop.installed)) if (/\.(js|d\.ts)$/.test(file)) cpSync(join(shop.installed, file), join(folder, file));
  for (const file of ['loader.d.ts', 'rules-core.d.ts', 'client-core.d.ts']) cpSync(join(here, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: { '#client-core': './client-core.js' } }));
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js') && !GENERATED.includes(file));
  const files = scripts.map((file) => {
    if (!existsSync(join(folder, file.replace(/js$/, 'd.ts')))) return `checked/${file}`;
    // Under another name, as a script beside types of its own name is not looked into.
    renameSync(join(folder, file), join(folder, `staged-${file}`));
    return `checked/staged-${file}`;
  });
  assert.ok(files.length >= 4);
  const options = { allowJs: true, checkJs: true, module: 'nodenext', types: [], lib: ['es2022', 'dom', 'dom.iterable'] };
  assert.equal(await compile(shop.project, '5.9', files, options), '');
});

/** Compiles the files at once, as a shop's project would: errors on exactly the lines that must have one. */
async function check(version, sources, options) {
  for (const file of sources) cpSync(join(here, file), join(shop.project, file));
  const told = await compile(shop.project, version, sources, options);
  const found = new Set();
  const strange = [];
  for (const line of told.split('\n')) {
    const [, file, at] = /^(\S+)\((\d+),/.exec(line) ?? [];
    if (file && SOURCES.includes(file) && wrongLines(file).includes(Number(at))) found.add(`${file}:${at}`);
    // The compiler says more of an error on lines that begin with a space.
    else if (line && !line.startsWith(' ')) strange.push(line);
  }
  assert.deepEqual(strange, []);
  const accepted = sources.flatMap((file) => wrongLines(file).map((at) => `${file}:${at}`)).filter((line) => !found.has(line));
  assert.deepEqual(accepted, [], 'accepted although it is wrong');
}

/** The lines of a file that must each be an error, counted from 1. */
function wrongLines(file) {
  if (!file.includes('bad')) return [];
  const lines = readFileSync(join(here, file), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('// --- from here on')) + 1;
  assert.ok(first > 0, file);
  return lines.flatMap((line, index) => (index >= first && line ? [index + 1] : []));
}

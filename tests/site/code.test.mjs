// @ts-check
/**
 * The JavaScript in the documents: every block against the package's types, and those that say `run` against a sandbox. Blocks
 * of a page that run are one program, in their order.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Service } from '../stories/shared/service.mjs';
import { at, blocks, pages } from './blocks.mjs';
import { Sandbox } from './sandbox.mjs';

/** @typedef {{ name: string, text: string, page: string, line: number, runs: boolean }} Program */

/** @type {Program[]} */
const programs = pages().flatMap((page) => {
  const code = blocks(page).filter(({ language }) => ['js', 'jsx', 'ts'].includes(language));
  const name = page.replace(/\.md$/, '').replaceAll('/', '-');
  const running = code.filter(({ word }) => word === 'run');
  const alone = code.filter(({ word }) => word !== 'run').map(({ line, language, text }) => ({ name: `${name}-${line}.${language}`, text: filled(text), page, line, runs: false }));
  if (!running.length) return alone;
  const text = running.map(({ text }) => text).join('\n');
  return [...alone, { name: `${name}.mjs`, text: `${text}export {};\n`, page, line: running[0].line, runs: true }];
});

/** What is left out of a block has a name. @param {string} text */
function filled(text) {
  return `${text.replace(/(^|[\s({])…/gm, '$1...others')}export {};\n`;
}

const FOLDER = at('target/xtask/code');

/** @type {Service} */
let service;

before(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'node_modules'), { recursive: true });
  symlinkSync(at('target/xtask/package'), join(FOLDER, 'node_modules/card-widget'));
  for (const name of ['react', '@types', 'playwright-core', 'csstype']) symlinkSync(at(`tests/node_modules/${name}`), join(FOLDER, 'node_modules', name));
  for (const { name, text } of programs) writeFileSync(join(FOLDER, name), text);
  service = await Service.open();
});

after(() => service?.close());

test('blocks are what the types of the package allow', () => {
  assert.ok(programs.length > 25, `${programs.length}`);
  const options = {
    // As a newcomer's editor has it: names are checked, annotations not asked for.
    compilerOptions: {
      checkJs: true, allowJs: true, noEmit: true, strict: false, target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], jsx: 'react-jsx',
      module: 'esnext', moduleResolution: 'bundler', preserveSymlinks: true, types: ['node'], skipLibCheck: true, resolveJsonModule: true,
    },
    files: [...programs.map(({ name }) => name), 'bad.js', 'ambient.d.ts'],
  };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(options));
  symlinkSync(at('tests/site/ambient.d.ts'), join(FOLDER, 'ambient.d.ts'));
  // One that is wrong, which shows that the check can fail.
  writeFileSync(join(FOLDER, 'bad.js'), 'client.payments.create({ amount: 1 });\nexport {};\n');
  const said = compile().split('\n').filter(Boolean);
  assert.ok(said.some((line) => line.startsWith('bad.js')), said.join('\n'));
  assert.deepEqual(said.filter((line) => !line.startsWith('bad.js') && !line.startsWith(' ')), []);
});

/** What the compiler has to say, by page and line. */
function compile() {
  try {
    execFileSync(at('tests/node_modules/.bin/tsc'), ['-p', FOLDER, '--pretty', 'false'], { encoding: 'utf8', cwd: FOLDER });
    return '';
  } catch (error) {
    const said = String(Object(error).stdout);
    return programs.reduce((said, { name, page, line }) => said.replaceAll(name, `${page}:${line}: ${name}`), said);
  }
}

for (const { name, page } of programs.filter(({ runs }) => runs)) {
  test(`${page} runs as it is written`, async () => {
    const { loadClient } = await import(pathToFileURL(at('target/xtask/package/client.js')).href);
    // By the name that the service has for itself: that of its pages is looked at.
    const url = `http://127.0.0.1:${service.port}`;
    const sandbox = new Sandbox(url);
    await sandbox.fund();
    const tokens = await Promise.all([0, 1, 2, 3].map(() => sandbox.token()));
    const told = {
      client: await loadClient({ url, login: 'sandbox', password: 'sandbox-password' }),
      numberToken: await sandbox.lastingToken(),
      accessToken: await sandbox.accessToken('customer-12'),
      walletAnswer: sandbox.walletAnswer(),
    };
    for (const [name, value] of Object.entries(told)) Object.defineProperty(globalThis, name, { value, configurable: true });
    Object.defineProperty(globalThis, 'token', { get: () => tokens.pop(), configurable: true });
    await import(pathToFileURL(join(FOLDER, name)).href);
  });
}

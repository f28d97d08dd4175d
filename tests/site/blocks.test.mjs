// @ts-check
/**
 * Every block of code in the documents. Commands of `curl` are sent to a sandbox, those of the service and of xtask are held
 * against their own help, pages are opened in Chromium, JSON is read.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { Service } from '../stories/shared/service.mjs';
import { at, blocks, pages } from './blocks.mjs';
import { Sandbox } from './sandbox.mjs';
import { FLAGS, serve } from './shared.mjs';

/** Languages that are looked at here or elsewhere; the others hold no code: addresses, output, headers. */
const KNOWN = ['sh', 'js', 'jsx', 'ts', 'rust', 'html', 'json'];
const PLAIN = ['text', 'toml', 'sql', 'nginx', 'ini', 'yaml', ''];

const all = pages().flatMap(blocks);

/** @param {string} language */
const of = (language) => all.filter((block) => block.language === language);

/** @type {Service} */
let service;
/** @type {Sandbox} */
let sandbox;

before(async () => {
  service = await Service.open();
  sandbox = new Sandbox(service.origin);
  await sandbox.fund();
});

after(() => service?.close());

test('there are blocks, and each says what it is in', () => {
  assert.ok(all.length > 60);
  for (const { page, line, language } of all) {
    assert.ok(KNOWN.includes(language) || PLAIN.includes(language), `${page}:${line} is in ${language}, which nothing checks`);
  }
});

test('commands of shells can be read, and what they send is answered', async () => {
  let sent = 0;
  for (const { page, line, text } of of('sh')) {
    // Names of the reader's own things are `<in brackets>`: no shell would take them.
    const filled = text.replaceAll('<token>', await (text.includes('request-payout') ? sandbox.lastingToken() : sandbox.token())).replace(/<[a-z_ ]+>/gi, 'x');
    execFileSync('bash', ['-n'], { input: filled });
    if (!/^\s*curl /m.test(filled) || !filled.includes('localhost:8080')) continue;
    const curls = filled.replaceAll('http://localhost:8080', service.origin).replaceAll(/^(\s*)curl /gm, '$1curl -sS --max-time 20 ');
    const command = curls.replace(/^card-widget-service .*\n/gm, '');
    const said = execFileSync('bash', ['-euo', 'pipefail', '-c', command], { encoding: 'utf8' });
    assert.doesNotMatch(said, /"error_id"/, `${page}:${line} is refused: ${said}`);
    await sandbox.clearFaults();
    sent += 1;
  }
  assert.ok(sent > 8, `${sent} blocks with calls`);
});

test('commands of the service have the flags that are shown', () => {
  const binary = process.env.CARD_WIDGET_SERVICE ?? '';
  /** @type {Map<string, string>} */
  const helps = new Map();
  /** @param {string[]} words */
  const help = (words) => {
    const key = words.join(' ');
    if (!helps.has(key)) helps.set(key, execFileSync(binary, [...words, '--help'], { encoding: 'utf8' }));
    return helps.get(key) ?? '';
  };
  let seen = 0;
  for (const { page, line, text } of of('sh')) {
    for (const [, rest] of text.replaceAll('\\\n', ' ').matchAll(/card-widget-service ([a-z][^\n|;&]*)/g)) {
      const words = rest.split(/\s+/);
      const path = [];
      // `keys rotate sealing`: as many words as are commands.
      while (/^[a-z][a-z-]*$/.test(words[0] ?? '') && new RegExp(`^\\s+${words[0]}\\b`, 'm').test(help(path))) path.push(words.shift() ?? '');
      assert.ok(path.length, `${page}:${line}: there is no command ${words[0]}`);
      for (const word of words.filter((word) => word.startsWith('--'))) {
        assert.ok(help(path).includes(word.split('=')[0]), `${page}:${line}: ${path.join(' ')} has no ${word}`);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 5);
});

test('every page with Rust is tested by a crate', () => {
  const sources = readdirSync(at('crates'), { recursive: true }).map(String).filter((name) => name.endsWith('.rs'));
  const included = sources.map((name) => readFileSync(at(`crates/${name}`), 'utf8')).join('\n');
  for (const { page, line } of of('rust')) assert.ok(included.includes(`${page}")]`), `${page}:${line}`);
});

test('JSON is JSON', () => {
  for (const { page, line, text } of of('json')) assert.doesNotThrow(() => JSON.parse(text), `${page}:${line}`);
});

test('pages open in a browser, and a form comes up where one is asked for', async () => {
  let body = '';
  const shop = await serve((path) => {
    const module = path.startsWith('/package/') && readFileSync(at(`target/xtask${path}${path.endsWith('.js') ? '' : '.js'}`));
    return module ? { kind: 'text/javascript', body: module } : { kind: 'text/html; charset=utf-8', body: path === '/' ? body : '' };
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  try {
    // A page of `docs/start` is opened with its server, elsewhere.
    for (const { page, line, text } of of('html').filter(({ page, word }) => !page.startsWith('docs/start/') && !word)) {
      const tab = await browser.newPage();
      tab.setDefaultTimeout(10_000);
      /** @type {string[]} */
      const wrong = [];
      tab.on('pageerror', (error) => wrong.push(String(error)));
      tab.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      body = text
        .replaceAll(/https:\/\/pay\.example|http:\/\/localhost:8080/g, service.origin)
        // An integrity value that is left out would keep the script away.
        .replace(' integrity="sha384-…"', '')
        .replaceAll('wk_…', 'wk_sandbox')
        .replace('/* the same parameters */', "key: 'wk_sandbox', mode: 'inline', selector: 'card', onToken() {}");
      // What a bundler does: the names of the package are those of its files.
      body = `<script type="importmap">{"imports":{"card-widget":"/package/index.js","card-widget/":"/package/"}}</script>${body}`;
      if (!body.includes('id="card"')) body = `<div id="card"></div>${body}`;
      await tab.goto(shop.origin);
      const comes = /CardWidget.init\(|<card-widget/.test(body)
        ? tab.frameLocator('iframe').locator('[autocomplete=cc-number]').waitFor()
        : tab.waitForFunction(() => 'CardWidget' in window);
      await comes.catch((error) => wrong.push(String(error)));
      assert.deepEqual(wrong, [], `${page}:${line}`);
      await tab.close();
    }
  } finally {
    await browser.close();
    await shop.close();
  }
});

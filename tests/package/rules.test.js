/** The card rules of the packed package: the vectors of the Rust core through its functions, and how they are called. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openWorld } from '../loader/world.js';
import { bundle, installPackage } from './pack.js';

const world = openWorld();
let copies = 0;
let shop;
let rules;
before(async () => {
  shop = installPackage();
  writeFileSync(join(shop.project, 'entry.js'), "export { loadCardRules } from 'card-widget/rules';");
  const { loadCardRules } = await import(pathToFileURL(join(shop.project, 'entry.js')).href);
  rules = await loadCardRules();
});
after(() => shop?.remove());

/** The entry as a module that nobody has loaded yet. */
async function fresh() {
  copies += 1;
  const copy = join(shop.project, `copy-${copies}`);
  cpSync(shop.installed, copy, { recursive: true });
  return import(pathToFileURL(join(copy, 'rules.js')).href);
}

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/card/${name}.json`, import.meta.url), 'utf8'));
const CODES = { three: [3], four: [4], three_or_four: [3, 4] };

test('vectors: numbers', () => {
  let seen = 0;
  for (const { name, digits, brand, state, error, left } of vectors('numbers').cases) {
    if (!state) continue;
    const answer = rules.number(digits);
    assert.equal(answer.brand, brand, name);
    assert.equal(answer.state, error === 'number_empty' ? 'empty' : state, name);
    assert.equal(answer.error, error, name);
    if (left === 'invalid') assert.notEqual(answer.error, null, name);
    assert.equal(answer.mask === null, state !== 'valid', name);
    if (state === 'valid') assert.ok(answer.lengths.includes(answer.digits.length), name);
    seen += 1;
  }
  assert.ok(seen > 50);
});

test('vectors: brands', () => {
  for (const { name, digits, candidates, decided, choices = [], code } of vectors('brands').cases) {
    const answer = rules.number(digits);
    assert.deepEqual(answer.brands, candidates, name);
    assert.equal(answer.brand, decided, name);
    assert.deepEqual(answer.choices, choices, name);
    assert.deepEqual(answer.codeLengths, CODES[code], name);
  }
});

test('vectors: masks', () => {
  for (const { name, digits, mask } of vectors('masks').cases) assert.equal(rules.number(digits).mask, mask, name);
});

test('vectors: dates', () => {
  const { now, cases } = vectors('expiry');
  for (const { name, text, year = null, month = null, error = null } of cases) {
    const answer = rules.expiry(text, { now: now * 1000 });
    assert.deepEqual([answer.error, answer.year, answer.month], [error, year, month], name);
    if (year) assert.equal(answer.formatted, `${String(month).padStart(2, '0')}/${year % 100}`, name);
  }
});

test('vectors: when a card ends', () => {
  for (const { name, now, year, month, error } of vectors('expiry_ends').cases) {
    for (const time of [now * 1000, now * 1000 + 999, new Date(now * 1000)]) {
      assert.equal(rules.expiry(`${String(month).padStart(2, '0')}/${year}`, { now: time }).error, error, name);
    }
  }
});

test('vectors: codes', () => {
  for (const { name, number, code, state, error } of vectors('codes').cases) {
    const answer = rules.code(code, { number });
    assert.equal(answer.state, error === 'code_empty' ? 'empty' : state, name);
    assert.equal(answer.error, error, name);
  }
});

test('vectors: formatting key by key, with the caret', () => {
  const { now, cases } = vectors('format');
  for (const { name, field, steps, state, error = null, left = null } of cases) {
    if (field === 'code') continue;
    let answer;
    for (const step of steps) {
      const caret = step.in.indexOf('|');
      const options = { previous: answer, caret };
      answer = field === 'number' ? rules.number(step.in.replace('|', ''), options) : rules.expiry(step.in.replace('|', ''), { ...options, now: now * 1000 });
      const { formatted, caret: at } = answer;
      assert.equal(formatted.slice(0, at) + '|' + formatted.slice(at), step.out, `${name}: ${step.in}`);
    }
    if (!state) continue;
    assert.equal(answer.state === 'empty' ? 'incomplete' : answer.state, state, name);
    assert.equal(answer.state === 'invalid' ? answer.error : null, error, name);
    assert.equal(answer.state === 'empty' ? null : answer.error, left, name);
  }
});

test('digits of every script', () => {
  for (const zero of vectors('digits').zeros) {
    const text = [...'4242424242424242'].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
    assert.equal(rules.number(text).digits, '4242424242424242', `U+${zero.toString(16)}`);
    assert.equal(rules.code(text.slice(0, text.length / 4)).digits, '4242');
  }
});

test('the table of brands is what numbers go by', () => {
  assert.equal(rules.brands.length, 16);
  for (const { id, name, lengths, groups, luhn, codeLength } of rules.brands) {
    assert.match(name, /^[A-Z]/);
    assert.equal(typeof luhn, 'boolean');
    assert.ok(codeLength === 3 || codeLength === 4);
    assert.deepEqual(rules.code('', { brand: id }).codeLengths, [codeLength]);
    assert.deepEqual(Object.keys(groups).map(Number), lengths);
    for (const length of lengths) assert.equal(groups[length].reduce((sum, group) => sum + group), length, id);
  }
  const amex = rules.brands.find(({ id }) => id === 'amex');
  assert.deepEqual(amex, { id: 'amex', name: 'American Express', lengths: [15], groups: { 15: [4, 6, 5] }, luhn: true, codeLength: 4 });
  assert.deepEqual(rules.brands.find(({ id }) => id === 'diners').groups[14], [4, 6, 4]);
});

test('brands that are not taken, and the choice of a co-badged card', () => {
  const brands = ['mastercard', 'visa'];
  assert.equal(rules.number('4242424242424242', { brands }).error, null);
  const refused = rules.number('378282246310005', { brands });
  assert.deepEqual([refused.state, refused.error, refused.mask], ['invalid', 'number_brand', null]);
  assert.equal(rules.number('6500 35').brand, 'elo');
  assert.equal(rules.number('6500 35', { choice: 'discover' }).brand, 'discover');
  assert.equal(rules.number('6500 35', { choice: 'visa' }).brand, 'elo');
  const alone = rules.number('6500 35', { brands: ['discover'] });
  assert.deepEqual([alone.brand, alone.choices], ['discover', []]);
});

test('a caret behind the end is at the end', () => {
  for (const caret of [undefined, null, 5, 6, 2 ** 32, 2 ** 40]) assert.equal(rules.number('42424', { caret }).caret, 6, String(caret));
  assert.equal(rules.number('42424', { caret: 0 }).caret, 0);
});

test('a text that is too long is never cut', () => {
  const digits = '42'.repeat(40);
  const answer = rules.number(digits);
  assert.deepEqual([answer.digits, answer.formatted, answer.caret], [digits, digits, 80]);
  assert.deepEqual([answer.state, answer.error], ['invalid', 'number_too_long']);
  const kept = rules.number(`4242 ${digits}`, { previous: rules.number('4242'), caret: 85 });
  assert.deepEqual([kept.formatted, kept.caret, kept.error], ['4242', 4, 'number_too_long']);
  assert.equal(rules.number(`4${' '.repeat(100_000)}2`).digits, '42');
  const date = rules.expiry('0'.repeat(50));
  assert.deepEqual([date.formatted, date.state, date.error], ['0'.repeat(50), 'invalid', 'expiry_too_long']);
  assert.equal(rules.code('7'.repeat(1000)).error, 'code_too_long');
});

test('no text makes a function throw', () => {
  for (const text of ['', ' ', '\0', '"', '\\', '\n', '\ud800', '4\udc00242', '🙂', '<b>4</b>', 'NaN', '-1', '٠'.repeat(33), '９'.repeat(5000)]) {
    for (const caret of [0, 1, text.length, text.length + 9, 2 ** 40]) {
      for (const call of [rules.number, rules.expiry]) {
        const answer = call(text, { previous: { formatted: text }, caret });
        assert.ok(answer.caret >= 0 && answer.caret <= answer.formatted.length, JSON.stringify(text));
      }
    }
    assert.equal(typeof rules.code(text, { number: text }).digits, 'string');
  }
});

test('answers are frozen all through, and plain', () => {
  const answers = [rules, rules.brands, rules.number('6500 35'), rules.expiry('01/29'), rules.code('123')];
  for (const answer of answers) {
    const open = [answer];
    while (open.length) {
      const value = open.pop();
      assert.ok(Object.isFrozen(value));
      assert.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)));
      open.push(...Object.values(value).filter((member) => typeof member === 'object' && member !== null));
    }
  }
});

test('a wrong parameter is named, with the kind of thing that came and never the thing', () => {
  const secret = 4000_0000_0000_0002;
  const rows = [
    [() => rules.number(secret), 'rules.number(text, options): text must be a string; received a number.'],
    [() => rules.number(), 'rules.number(text, options): text must be a string; received undefined.'],
    [() => rules.number(null), 'rules.number(text, options): text must be a string; received null.'],
    [() => rules.number([String(secret)]), 'rules.number(text, options): text must be a string; received an array.'],
    [() => rules.number(Object(String(secret))), 'rules.number(text, options): text must be a string; received an object.'],
    [() => rules.number('', String(secret)), 'rules.number(text, options): options must be an object; received a string.'],
    [() => rules.number('', null), 'rules.number(text, options): options must be an object; received null.'],
    [() => rules.number('', { previous: String(secret) }), 'rules.number(text, options): options.previous must be an answer of the same function; received a string.'],
    [() => rules.number('', { caret: -1 }), 'rules.number(text, options): options.caret must be a whole number, at least 0; received a number.'],
    [() => rules.number('', { caret: '1' }), 'rules.number(text, options): options.caret must be a whole number, at least 0; received a string.'],
    [() => rules.number('', { brands: 'visa' }), 'rules.number(text, options): options.brands must be an array with at least one id of a brand; received a string.'],
    [() => rules.number('', { brands: [] }), 'rules.number(text, options): options.brands must be an array with at least one id of a brand; received an array.'],
    [() => rules.number('', { brands: [String(secret)] }), /^rules\.number\(text, options\): each of options\.brands must be one of the ids visa, .*prostir; received a string\.$/],
    [() => rules.number('', { brands: [null] }), /^rules\.number\(text, options\): each of options\.brands must be one of the ids .*; received null\.$/],
    [() => rules.number('', { choice: 'Visa' }), /^rules\.number\(text, options\): options\.choice must be one of the ids .*; received a string\.$/],
    [() => rules.expiry(1229), 'rules.expiry(text, options): text must be a string; received a number.'],
    [() => rules.expiry('', { now: '2029' }), 'rules.expiry(text, options): options.now must be a Date, or milliseconds since 1970; received a string.'],
    [() => rules.expiry('', { now: new Date(NaN) }), 'rules.expiry(text, options): options.now must be a Date, or milliseconds since 1970; received an object.'],
    [() => rules.expiry('', { now: -1 }), 'rules.expiry(text, options): options.now must be a Date, or milliseconds since 1970; received a number.'],
    [() => rules.code(123), 'rules.code(text, options): text must be a string; received a number.'],
    [() => rules.code('', { number: secret }), 'rules.code(text, options): options.number must be a string; received a number.'],
    [() => rules.code('', { brand: 7 }), /^rules\.code\(text, options\): options\.brand must be one of the ids .*; received a number\.$/],
  ];
  for (const [call, message] of rows) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof TypeError);
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return !error.message.includes(String(secret));
    });
  }
});

test('loading: once for all calls, and again after a failure', async () => {
  const { loadCardRules } = await fresh();
  const compile = WebAssembly.compile;
  WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('refused'));
  try {
    const first = loadCardRules();
    assert.equal(first, loadCardRules());
    await assert.rejects(first, (error) => error.code === 'rules_unavailable' && /^loadCardRules\(\): /.test(error.message) && error.cause.message === 'refused');
  } finally {
    WebAssembly.compile = compile;
  }
  const again = loadCardRules();
  assert.equal((await again).number('4242').brand, 'visa');
  assert.equal(again, loadCardRules());
});

test('importing has no effect, and loading asks for nothing', () => {
  writeFileSync(
    join(shop.project, 'quiet.js'),
    `const before = Object.getOwnPropertyNames(globalThis).length;
     const touched = [];
     for (const [owner, name] of [[globalThis, 'fetch'], [WebAssembly, 'compile'], [WebAssembly, 'Instance']]) {
       const own = owner[name];
       owner[name] = function (...args) { touched.push(name); return new.target ? Reflect.construct(own, args) : own.apply(this, args); };
       if (own.prototype) owner[name].prototype = own.prototype;
     }
     const { loadCardRules } = await import('card-widget/rules');
     const imported = [...touched];
     await loadCardRules();
     console.log(JSON.stringify([imported, touched, Object.getOwnPropertyNames(globalThis).length - before]));`,
  );
  const said = execFileSync(process.execPath, ['quiet.js'], { cwd: shop.project, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(said), [[], ['compile', 'Instance'], 0]);
});

test("the module's memory holds nothing of a card after a call", async () => {
  const Instance = WebAssembly.Instance;
  let memory;
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args);
    memory = instance.exports.memory;
    return instance;
  };
  const { loadCardRules } = await fresh();
  const watched = await loadCardRules().finally(() => { WebAssembly.Instance = Instance; });
  const secrets = ['4929 1375 8264 0182', '9183 2746'];
  for (const text of [secrets[0], secrets[0].replaceAll(' ', ''), secrets[1], `x${secrets[0]}${secrets[0]}`]) {
    watched.number(text, { previous: watched.number(text.slice(0, -1)) });
    watched.expiry(text);
    watched.code(text, { number: secrets[0] });
  }
  const bytes = Buffer.from(memory.buffer);
  assert.ok(bytes.length > 60_000);
  for (const secret of secrets) {
    const digits = secret.replaceAll(' ', '');
    // Eight digits in a row, in each writing that the module knows of.
    for (const piece of [digits.slice(0, 8), digits.slice(-8), secret.slice(0, 9), secret.slice(-9)]) {
      for (const writing of [Buffer.from(piece), Buffer.from(piece, 'utf16le'), Buffer.from([...piece].map(Number))]) {
        assert.equal(bytes.indexOf(writing), -1, `${writing.length} bytes`);
      }
    }
  }
  // The search finds what is there.
  bytes.set(Buffer.from('49291375'), 40_000);
  assert.equal(bytes.indexOf('49291375'), 40_000);
});

test('the widget brings no rules', () => {
  assert.ok(!bundle(shop, "import { loadCardWidget } from 'card-widget'; loadCardWidget('https://pay.example');").includes('WebAssembly'));
});

test('bundled, in a browser, under a content policy', async () => {
  const code = `import { loadCardRules } from 'card-widget/rules';
    window.heard = await loadCardRules().then((rules) => rules.number('378282246310005').formatted, ({ code, message }) => [code, message]);`;
  world.pages.set('/rules.js', { headers: { 'content-type': 'text/javascript' }, body: bundle(shop, code, 'esm') });
  const heard = async (policy) => {
    const page = await world.visit({
      body: '<script type="module" src="/rules.js"></script>',
      headers: { 'content-security-policy': `default-src 'none'; script-src 'self'${policy}; require-trusted-types-for 'script'; trusted-types 'none'` },
    });
    await page.waitForFunction(() => window.heard);
    return page.evaluate(() => window.heard);
  };
  assert.equal(await heard(" 'wasm-unsafe-eval'"), '3782 822463 10005');
  const [id, message] = await heard('');
  assert.equal(id, 'rules_unavailable');
  assert.match(message, /'wasm-unsafe-eval'/);
});

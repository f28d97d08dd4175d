// @ts-check
/** The vectors against the frame's core as JavaScript, and against WebAssembly in the same harness: both say the same. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test as run } from 'node:test';
import { cores, missing, script } from './cores.js';
import { ENTERED, Form, LEFT } from './form.js';
import { Person } from './person.js';

/** @param {string} name @param {() => void | Promise<void>} check */
const test = (name, check) => run(name, { skip: missing }, check);

/** @param {string} path @returns {any} */
const read = (path) => JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8'));

/** 21 November 2026, as in the files. */
const NOW = 1_795_219_200;

/**
 * Runs one case in both cores, and sees that they asked for the same things in the same order.
 *
 * @param {{ kind?: string, now?: number }} given
 * @param {(form: Form) => unknown} run
 */
async function inBoth({ kind, now = NOW }, run) {
  const asked = [];
  for (const [name, core] of Object.entries(cores)) {
    const form = new Form(name, core, { kind, now });
    await run(form);
    asked.push(form.asked);
  }
  assert.ok(asked[0].length > 3);
  assert.deepEqual(asked[1], asked[0]);
}

for (const file of readdirSync(new URL('../vectors/typing', import.meta.url)).filter((name) => name.endsWith('.json'))) {
  test(`typing, ${file}`, async () => {
    const { now, sessions } = read(`typing/${file}`);
    assert.ok(sessions.length > 10);
    for (const session of sessions) {
      await inBoth({ kind: session.kind, now: session.now ?? now }, (form) => types(form, session));
    }
  });
}

/** @param {Form} form @param {any} session */
function types(form, session) {
  form.call('on_message', { type: 'init', brands: session.brands }, undefined);
  const person = new Person(form, session.field);
  for (const [index, step] of session.steps.entries()) {
    const place = `${form.name}: ${session.name}, step ${index + 1}`;
    if (step.field) person.goTo(step.field);
    const field = person.focus;
    for (const key of step.keys) person.press(key);
    const { value, start, end } = form.inputs[field];
    assert.equal(value, step.value, place);
    if (step.caret !== undefined) assert.deepEqual(start === end ? start : [start, end], step.caret, `${place}: caret`);
    assert.deepEqual(form.field(field), { state: step.state, error: step.error ?? null }, place);
    if (field === 'number') {
      assert.equal(form.change.brand, step.brand ?? null, `${place}: brand`);
      assert.deepEqual(form.change.choices, step.choices ?? [], `${place}: choices`);
    }
    if (step.focus) assert.equal(person.focus, step.focus, `${place}: focus`);
  }
}

test('what fields show', async () => {
  for (const { name, field, steps, state, error = null, left = null } of read('card/format.json').cases) {
    // Where the caret stood before is not known to who sees the outcome only.
    if (steps.some((/** @type {any} */ step) => step.select !== undefined)) continue;
    await inBoth({}, (form) => {
      form.happens(field, ENTERED);
      for (const step of steps) {
        form.holds(field, step.in.replace('|', ''), step.in.indexOf('|'));
        const { value, start } = form.inputs[field];
        assert.equal(`${value.slice(0, start)}|${value.slice(start)}`, step.out, `${form.name}: ${name}`);
      }
      if (!state) return;
      assert.deepEqual(form.field(field), { state, error }, `${form.name}: ${name}`);
      form.happens(field, LEFT);
      assert.equal(form.field(field).error, left, `${form.name}: ${name}, left`);
    });
  }
});

test('numbers', async () => {
  for (const { name, digits, brand, state, error, left } of read('card/numbers.json').cases) {
    if (!state) continue;
    await inBoth({ kind: 'pan_only' }, (form) => {
      form.holds('number', digits);
      assert.equal(form.change.brand, brand, `${form.name}: ${name}`);
      assert.deepEqual(form.field('number'), { state, error: state === 'invalid' ? error : null }, `${form.name}: ${name}`);
      form.happens('number', LEFT);
      assert.equal(form.field('number').state, left, `${form.name}: ${name}, left`);
    });
  }
});

test('brands', async () => {
  for (const { name, digits, candidates, decided, choices = [] } of read('card/brands.json').cases) {
    await inBoth({}, (form) => {
      form.holds('number', digits);
      const { brands, brand, choices: offered } = form.change;
      assert.deepEqual({ brands, brand, offered }, { brands: candidates, brand: decided, offered: choices }, `${form.name}: ${name}`);
    });
  }
});

test('codes', async () => {
  for (const { name, number, code, state, error } of read('card/codes.json').cases) {
    await inBoth({}, async (form) => {
      // The code first: it is judged anew when the number says the brand.
      form.holds('code', code);
      form.holds('number', number);
      await form.submits();
      assert.deepEqual(form.field('code'), { state, error }, `${form.name}: ${name}`);
    });
  }
});

test('dates', async () => {
  let good = 0;
  for (const { name, text, year, month } of read('card/expiry.json').cases) {
    await inBoth({}, (form) => {
      form.holds('expiry', text);
      form.happens('expiry', LEFT);
      if (!year) return;
      good += 1;
      const shown = `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
      assert.equal(form.inputs.expiry.value, shown, `${form.name}: ${name}`);
      assert.deepEqual(form.field('expiry'), { state: 'valid', error: null }, `${form.name}: ${name}`);
    });
  }
  assert.ok(good > 40);
});

test('when a card ends', async () => {
  for (const { name, now, year, month, error } of read('card/expiry_ends.json').cases) {
    await inBoth({ now }, (form) => {
      form.holds('expiry', `${String(month).padStart(2, '0')}/${year}`);
      form.happens('expiry', LEFT);
      assert.equal(form.field('expiry').error, error, `${form.name}: ${name}`);
    });
  }
});

test('digits of every script', async () => {
  await inBoth({ kind: 'pan_only' }, (form) => {
    for (const zero of read('card/digits.json').zeros) {
      form.holds('number', [4, 2, 9].map((digit) => String.fromCodePoint(zero + digit)).join(''));
      assert.equal(form.inputs.number.value, '429', `${form.name}: U+${zero.toString(16)}`);
    }
  });
});

/** Fills in a card and submits. @param {Form} form */
async function pays(form) {
  form.call('on_message', { type: 'init', customer_id: 'c1' }, undefined);
  form.holds('number', '4242424242424242');
  form.holds('expiry', '1230');
  form.holds('code', '123');
  await form.submits();
}

test('what is sealed and sent', async () => {
  await inBoth({}, async (form) => {
    form.answers.push({ ok: true, body: { token: 'wt_1', expires_at: '2026-11-21T01:00:00', card_mask: '42424242****4242' } });
    await pays(form);
    const [, , , , plaintext] = form.asked.find(([name]) => name === 'encrypt') ?? [];
    assert.match(String.fromCharCode(...plaintext), /4242424242424242/, form.name);
    assert.equal(form.asked.filter(([name]) => name === 'post').length, 1, form.name);
    assert.ok(form.asked.some(([name, token]) => name === 'issued' && token.token === 'wt_1'), form.name);
    assert.deepEqual(form.inputs.number.value, '', form.name);
  });
});

test('a fresh instance knows nothing of the one before', async () => {
  for (const [name, core] of Object.entries(cores)) {
    const first = new Form(name, core, { now: NOW });
    first.holds('number', '4242424242424242');
    const second = new Form(name, core, { now: NOW });
    assert.notEqual(second.exports.memory.buffer, first.exports.memory.buffer, name);
    assert.deepEqual(second.change.fields.number, { state: 'empty', error: null, focused: false }, name);
    // Nor does it disturb what the shop was told of the first.
    second.holds('number', '5');
    assert.equal(first.change.fields.number.state, 'valid', name);
    assert.ok(!Buffer.from(second.exports.memory.buffer).includes('4242424242424242'), name);
  }
});

test('an instance that broke is replaced', () => {
  for (const [name, core] of Object.entries(cores)) {
    const broken = new Form(name, core, { now: NOW });
    broken.breaks = 'note';
    assert.throws(() => {
      broken.holds('number', '4242424242424241');
      broken.happens('number', LEFT);
    }, /as told/);
    const form = new Form(name, core, { now: NOW });
    form.holds('number', '4242424242424241');
    form.happens('number', LEFT);
    assert.deepEqual(form.field('number'), { state: 'invalid', error: 'number_invalid' }, name);
  }
});

test('memory that grows leaves nothing behind, and the module goes on', () => {
  for (const [name, core] of Object.entries(cores)) {
    const form = new Form(name, core, { now: NOW });
    form.holds('number', '4242424242424242');
    const { memory } = form.exports;
    const before = memory.buffer;
    // A tag that fits into no memory of ours so far.
    form.call('on_message', { type: 'update', lang: 'x'.repeat(1 << 20) }, { errors: {}, codes: {}, hints: {} });
    assert.notEqual(memory.buffer, before, name);
    // WebAssembly takes the old one away; in JavaScript it lives on for as long as somebody looks at it.
    const left = name === 'JavaScript' ? new Uint8Array(before) : [];
    assert.ok(left.every((byte) => byte === 0), `${name}: something is left in the old memory`);
    form.inputs.number.select(19, 19);
    form.edits('number', 1, '');
    assert.equal(form.field('number').state, 'incomplete', name);
    assert.equal(form.inputs.number.value, '4242 4242 4242 424', name);
  }
});

test('it exports what the glue exports', () => {
  const { default: _, ...glue } = cores.WebAssembly;
  assert.deepEqual(Object.keys(cores.JavaScript).sort(), Object.keys(glue).sort());
});

test('no policy against evaluated code or WebAssembly concerns it', () => {
  assert.doesNotMatch(script, /\beval\(|new Function|\bFunction\(|\bimport\b|WebAssembly/);
});

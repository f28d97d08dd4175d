// @ts-check
/** The card vectors against small implementations of their own: a vector that is wrong would make the rules wrong. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFileSync(new URL(`./card/${name}.json`, import.meta.url), 'utf8'));

/** ISO/IEC 7812-1 annex B. @param {string} digits */
function luhn(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const twice = Number(digits[digits.length - 1 - i]) * (1 + (i % 2));
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** Brands whose numbers need no check digit; all others do. */
const WITHOUT_CHECK_DIGIT = ['unionpay'];

test('check digits of the numbers', () => {
  const judged = { right: 0, wrong: 0, without: 0 };
  for (const { name, digits, brand, strict } of read('numbers').cases) {
    if (strict === 'number_check_digit') {
      assert.ok(!luhn(digits), name);
      judged.wrong += 1;
    } else if (strict === null && luhn(digits)) {
      judged.right += 1;
    } else if (strict === null) {
      assert.ok(WITHOUT_CHECK_DIGIT.includes(brand), `${name}: accepted with a wrong check digit`);
      judged.without += 1;
    }
  }
  assert.ok(judged.right > 20 && judged.wrong > 3 && judged.without > 0, JSON.stringify(judged));
});

test('lengths, characters and repeated digits of the numbers', () => {
  for (const { name, digits, strict } of read('numbers').cases) {
    const plain = /^[0-9]*$/.test(digits);
    assert.equal(strict === 'number_characters', !plain, name);
    assert.equal(strict === 'number_repeated', /^([0-9])\1{11,18}$/.test(digits), name);
    if (strict === null) assert.match(digits, /^[0-9]{12,19}$/, name);
  }
});

test('masks', () => {
  const { cases } = read('masks');
  assert.ok(cases.length > 5);
  for (const { name, digits, mask } of cases) {
    const first = digits.length < 16 ? 6 : 8;
    const hidden = Math.max(3, digits.length - first - 4);
    assert.equal(mask, digits.slice(0, first) + '*'.repeat(hidden) + digits.slice(-4), name);
  }
});

test('the table of digits is what Unicode says, as far as this Node knows it', () => {
  /** @type {{ zeros: number[] }} */
  const { zeros } = read('digits');
  const digits = new Set(zeros.flatMap((zero) => [...Array(10).keys()].map((value) => zero + value)));
  assert.equal(digits.size, zeros.length * 10);
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    const known = /^\p{Nd}$/u.test(character);
    // A newer table may hold what is not assigned here yet.
    if (known !== digits.has(point)) assert.ok(!known && /^\p{Cn}$/u.test(character), `U+${point.toString(16)}`);
  }
});

test('a card ends with its month in the last zone of the earth, and the horizon moves in the first', () => {
  const { cases } = read('expiry_ends');
  assert.ok(cases.length > 10);
  const HOUR = 3_600_000;
  for (const { name, now, year, month, error } of cases) {
    const ended = Date.UTC(year, month, 1) + 12 * HOUR <= now * 1000;
    const furthest = new Date(now * 1000 + 14 * HOUR).getUTCFullYear() + 20;
    const expected = month < 1 || month > 12 ? 'expiry_month' : ended ? 'expiry_past' : year > furthest ? 'expiry_far' : null;
    assert.equal(error, expected, name);
  }
});

test('formatting neither adds nor loses a digit, and the number of digits before the caret stays', () => {
  let steps = 0;
  /** @param {string} text */
  const digits = (text) => text.replace(/[^0-9]/g, '');
  /** @param {string} text */
  const before = (text) => digits(text.split('|')[0]).length;
  for (const { name, field, steps: all } of read('format').cases) {
    if (field !== 'number') continue;
    let shown = '';
    for (const step of all) {
      // Deleting a gap takes the digit beside it along: there the field shows less than the browser reported.
      const deletedGap = digits(step.in) === digits(shown) && step.in.length < shown.length;
      const tooMany = digits(step.in).length > 32;
      if (tooMany) assert.equal(step.out, shown, `${name}: refused as a whole`);
      shown = step.out;
      if (deletedGap || tooMany || /[^0-9 |]/.test(step.in)) continue;
      assert.equal(digits(step.out), digits(step.in), name);
      assert.equal(before(step.out), before(step.in), name);
      steps += 1;
    }
  }
  assert.ok(steps > 20, `${steps} steps`);
});

/** The sessions of `typing/`, file by file, as its README describes them. @returns {any[]} */
const sessions = () =>
  readdirSync(new URL('./typing/', import.meta.url))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const file = JSON.parse(readFileSync(new URL(`./typing/${name}`, import.meta.url), 'utf8'));
      return file.sessions.map((/** @type {any} */ session) => ({ now: file.now, ...session }));
    });

test('sessions: names are unique and nothing stands there that the README does not know', () => {
  const all = sessions();
  assert.ok(all.length > 200, `${all.length} sessions`);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  const inSession = ['name', 'line', 'field', 'kind', 'now', 'brands', 'merges', 'engines', 'steps'];
  const inStep = ['field', 'keys', 'value', 'caret', 'state', 'brand', 'choices', 'error', 'focus'];
  for (const session of all) {
    assert.deepEqual(Object.keys(session).filter((name) => !inSession.includes(name)), [], session.name);
    for (const step of session.steps) {
      assert.deepEqual(Object.keys(step).filter((name) => !inStep.includes(name)), [], session.name);
    }
  }
});

test('sessions: carets stand in their values, an invalid state has its error, a valid one has none', () => {
  for (const { name, steps } of sessions()) {
    for (const { value, caret, state, error } of steps) {
      const [start, end] = [caret ?? 0].flat().length === 2 ? caret : [caret ?? 0, caret ?? 0];
      assert.ok(start >= 0 && start <= end && end <= value.length, name);
      assert.ok(['incomplete', 'valid', 'invalid'].includes(state), name);
      if (state === 'invalid') assert.ok(error, name);
      if (state === 'valid') assert.equal(error, undefined, name);
    }
  }
});

test('sessions: valid numbers have their check digit, valid dates have not ended, all are grouped', () => {
  const judged = { numbers: 0, dates: 0, groups: 0 };
  for (const { name, now, field, steps } of sessions()) {
    let at = field;
    for (const step of steps) {
      at = step.field ?? at;
      const digits = step.value.replace(/[^0-9]/g, '');
      if (at === 'number') {
        assert.match(step.value, /^([0-9]+( [0-9]+)*)?$/, name);
        if (!/^(3|1)/.test(digits)) {
          assert.equal(step.value, digits.replace(/(.{4})(?=.)/g, '$1 '), name);
          judged.groups += 1;
        }
        if (step.state === 'valid') {
          assert.ok(luhn(digits) || WITHOUT_CHECK_DIGIT.includes(step.brand), name);
          judged.numbers += 1;
        }
      } else if (at === 'expiry' && step.state === 'valid') {
        const [, month, year] = /^(?:20..\/)?(1?[0-9]|0[1-9])(?:\/([0-9]{2}))?$/.exec(step.value) ?? assert.fail(name);
        const full = Number(year ?? step.value.slice(2, 4)) + 2000;
        assert.ok(Number(month) >= 1 && Number(month) <= 12, name);
        assert.ok(Date.UTC(full, Number(month), 1) + 12 * 3_600_000 > now * 1000, name);
        judged.dates += 1;
      } else if (at === 'code') {
        assert.match(step.value, /^[0-9]*$/, name);
      }
      at = step.focus ?? at;
    }
  }
  assert.ok(judged.numbers > 30 && judged.dates > 80 && judged.groups > 200, JSON.stringify(judged));
});

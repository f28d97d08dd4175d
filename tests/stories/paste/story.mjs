/** Lines 3.1 and 3.6, the real clipboard: what is copied somewhere arrives whole and formatted, or not at all. */
import assert from 'node:assert/strict';
import { VISA } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

async function open() {
  return cardForm(await world.visit()).ready();
}

/** Pastes a text into an empty number. */
async function paste(text) {
  const form = await open();
  await form.number.focus();
  await form.page.copy(text);
  await form.page.press('Control+v');
  return form;
}

test('copied from a field of the shop, by keys alone', async () => {
  const form = await open();
  const { page } = form;
  await page.evaluate((value) => { document.querySelector('#before').value = value; }, 'Card: 4242-4242-4242-4242.');
  const { x, y, width, height } = await page.box('#before');
  await page.click({ x: x + width / 2, y: y + height / 2 });
  await page.press('Control+a', 'Control+c');
  await form.number.focus();
  await page.press('Control+v');
  assert.equal(await form.number.value(), '4242 4242 4242 4242');
});

for (const [name, text] of [
  ['groups with hard spaces', '4242\u00a04242\u202f4242\u20094242'],
  ['hyphens that do not break', '4242\u20114242\u20114242\u20114242'],
  ['soft hyphens, marks of direction, no-width spaces', '\u200e4242\u00ad4242\u200b4242\u20604242\ufeff'],
  ['full-width digits', '４２４２４２４２４２４２４２４２'],
  ['lines, as a table gives them', '4242\n4242\r\n4242\t4242\n'],
  ['dots', '4242.4242.4242.4242'],
]) {
  test(`${name} become a number`, async () => {
    const form = await paste(text);
    assert.equal(await form.number.value(), '4242 4242 4242 4242');
  });
}

test('one digit too many is never cut off', async () => {
  const form = await paste(`${VISA}${VISA}`);
  const { value, invalid } = await form.number.evaluate((input) => ({
    value: input.value.replaceAll(' ', ''),
    invalid: input.getAttribute('aria-invalid') === 'true',
  }));
  // Refused as a whole, or taken in as a whole; in either case the person is told.
  assert.ok(value === '' || value === VISA + VISA, 'cut');
  assert.ok(invalid);
  assert.ok((await form.number.note()).length > 5);
});

test('into a selection: it alone is replaced, and the caret is behind what came', async () => {
  const form = await open();
  await form.number.type('72345678');
  await form.number.press('Home', 'ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await form.page.copy('999');
  await form.page.press('Control+v');
  assert.equal(await form.number.value(), '7299 9567 8');
  assert.deepEqual(await form.number.selection(), [6, 6]);
});

test('words without a digit change nothing', async () => {
  const form = await open();
  await form.number.type('4242');
  await form.page.copy('no digits here');
  await form.page.press('Home', 'Control+v');
  assert.equal(await form.number.value(), '4242');
});

test('a whole number moves on to the date, and a date to the code', async () => {
  const form = await paste('5555 5555 5555 4444');
  assert.equal(await form.focused(), 'expiry');
  await form.page.copy('2029-01');
  await form.page.press('Control+v');
  assert.equal(await form.expiry.value(), '01/29');
  assert.equal(await form.focused(), 'code');
});

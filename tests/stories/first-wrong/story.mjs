/** Line 5.3: a refused submit puts the keyboard into the first wrong field, in view. */
import assert from 'node:assert/strict';
import { FUTURE, VISA, WRONG } from '../shared/cards.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

for (const [card, wrong] of [
  [{}, 'number'],
  [{ number: WRONG, expiry: FUTURE, code: '123' }, 'number'],
  [{ number: VISA, code: '123' }, 'expiry'],
  [{ number: VISA, expiry: '13/30' }, 'expiry'],
  [{ number: VISA, expiry: FUTURE }, 'code'],
]) {
  test(`${Object.keys(card).join(', ') || 'nothing'} filled in: the ${wrong}`, async () => {
    const form = await cardForm(await world.visit()).ready();
    for (const [field, text] of Object.entries(card)) await form[field].set(text);
    await form.button.click();
    await form.waitFor((id) => document.hasFocus() && document.activeElement?.id === id, wrong);
    assert.equal(await form[wrong].isInvalid(), true);
    assert.ok((await form.spoken.text()).length > 5, 'the first error is read aloud');
    // Typing goes there at once.
    await form.page.press('7');
    assert.match(await form[wrong].value(), /7/);
  });
}

test('out of view at the submit, in view after it', { without: {
  webkit: 'a frame of another origin does not scroll the page around it, whatever it does',
} }, async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await page.resize(700, 420);
  await page.evaluate(() => {
    // Away from the scrollbar.
    document.querySelector('#card').style.width = '500px';
    document.body.style.paddingTop = '600px';
    document.body.style.paddingBottom = '1200px';
  });
  await form.code.focus();
  // The person has looked elsewhere meanwhile.
  await page.evaluate(() => {
    scrollTo(0, 0);
    // As soft a scroll as a shop may have asked for.
    document.documentElement.style.scrollBehavior = 'smooth';
  });
  await page.press('Enter');
  await form.waitFor(() => document.activeElement?.id === 'number');
  await page.waitFor(
    (top) => {
      const y = document.querySelector('#card iframe').getBoundingClientRect().y + top;
      return y >= 0 && y + 40 <= innerHeight;
    },
    await form.number.evaluate((input) => input.getBoundingClientRect().y),
  );
});

/** What a page does with the element that a widget stands in: takes it away, moves it, replaces what is in it. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const CARD = { number: VISA, expiry: FUTURE, code: '123' };

/** Ways to take a widget out of the page. */
const GONE = {
  'the element is removed': () => document.querySelector('#card').remove(),
  'something around it is emptied': () => document.querySelector('#around').replaceChildren(),
  'the element is emptied': () => { document.querySelector('#card').textContent = ''; },
  'the frame is removed': () => document.querySelector('#card iframe').remove(),
};

test('taken out of the page, the widget closes itself, and opens again where the element is back', async () => {
  const page = await world.visit();
  await page.evaluate(() => {
    const around = document.body.appendChild(document.createElement('div'));
    around.id = 'around';
    around.append(document.querySelector('#card'));
    window.start('card');
  });
  const form = cardForm(page);
  let count = 0;
  for (const [how, remove] of Object.entries(GONE)) {
    count += 1;
    await form.ready(count);
    await form.number.type('4242');
    await page.evaluate(remove);
    await page.waitFor(() => said.card.closes.length);
    assert.deepEqual(await page.evaluate(() => said.card.closes.splice(0)), ['removed'], how);
    const { timers, observers, ports, frames } = await page.evaluate(() => alive());
    assert.deepEqual({ timers, observers, ports, frames }, { timers: 0, observers: 0, ports: 0, frames: 0 }, how);
    await page.evaluate(() => {
      const host = document.querySelector('#card') ?? document.createElement('div');
      host.id = 'card';
      document.querySelector('#around').append(host);
      window.card.open();
    });
  }
  await form.ready(count + 1);
  assert.equal(await form.number.value(), '');
  assert.deepEqual((await heard(page)).refused, []);
});

test('taken out while it loads: no error, nothing late', async () => {
  const { release, came } = world.front.hold(/\/frame$/);
  const page = await world.visit();
  await page.evaluate(() => { window.start('card', { timeout: 1000 }); });
  await came;
  await page.evaluate(() => document.querySelector('#card').remove());
  await page.waitFor(() => said.card.closes.length);
  release();
  await world.settled();
  const { timers, observers, ports, frames } = await page.evaluate(() => alive());
  assert.deepEqual({ timers, observers, ports, frames }, { timers: 0, observers: 0, ports: 0, frames: 0 });
  const { refused, ready, console } = await heard(page);
  assert.deepEqual([refused, ready, console], [[], [], []]);
});

test('moved in the page, the frame loads anew on a fresh channel, empty, and works', async () => {
  const page = await world.visit();
  const id = await page.evaluate(() => window.start('card', { amount: 5, currency: 'EUR' }));
  const form = await cardForm(page).ready();
  await page.evaluate(() => card.update({ lang: 'pl', amount: 7 }));
  await form.type(CARD);
  await page.evaluate(() => document.querySelector('#there').append(document.querySelector('#card')));
  await page.waitFor(() => said.card.ready === 2);
  assert.deepEqual([await form.number.value(), await form.code.value()], ['', '']);
  // With what the shop asked for last: the frame's address has the first language, and texts of another one come later.
  await form.waitFor(() => document.documentElement.lang === 'pl');
  assert.match(await form.button.text(), /7/);
  await form.type(CARD);
  await form.code.press('Enter');
  await page.waitFor(() => said.card.tokens.length);
  const { ports, frames, observers, timers } = await page.evaluate(() => alive());
  assert.deepEqual([ports, frames, observers], [1, 1, 1]);
  assert.ok(timers <= 1, 'the time that the token lives');
  assert.deepEqual((await heard(page)).ready, [{ instance: id }], 'the page is told once');
  assert.deepEqual(await page.evaluate(() => said.card.closes), []);
});

test('moved while a submit is under way: who waits is told, and the form works', async () => {
  const page = await world.visit();
  await page.evaluate(() => { window.start('card'); });
  const form = await cardForm(page).ready();
  await form.type(CARD);
  const { release, came } = world.front.hold(/\/tokens$/);
  await page.evaluate(() => { window.pending = card.submit().then(() => 'token', ({ code }) => code); });
  await came;
  await page.evaluate(() => document.querySelector('#there').append(document.querySelector('#card')));
  assert.equal(await page.evaluate(() => window.pending), 'closed');
  release();
  await page.waitFor(() => said.card.ready === 2);
  assert.deepEqual(await page.evaluate(() => said.card.tokens), []);
  await form.type(CARD);
  await form.code.press('Enter');
  await page.waitFor(() => said.card.tokens.length);
});

test('a tab in the background starts as well', async () => {
  const page = await world.visit();
  const { release, came } = world.front.hold(/\/frame$/);
  await page.evaluate(() => { window.start('card'); });
  await came;
  const other = await world.visit('/shared/record.js');
  release();
  await cardForm(page).ready();
  await other.close();
  const form = cardForm(page);
  await form.type(CARD);
  await form.code.press('Enter');
  await page.waitFor(() => said.card.tokens.length);
});

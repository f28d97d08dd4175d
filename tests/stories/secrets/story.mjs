/**
 * Line 2.6: a card is typed, and a shop that listens to everything hears nothing of it; what its process holds and what the
 * module holds afterwards is searched from outside.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { FUTURE } from '../shared/cards.mjs';
import { cardForm, heard, token, tokenRequests } from '../shared/form.mjs';
import { assertNowhere } from '../shared/leaks.mjs';
import { openWorld } from '../shared/world.mjs';
import { heapOf, processHolds, wasmOf } from './memory.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

/** Nobody's: of this run alone, so that it lies nowhere by chance. */
const NUMBER = makeNumber();
const OTHER = makeNumber();
const CODE = '739';

const CHROMIUM = 'heap snapshots of one page, and the objects of a page, can be had from outside in Chromium alone';
const ONE_PROCESS = "WebKit's Linux port keeps frames of other sites in the page's own process";

test('nothing reaches the shop', async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  // Not all at once: an incomplete number tells nothing at all. Thirteen digits may be a whole one.
  await form.number.type(NUMBER.slice(0, 12));
  await form.number.press('Tab');
  await page.waitFor(() => window.heard.changes.some(({ fields }) => fields.number.error));
  const early = JSON.stringify(await page.evaluate(() => [window.heard, window.overheard]));
  for (const length of [6, 8]) {
    for (let at = 0; at + length <= 12; at += 1) assert.ok(!early.includes(NUMBER.slice(at, at + length)), `${length} digits from ${at}`);
  }

  await form.number.type(NUMBER.slice(12));
  await form.type({ expiry: FUTURE, code: CODE });
  await page.evaluate(() => widget.validate());
  await form.button.click();
  await token(page);
  await page.evaluate(() => {
    widget.clear();
    widget.close();
  });

  const everything = await page.evaluate(() => window.everything());
  for (const way of ['onToken', 'onChange', 'postMessage', 'performance', 'attribute']) assert.ok(everything.overheard.includes(way), `the shop listens to ${way}`);
  assertNowhere(NUMBER, {
    ...everything,
    'what the service was asked': Buffer.concat(page.requests.flatMap(({ url, headers, body }) => [Buffer.from(url + JSON.stringify(headers)), body])),
    'the console': (page.console ?? []).join('\n'),
    'all addresses': (page.addresses ?? []).join('\n'),
    "the service's log": world.service.log,
  });
  assert.equal(tokenRequests(page).length, 1);
  const { messages } = await heard(page);
  assert.ok(!messages.some((message) => Object.values(message).includes(CODE)));
  assert.doesNotMatch(JSON.stringify(messages), new RegExp(`\\b${CODE}\\b`));
});

test("neither the heap of the shop's page nor the module's memory holds it", { without: { firefox: CHROMIUM, webkit: CHROMIUM } }, async () => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  const shop = await page.protocol();
  // There is one only for a frame that lives in a process of its own.
  const frame = await page.frameProtocol('#card iframe');
  const fresh = await wasmOf(frame);
  assert.equal(fresh.length, 1, 'one module');

  await form.type({ number: NUMBER, expiry: FUTURE, code: CODE });
  const typed = await wasmOf(frame);
  // The searches can find something.
  assert.throws(() => assertNowhere(NUMBER, { memory: typed[0] }));
  const codes = placesOf(typed[0], CODE).filter((place) => !placesOf(fresh[0], CODE).includes(place));
  assert.ok(codes.length > 0, 'the code is there');
  await page.evaluate((number) => { window.planted = { number }; }, OTHER);
  const during = await heapOf(shop);
  assert.throws(() => assertNowhere(OTHER, { heap: during }));
  assertNowhere(NUMBER, { "the shop's heap": during });

  await form.button.click();
  await token(page);
  const [sealed] = await wasmOf(frame);
  assert.ok(placesOf(sealed, CODE).every((place) => !codes.includes(place)), 'the code was wiped');
  assertNowhere(NUMBER, { 'the module after sealing': sealed });
  assertNowhere(NUMBER, { "the shop's heap": await heapOf(shop) });

  await page.evaluate(() => widget.clear());
  await form.waitFor(() => !document.querySelector('#number').value);
  const [cleared] = await wasmOf(frame);
  assertNowhere(NUMBER, { 'the module after clear()': cleared });

  await form.type({ number: NUMBER, code: CODE });
  const gone = new Promise((resolve) => frame.once('close', resolve));
  await page.evaluate(() => widget.close());
  await gone;
  const browser = await page.playwright.context().browser().newBrowserCDPSession();
  const { targetInfos } = await browser.send('Target.getTargets');
  assert.deepEqual(targetInfos.filter(({ type }) => type === 'iframe'), [], "the frame's process has nothing of it any more");
  assertNowhere(NUMBER, { "the shop's heap": await heapOf(shop) });
});

test("the whole process of the shop's page does not hold it", { without: { chromium: 'its heap is searched instead', webkit: ONE_PROCESS } }, async (t) => {
  const page = await world.visit();
  const form = await cardForm(page).ready();
  await form.type({ number: NUMBER, expiry: FUTURE, code: CODE });
  await form.button.click();
  await token(page);
  const [shop, frame] = await page.engine.inside(
    'const { browsingContext } = gBrowser.selectedBrowser; return [browsingContext, browsingContext.children[0]].map(({ currentWindowGlobal }) => currentWindowGlobal.osPid)',
  );
  assert.notEqual(shop, frame, 'two processes');
  const planted = OTHER.slice(0, 8);
  await page.evaluate(([first, last]) => { window.planted = [first, last].join(''); }, [planted, OTHER.slice(8)]);
  const needles = (number) => [Buffer.from(number), Buffer.from(number, 'utf16le'), Buffer.from(number.replace(/(.{4})(?=.)/g, '$1 '))];
  const found = processHolds(shop, needles(OTHER));
  if (found === undefined) return t.skip(`${world.engine}: this system lets nobody read another process`);
  assert.equal(found, true, 'the search can find something');
  assert.equal(processHolds(shop, needles(NUMBER)), false);
});

test('what the module holds is wiped by a token, clear() and pagehide', async () => {
  // The module's memory is reached by a script that goes ahead of the frame's own.
  world.front.rewrite(/\/frame-[0-9a-f]+\.js$/, (text) => `{
    const { Instance } = WebAssembly;
    globalThis.memories = [];
    WebAssembly.Instance = function (...words) {
      const instance = new Instance(...words);
      memories.push(instance.exports.memory);
      return instance;
    };
  }
  ${text}`);
  const page = await world.visit();
  const form = await cardForm(page).ready();
  const grouped = NUMBER.replace(/(.{4})(?=.)/g, '$1 ');
  const writings = [Buffer.from(NUMBER), Buffer.from(grouped), Buffer.from(NUMBER, 'utf16le'), Buffer.from(grouped, 'utf16le'), [...NUMBER].map(Number)];
  const holds = () => form.evaluate((needles) => {
    return window.memories.some(({ buffer }) => {
      const bytes = new Uint8Array(buffer);
      return needles.some((needle) => {
        for (let at = bytes.indexOf(needle[0]); at >= 0; at = bytes.indexOf(needle[0], at + 1)) {
          if (needle.every((byte, index) => bytes[at + index] === byte)) return true;
        }
        return false;
      });
    });
  }, writings.map((bytes) => [...bytes]));

  await form.type({ number: NUMBER, expiry: FUTURE });
  assert.equal(await holds(), true, 'the search can find something');
  await page.evaluate(() => widget.clear());
  await form.waitFor(() => !document.querySelector('#number').value);
  assert.equal(await holds(), false, 'after clear()');

  await form.type({ number: NUMBER, expiry: FUTURE, code: CODE });
  assert.equal(await holds(), true);
  await form.evaluate(() => void dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  assert.equal(await holds(), false, 'after pagehide');
  assert.deepEqual(await form.evaluate(() => [...document.querySelectorAll('input[autocomplete]')].map(({ value }) => value)), ['', '', '']);
});

/** @param {Buffer} bytes @param {string} text */
function placesOf(bytes, text) {
  const places = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

/** A card number that a test key takes, with the last digit that makes it one (Luhn, ISO/IEC 7812-1 annex B). */
function makeNumber() {
  const digits = `4${Array.from({ length: 14 }, () => randomInt(10)).join('')}`;
  const sum = [...digits].map(Number).reduce((sum, digit, index) => sum + (index % 2 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

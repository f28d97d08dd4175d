/** The cases of `cases.mjs` with the real form; `tests/package/testing.test.js` has them with the package's fake. */
import assert from 'node:assert/strict';
import { cardForm } from '../shared/form.mjs';
import { offline, online } from '../shared/offline.mjs';
import { openWorld } from '../shared/world.mjs';
import { CASES, lines } from './cases.mjs';

const reason = 'a fake is compared with the real form, which is the same in every engine';
const world = openWorld(import.meta.url, { without: { firefox: reason, webkit: reason } });
const { test } = world;

const refusal = (status, code, type, actor) => async () => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ code, type, actor, message: 'As the story wants it.', retryable: status !== 422 ? 'true' : '', correlation_id: 'story' })),
});
/** How each fault befalls the real form. */
const FAULTS = {
  offline: (page) => offline(world, page, ['#card iframe']),
  keyExpired: () => world.front.rule(/\/tokens$/, refusal(403, 'ticket_expired', 'invalid_request_error', 'service')),
  limitReached: () => world.front.rule(/\/tokens$/, refusal(429, 'too_many_requests', 'api_error', 'customer')),
  refused: () => world.front.rule(/\/tokens$/, refusal(422, 'wrong_card_number', 'payment_method_error', 'customer')),
};

test('the page hears of the real form what the fake says', async () => {
  const page = await world.visit();
  for (const { name, steps } of CASES) {
    for (const [index, { start, open, type, press, fault, call, hears }] of steps.entries()) {
      const what = `${name}, step ${index + 1}`;
      if (start) await page.evaluate((params) => drive.start(CardWidget, params), written(start));
      else await page.evaluate(() => { said.length = 0; });
      if (open) await page.evaluate(() => drive.widget.open());
      if (type) await cardForm(page).type(type);
      if (press) await cardForm(page).button.click();
      if (call) await page.evaluate(({ name, args }) => drive.call(name, args.map((text) => (text ? new Function(`return ${text}`)() : undefined))), { name: call[0], args: call.slice(1).map(literal) });
      const told = async () => lines(await page.evaluate(() => said));
      const end = Date.now() + 15_000;
      while ((await told()).length < hears.length && Date.now() < end) await new Promise((resolve) => { setTimeout(resolve, 10); });
      await world.settled();
      assert.deepEqual(await told(), hears, what);
      if (fault) await FAULTS[fault](page);
    }
    world.front.relax();
    if (name.startsWith('offline')) await online(world, page, ['#card iframe']);
  }
});

/** Values travel as JSON, which has no `undefined`. */
const literal = (value) => JSON.stringify(value, (_, inner) => (inner === undefined ? '%' : inner))?.replaceAll('"%"', 'undefined') ?? 'undefined';
const written = (value) => JSON.parse(JSON.stringify(value));

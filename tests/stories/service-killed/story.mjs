/** An answered token is durable: the service is killed right after its answer, and the repeat returns the same token. */
import assert from 'node:assert/strict';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

for (const round of [1, 2, 3]) {
  test(`killed right after the answer, round ${round}`, async () => {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    await form.type({ number: VISA, expiry: FUTURE, code: '123' });
    // Before the answer is even handed on to the browser.
    world.front.rule(/\/tokens$/, async (_, pass) => {
      const answer = await pass();
      await world.service.stop('SIGKILL');
      return answer;
    });
    await form.button.click();
    const first = await token(page);
    world.front.relax();

    await world.service.start();
    const [request] = tokenRequests(page);
    const repeat = (body) => {
      const headers = { 'content-type': 'application/json', origin: world.front.origin };
      headers['idempotency-key'] = request.headers['idempotency-key'];
      return fetch(request.url, { method: 'POST', headers, body });
    };
    const again = await repeat(request.body);
    assert.equal(again.status, 200);
    assert.deepEqual(await again.json(), first);

    const changed = await repeat(JSON.stringify({ ...JSON.parse(request.body.toString()), customer_id: 'another' }));
    assert.equal(changed.status, 409);
    assert.equal((await changed.json()).code, 'idempotency_conflict');
  });
}

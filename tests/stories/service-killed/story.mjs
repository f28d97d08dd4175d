/** An answered token is durable: the service is killed right after its answer, and the repeat returns the same token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE, VISA } from '../shared/cards.mjs';
import { cardForm, token, tokenRequests } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);

for (const round of [1, 2, 3]) {
  test(`killed right after the answer, round ${round}`, async () => {
    const page = await world.visit();
    const form = await cardForm(page).ready();
    await form.type({ number: VISA, expiry: FUTURE, code: '123' });
    // In the same step as the answer arrives, before anything else can happen.
    const answered = page.waitForResponse('**/api/widget/v1/tokens').then(() => world.service.stop('SIGKILL'));
    await form.button.click();
    await answered;
    const first = await token(page);

    await world.service.start();
    const [request] = tokenRequests(page);
    const repeat = (body) => {
      const headers = { 'content-type': 'application/json', origin: world.service.origin };
      headers['idempotency-key'] = request.headers()['idempotency-key'];
      return fetch(request.url(), { method: 'POST', headers, body });
    };
    const again = await repeat(request.postData());
    assert.equal(again.status, 200);
    assert.deepEqual(await again.json(), first);

    const changed = await repeat(JSON.stringify({ ...JSON.parse(request.postData()), customer_id: 'another' }));
    assert.equal(changed.status, 409);
    assert.equal((await changed.json()).code, 'idempotency_conflict');
  });
}

/** The client against servers that do not behave: what is tried again, what is not, and what the error says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LOGIN, PAYMENT, failure, openPackage, openServer, refusal } from './world.mjs';

let shop;
let server;
let client;
before(async () => {
  [shop, server] = await Promise.all([openPackage(), openServer()]);
  client = await shop.loadClient({ url: server.url, ...LOGIN });
});
after(() => {
  shop?.remove();
  server?.close();
});

const order = { amount: '1', currency: 'UAH', external_id: 'o-1', mode: 'hosted' };
const INFO = { id: '1', external_id: 'o-1' };
const cut = (request) => request.socket.destroy();
const limited = (seconds) => ({ status: 429, headers: { 'x-ratelimit-reset': String(seconds) }, body: refusal('too_many_requests', { type: 'api_error' }) });
const html = (status) => ({ status, headers: { 'content-type': 'text/html' }, body: '<html><body>Bad gateway</body></html>' });

test('what goes over the wire', async () => {
  server.answers({ body: PAYMENT });
  await client.payments.create({ ...order, description: 'Кава "лате"', payload: undefined, of_a_later_version: { a: [1] } });
  const [{ method, url, headers, body }] = server.requests;
  assert.deepEqual([method, url, headers['content-type'], headers.accept], ['POST', '/api/payments/v1/new', 'application/json', 'application/json']);
  assert.equal(headers.authorization, `Basic ${btoa('sandbox:sandbox-password')}`);
  assert.deepEqual(JSON.parse(body), { ...order, description: 'Кава "лате"', of_a_later_version: { a: [1] } });

  server.answers({ body: { external_id: 'x', wallet: [] } });
  await client.savedCards.list({ external_id: 'a b&c=d/é' });
  assert.equal(server.requests[0].url, '/api/customers/v1/wallet?external_id=a%20b%26c%3Dd%2F%C3%A9');
  server.answers({ body: { message: 'OK' } });
  await client.subscriptions.cancel({ auth: 'token-1' }, { subscription_id: '../1', refund: true });
  assert.deepEqual([server.requests[0].method, server.requests[0].url], ['DELETE', '/api/subscriptions/v1/subscriptions/..%2F1/cancel?refund=true']);
  assert.equal(server.requests[0].headers['x-customer-auth'], 'token-1');
  await client.plans.update({ plan_id: '7', price: '1.5' });
  assert.deepEqual([server.requests[1].url, server.requests[1].body], ['/api/subscriptions/v1/plans/7', '{"price":"1.5"}']);
  server.answers({ body: PAYMENT });
  await client.payments.refund({ external_id: 'o-1', amount: 'full', payload: 'x' });
  await client.payments.refund({ external_id: 'o-1', amount: '5' });
  assert.deepEqual(server.requests.map((each) => each.body), ['{"external_id":"o-1","payload":"x"}', '{"external_id":"o-1","amount":"5"}']);

  const under = await shop.loadClient({ url: `${server.url}/gateway/`, login: 'käufer', password: 'пароль' });
  server.answers({ body: INFO });
  await under.payments.info({ external_id: 'o-1' });
  assert.equal(server.requests[0].url, '/gateway/api/payments/v1/info?external_id=o-1');
  assert.equal(Buffer.from(server.requests[0].headers.authorization.slice(6), 'base64').toString(), 'käufer:пароль');
});

test('amounts are texts by their digits, and what is not known stays', async () => {
  const json = '{"external_id":"o-1","amount":999999999999.99,"parts_count":3,"amount_confirmed":0,"amount_refunded":1.5,"details":[{"amount":0.10}],"later":{"n":12345678901234567890,"é":"\\u00e9\\n"}}';
  server.answers({ body: json });
  const info = await client.installments.info({ external_id: 'o-1' });
  assert.deepEqual([info.amount, info.amount_confirmed, info.amount_refunded, info.parts_count, info.details[0].amount], ['999999999999.99', '0.00', '1.50', 3, '0.10']);
  assert.deepEqual(info.later['é'], 'é\n');
  server.answers({ body: { ...PAYMENT, details: { status: 'of_a_later_version', status_code: 'new_code' } } });
  assert.equal((await client.payments.create(order)).details.status, 'of_a_later_version');
});

test('nothing reached the service: tried again, then said', async () => {
  const gone = await openServer();
  gone.close();
  const lonely = await shop.loadClient({ url: gone.url, ...LOGIN, retries: 1 });
  const error = await failure(lonely.payments.refund({ external_id: 'o-1', amount: 'full' }));
  assert.deepEqual([error.kind, error.remedy], ['not_sent', undefined]);
  assert.match(error.message, /^payments\.refund\(\): the service at http:\/\/127\.0\.0\.1:\d+ cannot be reached, and nothing was sent/);
  let asked = 0;
  const refusing = async (...request) => {
    asked += 1;
    if (asked === 1) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return fetch(...request);
  };
  server.answers({ body: PAYMENT });
  const stubborn = await shop.loadClient({ url: server.url, ...LOGIN, fetch: refusing });
  assert.equal((await stubborn.payments.refund({ external_id: 'o-1', amount: 'full' })).id, PAYMENT.id);
  const names = ['ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'ConnectionRefused', 'UND_ERR_CONNECT_TIMEOUT'];
  for (const code of names) {
    const failing = await shop.loadClient({ url: server.url, ...LOGIN, retries: 0, fetch: async () => { throw Object.assign(new Error('x'), { code }); } });
    assert.equal((await failure(failing.payments.info({ external_id: 'o-1' }))).kind, 'not_sent', code);
  }
});

test('a lost answer: creation and reading are repeated, confirming and refunding are not', async () => {
  server.answers(cut, { body: PAYMENT });
  assert.equal((await client.payments.create(order)).id, PAYMENT.id);
  assert.deepEqual(server.requests.map(({ body }) => body), [server.requests[0].body, server.requests[0].body]);
  server.answers(cut, { body: INFO });
  assert.equal((await client.payments.info({ external_id: 'o-1' })).id, '1');
  for (const [call, params, remedy] of [
    ['confirm', { external_id: 'o-1' }, 'payments.info'],
    ['cancel', { external_id: 'o-1', amount: '1' }, 'payments.info'],
    ['refund', { external_id: 'o-1', amount: 'full' }, 'payments.info'],
    ['retryRefund', { external_id: 'o-1' }, 'payments.info'],
    ['resendCallback', { external_id: 'o-1' }, undefined],
  ]) {
    server.answers(cut);
    const error = await failure(client.payments[call](params));
    assert.deepEqual([error.kind, error.remedy?.call, error.remedy?.params], ['lost', remedy, remedy && { external_id: 'o-1' }], call);
    assert.equal(server.requests.length, 1, call);
  }
  server.answers(cut);
  const payout = { order: { external_id: 'p"1', original_amount: '1', currency: 'UAH', description: 'x' }, payer: { entity_id: 'e' }, recipient: { payout_type: 'card' } };
  const error = await failure(client.payouts.create(payout));
  assert.deepEqual([error.kind, error.remedy], ['lost', { call: 'payouts.info', params: { external_id: 'p"1' } }]);
  assert.equal(server.requests.length, 3);
  assert.match(error.message, /ask payouts\.info\(\), as `remedy` says\.$/);
});

test('a repeat that is refused as paid is news of the attempt before', async () => {
  server.answers(cut, { status: 400, body: refusal('transaction_already_paid') });
  const error = await failure(client.payments.create(order));
  assert.deepEqual([error.kind, error.remedy.call, error.cause.code], ['lost', 'payments.info', 'transaction_already_paid']);
  // The first attempt is no repeat, nor is one after a limit, which nothing passed.
  for (const before of [[], [limited(0)]]) {
    server.answers(...before, { status: 400, body: refusal('transaction_already_paid') });
    assert.equal((await failure(client.payments.create(order))).kind, 'refused');
  }
});

test('behind a lost answer, no other failure says that nothing was done', async () => {
  for (const [answer, cause] of [
    [{ status: 400, body: refusal('invalid_currency') }, 'refused'],
    [limited(40), 'refused'],
    [{ status: 401, body: refusal('authorization_failed') }, 'refused'],
  ]) {
    server.answers(cut, answer);
    const error = await failure(client.payments.create(order));
    assert.deepEqual([error.kind, error.remedy.call, error.cause.kind], ['lost', 'payments.info', cause]);
    // What only reads has nothing to lose.
    server.answers(cut, answer);
    assert.equal((await failure(client.payments.info({ external_id: 'o-1' }))).kind, cause);
  }
  let attempts = 0;
  const going = async (...request) => {
    attempts += 1;
    if (attempts > 1) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return fetch(...request);
  };
  server.answers({ status: 500, body: refusal('internal_error') });
  const leaving = await shop.loadClient({ url: server.url, ...LOGIN, fetch: going });
  const error = await failure(leaving.payments.create(order));
  assert.deepEqual([error.kind, error.cause.kind, attempts], ['lost', 'not_sent', 3]);
  // Before anything may have been done, each failure is what it is.
  server.answers(limited(0), { status: 400, body: refusal('invalid_currency') });
  assert.equal((await failure(client.payments.create(order))).code, 'invalid_currency');
});

test('a limit: every call waits as long as it is told, or says so at once', async () => {
  server.answers(limited(1), { body: PAYMENT });
  const begun = Date.now();
  await client.payments.refund({ external_id: 'o-1', amount: 'full' });
  assert.ok(Date.now() - begun >= 1000);
  server.answers(limited(40));
  const error = await failure(client.payments.refund({ external_id: 'o-1', amount: 'full' }));
  assert.deepEqual([error.kind, error.status, error.code, error.retryAfter, server.requests.length], ['refused', 429, 'too_many_requests', 40_000, 1]);
});

test('faults of the service, and pages of proxies', async () => {
  server.answers({ status: 500, body: refusal('internal_error', { type: 'api_error' }) }, html(502), { body: INFO });
  assert.equal((await client.payments.info({ external_id: 'o-1' })).id, '1');
  server.answers({ status: 500, body: refusal('internal_error') });
  const fault = await failure(client.payments.confirm({ external_id: 'o-1' }));
  assert.deepEqual([fault.kind, fault.code, fault.remedy.call, server.requests.length], ['refused', 'internal_error', 'payments.info', 1]);
  server.answers(html(502));
  const lost = await failure(client.payments.refund({ external_id: 'o-1', amount: 'full' }));
  assert.deepEqual([lost.kind, lost.status, lost.remedy.call, server.requests.length], ['unreadable', 502, 'payments.info', 1]);
  assert.match(lost.message, /with status 502, is a page in HTML, as a proxy answers\. What became of the call is not known/);
  assert.ok(!lost.message.includes('Bad gateway'));
  for (const [answer, words] of [
    [html(404), /Is `url` of loadClient\(\) the base address of the service\?$/],
    [{ status: 301, headers: { location: 'https://elsewhere.example/' } }, /It leads elsewhere/],
    [{ status: 404, body: 'not found' }, /is no JSON/],
    [{ status: 403, body: { error: 'no' } }, /is JSON of another kind/],
    [{ body: '[]' }, /is JSON of another kind/],
    [{ body: '{"status":"ok"}' }, /has none of the members/],
    [{ body: '' }, /is empty/],
    [{ body: '{"id":"1","external_id":"o-' }, /breaks off or is damaged/],
    [{ body: '\ufeff{"id":"1"}' }, /is no JSON/],
  ]) {
    server.answers(answer);
    const error = await failure(client.payments.confirm({ external_id: 'o-1' }));
    assert.equal(error.kind, 'unreadable', words);
    assert.match(error.message, words);
    assert.equal(server.requests.length, 1);
  }
});

test('half an answer is not read as one', async () => {
  const half = (request, response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.write('{"id":"1","external_id":"o-1"');
    setTimeout(() => request.socket.destroy(), 20);
  };
  server.answers(half);
  assert.equal((await failure(client.payments.confirm({ external_id: 'o-1' }))).kind, 'lost');
  server.answers(half, { body: INFO });
  assert.equal((await client.payments.info({ external_id: 'o-1' })).id, '1');
});

test('time is for all attempts together, and silence is a lost answer', async () => {
  const silent = () => {};
  server.answers(silent);
  const begun = Date.now();
  const error = await failure(client.payments.create(order, { timeout: 300 }));
  assert.ok(Date.now() - begun < 5000);
  assert.deepEqual([error.kind, error.remedy.call, server.requests.length], ['lost', 'payments.info', 1]);
  assert.match(error.message, /no answer came within 300 ms/);
});

test('a signal ends a call, its pauses and all calls of a client; the reason comes through', async () => {
  const reason = new Error('the person left');
  server.answers(() => {});
  for (const where of ['call', 'client']) {
    const controller = new AbortController();
    const one = await shop.loadClient({ url: server.url, ...LOGIN, ...(where === 'client' && { signal: controller.signal }) });
    const asked = failure(one.payments.info({ external_id: 'o-1' }, where === 'call' ? { signal: controller.signal } : undefined));
    setTimeout(() => controller.abort(reason), 50);
    assert.equal(await asked, reason, where);
    assert.equal(await failure(one.payments.info({ external_id: 'o-1' }, { signal: controller.signal })), reason);
  }
  server.answers(limited(5));
  const controller = new AbortController();
  const pausing = failure(client.payments.info({ external_id: 'o-1' }, { signal: controller.signal }));
  setTimeout(() => controller.abort(reason), 100);
  assert.equal(await pausing, reason);
});

test('a wrong parameter is one sentence, and nothing is sent', async () => {
  server.answers({ body: PAYMENT });
  const rows = [
    [() => client.payments.create({ ...order, amount: 100.5 }), 'amount', 'payments.create(): amount must be an amount as text of at most two decimals, such as "100.50"; received a number.'],
    [() => client.payments.create({ ...order, amount: '100,50' }), 'amount', /received another text\.$/],
    [() => client.payments.create({ ...order, amount: '-1' }), 'amount', /received another text\.$/],
    [() => client.payments.create({ ...order, external_id: 5 }), 'external_id', 'payments.create(): external_id must be text of 1 to 255 characters, without NUL; received a number.'],
    [() => client.payments.create({ ...order, external_id: '' }), 'external_id', /received another text/],
    [() => client.payments.create({ ...order, external_id: undefined }), 'external_id', 'payments.create(): external_id must be there: text of 1 to 255 characters, without NUL.'],
    [() => client.payments.create({ ...order, mode: 'page' }), 'mode', 'payments.create(): mode must be "hosted" or "direct"; received another text.'],
    [() => client.payments.create({ ...order, checkout_ttl: 4 }), 'checkout_ttl', /a whole number from 5 to 720; received a number\.$/],
    [() => client.payments.create({ ...order, callback_url: '/callback' }), 'callback_url', /an absolute https or http address/],
    [() => client.payments.create({ ...order, products: [{ name: 'x', quantity: 1, net_amount: '1', vat_amount: '1', tax_group: 1 }] }), 'products.quantity', /received a number/],
    [() => client.payments.create({ ...order, metadata: { a: 1 } }), 'metadata', /an object of at most 10 names/],
    [() => client.payments.create({ ...order, confirm: 'yes' }), 'confirm', /must be true or false; received another text\.$/],
    [() => client.payments.create({ ...order, amount: 1n }), '', /plain data: no BigInt/],
    [() => client.payments.create([order]), '', /the parameters must be an object; received a list\.$/],
    [() => client.payments.create(), 'amount', /must be there/],
    [() => client.payments.create(order, 5000), undefined, /options must be an object; received a number\.$/],
    [() => client.payments.create(order, { timeout: 0 }), 'options.timeout', /a whole number from 1 to 600,000/],
    [() => client.payments.refund({ external_id: 'o-1' }), 'amount', 'payments.refund(): amount must be "full", or an amount as text of at most two decimals, such as "100.50": a refund says how much.'],
    [() => client.payments.refund({ external_id: 'o-1', amount: null }), 'amount', /a refund says how much/],
    [() => client.installments.refund({ external_id: 'o-1', amount: 5 }), 'amount', /a refund says how much; received a number\.$/],
    [() => client.payments.info({ external_id: 'o-1', extrenal: 1 }), 'extrenal', /must be left out/],
    [() => client.savedCards.list({}), 'customer', 'savedCards.list(): customer must be { external_id } or { auth }, with one of the two.'],
    [() => client.savedCards.list({ external_id: 'a', auth: 'b' }), 'customer', /one of the two/],
    [() => client.savedCards.list({ external_id: 7 }), 'customer.external_id', /received a number/],
    [() => client.savedCards.list('c-1'), 'customer', /received another text/],
    [() => client.subscriptions.list({ external_id: 'c-1' }), 'customer', /\{ auth \}, with the customer's access token/],
    [() => client.subscriptions.list({ auth: 'a\r\nx: y' }), 'customer.auth', /an access token as the service issued it/],
    [() => client.plans.get({ plan_id: 7 }), 'plan_id', /received a number/],
    [() => client.reports.transactions({ date_from: '2026-1-1', date_to: '2026-01-02' }), 'date_from', /a day, such as "2026-01-31"/],
  ];
  for (const [call, param, message] of rows) {
    const error = await failure(call());
    assert.equal(error.kind, 'parameter', message);
    assert.equal(error.param, param ?? error.param, message);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    assert.ok(!/\n/.test(error.message) && error.message.endsWith('.'), error.message);
  }
  assert.equal(server.requests.length, 0);
});

test('what is wrong is never repeated in the sentence', async () => {
  const secret = '4000000000000002';
  const cc = { number: Number(secret), exp_month: 1, exp_year: 2030, cvv: '123' };
  const error = await failure(client.payments.create({ ...order, mode: 'direct', customer: { payment_method: { type: 'cc', cc } } }));
  assert.equal(error.param, 'customer.payment_method.cc.number');
  assert.ok(!JSON.stringify([error.message, { ...error }, String(error.stack)]).includes(secret));
});

test('a client is made of right options, on the right side, and used when it is loaded', async () => {
  const right = { url: server.url, ...LOGIN };
  for (const [options, words] of [
    [undefined, /options must be an object/],
    [{ ...right, url: 'pay.example' }, /options\.url must be the absolute address/],
    [{ ...right, url: 'http://pay.example' }, /must begin with https/],
    [{ ...right, url: 'ftp://pay.example' }, /must begin with https/],
    [{ ...right, url: 'https://pay.example/api/payments/v1/new' }, /the base address alone/],
    [{ ...right, url: 'https://pay.example/?x=1' }, /the base address alone/],
    [{ ...right, url: 'https://a:b@pay.example' }, /the base address alone/],
    [{ ...right, login: '' }, /options\.login must be text/],
    [{ ...right, login: 'a:b' }, /without a colon/],
    [{ ...right, password: 5 }, /options\.password must be text that is not empty; received a number/],
    [{ ...right, timeout: '5' }, /options\.timeout must be milliseconds/],
    [{ ...right, retries: 11 }, /options\.retries must be a whole number from 0 to 10/],
    [{ ...right, fetch: 'x' }, /options\.fetch must be a function/],
  ]) {
    const error = await failure(shop.loadClient(options));
    assert.equal(error.kind, 'parameter', words);
    assert.match(error.message, words);
    assert.ok(!error.message.includes('sandbox-password'));
  }
  assert.throws(() => shop.loadClient(right).payments, { kind: 'not_loaded', message: 'client.payments: the client is not loaded yet: write `const client = await loadClient(…)`.' });
  assert.ok(!JSON.stringify(client).includes('sandbox-password'));

  globalThis.document = {};
  try {
    const refused = await failure(shop.loadClient(right));
    assert.deepEqual([refused.kind, (await failure(shop.loadCallbacks({ password: 'x' }))).kind], ['wrong_side', 'wrong_side']);
    assert.match(refused.message, /^loadClient\(options\): the password belongs on the shop's server/);
    assert.ok(await shop.loadClient({ ...right, allowCredentialsInBrowser: true }));
  } finally {
    delete globalThis.document;
  }
});

test('a report that breaks off, is slow, or is none', async () => {
  const days = { date_from: '2026-01-01', date_to: '2026-01-02' };
  const all = async () => {
    const rows = [];
    for await (const row of client.reports.transactions.rows(days)) rows.push(row);
    return rows;
  };
  const json = { 'content-type': 'application/json' };
  const row = { external_id: '} ]" \\ {[', original_amount: '1.00', of: [{ a: [1] }] };
  const text = JSON.stringify({ transactions: [row, row] }).replaceAll('"1.00"', '1');
  const inPieces = (pieces) => (request, response) => {
    response.writeHead(200, json);
    for (const piece of pieces) response.write(piece);
    response.end();
  };
  const bytes = Buffer.from(text.replaceAll('} ]', '} é ]'));
  server.answers(inPieces([...bytes].map((byte) => Buffer.from([byte]))));
  assert.deepEqual(await all(), [row, row].map((each) => ({ ...each, external_id: '} é ]" \\ {[' })));
  server.answers(inPieces([' {"transactions" : [ ] }']));
  assert.deepEqual(await all(), []);
  server.answers(inPieces([text.slice(0, -5)]));
  assert.equal((await failure(all())).kind, 'lost');
  server.answers((request, response) => {
    response.writeHead(200, { ...json, 'content-length': '9000' });
    response.write(text);
    setTimeout(() => request.socket.destroy(), 20);
  });
  assert.equal((await failure(all())).kind, 'lost');
  server.answers(html(200));
  assert.equal((await failure(all())).kind, 'unreadable');
  server.answers((request, response) => {
    response.writeHead(200, json);
    response.write(text.slice(0, 40));
  });
  const slow = client.reports.transactions.rows(days, { timeout: 300 });
  assert.match((await failure(slow.next())).message, /not all rows came within 300 ms/);
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  assert.equal((await failure(client.reports.transactions.rows(days, { signal: controller.signal }).next())).message, 'enough');
});

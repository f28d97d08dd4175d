/** Callbacks: the vectors that Rust reads too, and the adapters. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { failure, openPackage } from './world.mjs';

const { password, cases, refusals } = JSON.parse(readFileSync(new URL('../vectors/interface/callbacks.json', import.meta.url), 'utf8'));
let shop;
let callbacks;
before(async () => {
  shop = await openPackage();
  callbacks = await shop.loadCallbacks({ password: ['another', password] });
});
after(() => shop?.remove());

const amountOf = (body) => body.details?.amount ?? body.payment?.amount ?? body.amount ?? null;

test('vectors: what callbacks tell', () => {
  for (const { name, kind, key, amount, body, signature } of cases) {
    for (const bytes of [body, new TextEncoder().encode(body), new TextEncoder().encode(body).buffer, Buffer.from(body)]) {
      const event = callbacks.read(bytes, signature);
      assert.deepEqual([event.kind, event.key, amountOf(event.body)], [kind, key, amount], name);
      assert.deepEqual(Object.keys(event.body), Object.keys(JSON.parse(body)), name);
    }
    assert.equal(callbacks.read(body, [signature]).key, key);
  }
  const keys = cases.map(({ key }) => key);
  // One of them says the same news in other words.
  assert.equal(new Set(keys).size, keys.length - 1);
});

test('vectors: what is refused', async () => {
  const only = await shop.loadCallbacks({ password });
  for (const { name, code, body, signatures } of refusals) {
    assert.throws(() => only.read(body, signatures), (error) => error instanceof shop.ClientError && error.kind === 'callback' && error.code === code && !error.message.includes(password), name);
  }
  const [{ body, signature }] = cases;
  for (const none of [undefined, null, []]) assert.throws(() => only.read(body, none), { code: 'signature_missing' });
  assert.throws(() => only.read(body, `${signature}, ${signature}`), { code: 'signature_repeated' });
  assert.throws(() => only.read(Buffer.from([0xff, 0xfe]), signature), { code: 'signature_wrong' });
});

test('a body that was parsed is no body, and a password is text', async () => {
  assert.throws(() => callbacks.read(JSON.parse(cases[0].body), cases[0].signature), { kind: 'parameter', param: 'body' });
  for (const wrong of [undefined, '', [], [''], 7, [password, 7]]) {
    const error = await failure(shop.loadCallbacks({ password: wrong }));
    assert.deepEqual([error.kind, error.param], ['parameter', 'options.password']);
  }
  assert.equal((await failure(shop.loadCallbacks())).kind, 'parameter');
});

test('a Request of fetch', async () => {
  const [{ body, signature, key }] = cases;
  const request = (headers = { 'X-Service-Signature': signature }, text = body) => new Request('https://shop.example/callbacks', { method: 'POST', body: text, headers });
  assert.equal((await callbacks.fromRequest(request())).key, key);
  assert.equal((await failure(callbacks.fromRequest(request({})))).code, 'signature_missing');
  const twice = new Headers([['x-service-signature', signature], ['x-service-signature', signature]]);
  assert.equal((await failure(callbacks.fromRequest(request(twice)))).code, 'signature_repeated');
  assert.equal((await failure(callbacks.fromRequest(request(undefined, 'x'.repeat(2 ** 20 + 1))))).code, 'body_unreadable');
  const read = request();
  await read.text();
  assert.match((await failure(callbacks.fromRequest(read))).message, /has been read already/);
  assert.equal((await failure(callbacks.fromRequest({}))).kind, 'parameter');
});

test("Node's own server, and Express' way", async () => {
  const [{ body, signature, key }, { key: second, body: other, signature: of }] = cases;
  const heard = [];
  let before = () => {};
  const middleware = callbacks.express((event, request) => {
    if (request.url === '/broken') throw new Error('the queue is full');
    heard.push(event.key);
  });
  const server = createServer(async (request, response) => {
    await before(request);
    if (request.url === '/plain') {
      const answer = await callbacks.fromNode(request).then(({ kind }) => kind, (error) => error.code ?? error.message);
      return response.end(answer);
    }
    await middleware(request, response, (error) => response.writeHead(500).end(error.message));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const post = async (path, text = body, headers = { 'x-service-signature': signature }) => {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method: 'POST', body: text, headers });
    return [answer.status, await answer.text()];
  };
  try {
    assert.deepEqual(await post('/plain'), [200, 'payment']);
    assert.deepEqual(await post('/plain', body, {}), [200, 'signature_missing']);
    assert.deepEqual(await post('/plain', 'x'.repeat(2 ** 20 + 1)), [200, 'body_unreadable']);
    assert.deepEqual(await post('/'), [200, '']);
    assert.deepEqual(await post('/', other, { 'x-service-signature': of }), [200, '']);
    assert.deepEqual(heard, [key, second]);
    assert.deepEqual(await post('/', `${body} `), [401, '']);
    assert.deepEqual(await post('/', '', {}), [401, '']);
    const { body: half, signatures } = refusals.find(({ code }) => code === 'body_unreadable');
    assert.deepEqual(await post('/', half, { 'x-service-signature': signatures[0] }), [400, '']);
    // The service tells again what was not kept.
    assert.deepEqual(await post('/broken'), [500, 'the queue is full']);

    // What `express.raw()` and `express.json()` leave behind.
    const all = async (request) => Buffer.concat(await Array.fromAsync?.(request) ?? await collect(request));
    before = async (request) => { request.body = await all(request); };
    assert.deepEqual(await post('/'), [200, '']);
    before = async (request) => { request.body = JSON.parse(await all(request)); };
    assert.match((await post('/'))[1], /was parsed already: the signature is over its bytes/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.equal((await failure(callbacks.fromNode(undefined))).kind, 'parameter');
  assert.throws(() => callbacks.express(), { kind: 'parameter' });
});

async function collect(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks;
}

// @ts-check
/**
 * What stands between browser and service, as a proxy in front of a real one does: it passes on everything, remembers it,
 * and lets a story hold, change or lose an answer, in every engine alike. To the browser its address is the service's.
 *
 * @typedef {object} Passed One request that came.
 * @property {string} method
 * @property {string} url Absolute.
 * @property {string} path Without the query.
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} start Milliseconds, by `performance.now()`.
 * @property {number} [end] When the answer had been handed on.
 * @property {number} [status]
 *
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }} Answer
 *
 * What a story does with a request: `pass()` asks the service. Without an answer the connection is cut.
 * @typedef {(request: Passed, pass: () => Promise<Answer>) => Promise<Answer | undefined>} Rule
 */
import { createServer, request as ask } from 'node:http';
import { once } from 'node:events';

export class Front {
  /** @type {Passed[]} */
  log = [];
  /** @type {{ path: RegExp, rule: Rule }[]} */
  #rules = [];
  /** Resolves when all rules are taken away. @type {Promise<unknown>} */
  relaxed = Promise.resolve();
  #relax = () => {};
  #server;
  #behind;
  #open = 0;

  /** @param {import('node:http').Server} server @param {number} behind Port of the service. */
  constructor(server, behind) {
    this.#await();
    this.#server = server;
    this.#behind = behind;
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    // Another site than the shop's 127.0.0.1, so that the frame is truly foreign.
    this.origin = `http://localhost:${port}`;
    server.on('request', (request, response) => {
      this.#open += 1;
      this.#serve(request, response)
        .catch(() => response.destroy())
        .finally(() => { this.#open -= 1; });
    });
  }

  /** @param {number} behind Port of the service. */
  static async open(behind) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Front(server, behind);
  }

  /** Requests whose path matches go through the rule from now on; the newest one that matches counts. @param {RegExp} path @param {Rule} rule */
  rule(path, rule) {
    this.#rules.unshift({ path, rule });
  }

  /** Keeps requests whose path matches waiting until `release()`; `came` resolves with the first of them. @param {RegExp} path */
  hold(path) {
    let release = () => {};
    const held = new Promise((resolve) => { release = () => resolve(undefined); });
    /** @type {Promise<Passed>} */
    const came = new Promise((resolve) => {
      this.rule(path, async (request, pass) => {
        resolve(request);
        await held;
        return pass();
      });
    });
    return { release, came };
  }

  /** Changes the text of each answer whose path matches. @param {RegExp} path @param {(text: string, request: Passed) => string} change */
  rewrite(path, change) {
    this.rule(path, async (request, pass) => {
      delete request.headers['accept-encoding'];
      const { status, headers: { 'content-length': _, ...headers }, body } = await pass();
      return { status, headers, body: Buffer.from(change(body.toString(), request)) };
    });
  }

  /** Whether a request has come that is not answered yet. */
  get isBusy() {
    return this.#open > 0;
  }

  /** Takes all rules away. */
  relax() {
    this.#rules = [];
    this.#relax();
    this.#await();
  }

  #await() {
    this.relaxed = new Promise((resolve) => { this.#relax = () => resolve(undefined); });
  }

  /** Refuses connections until `start()`, as a service does that is down. */
  async stop() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Takes connections again, at the same address. */
  async start() {
    if (this.#server.listening) return;
    this.#server.listen(Number(new URL(this.origin).port), '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #serve(request, response) {
    const { method = 'GET', headers } = request;
    const { href: url, pathname: path } = new URL(request.url ?? '/', this.origin);
    const passed = /** @type {Passed} */ ({ method, url, path, headers, start: performance.now() });
    this.log.push(passed);
    passed.body = await read(request);
    const pass = () => this.#pass(passed);
    const rule = this.#rules.find((rule) => rule.path.test(path))?.rule;
    const answer = await (rule ? rule(passed, pass) : pass());
    // Or the browser has given up waiting.
    if (!answer || request.socket.destroyed) {
      response.destroy();
      return;
    }
    passed.status = answer.status;
    response.writeHead(answer.status, answer.headers).end(answer.body);
    await once(response, 'close');
    passed.end = performance.now();
  }

  /** @param {Passed} passed @returns {Promise<Answer>} */
  async #pass({ method, url, headers, body }) {
    const { pathname, search } = new URL(url);
    const request = ask({ host: '127.0.0.1', port: this.#behind, method, path: pathname + search, headers });
    request.end(body);
    const [response] = /** @type {[import('node:http').IncomingMessage]} */ (await once(request, 'response'));
    const { 'transfer-encoding': _, ...rest } = response.headers;
    return { status: response.statusCode ?? 502, headers: { ...rest, connection: 'close' }, body: await read(response) };
  }
}

/** @param {import('node:http').IncomingMessage} stream */
async function read(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

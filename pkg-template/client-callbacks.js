// @ts-check
/** Callbacks: what came is believed or not, by the bytes that came and the one header, and then read. */
import * as core from '#client-core';
import { ClientError, refusePages, wrong } from './client-errors.js';
import { startCore } from './client-start.js';

const HEADER = 'x-service-signature';

/** No callback is as long. */
const LONGEST = 1_048_576;

/** @type {typeof import('./client.js').loadCallbacks} */
export async function loadCallbacks(options) {
  const call = 'loadCallbacks(options)';
  if (typeof options !== 'object' || options === null) throw wrong(call, 'options', 'an object', options);
  refusePages(call, 'callbacks go to the server.');
  const passwords = Array.isArray(options.password) ? options.password : [options.password];
  if (!passwords.length) throw new ClientError('parameter', `${call}: options.password must be the project's password, or a list with at least one.`, { param: 'options.password' });
  for (const password of passwords) {
    if (typeof password !== 'string' || password === '') throw wrong(call, 'options.password', "the project's password, as text that is not empty", password);
  }
  await startCore('loadCallbacks()');
  return makeCallbacks(passwords);
}

/** With a core that runs. @param {string[]} passwords @returns {import('./client.js').Callbacks} */
export function makeCallbacks(passwords) {
  const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);

  /** @type {import('./client.js').Callbacks['read']} */
  function read(body, signature) {
    const bytes = typeof body === 'string' ? utf8(body) : bytesOf(body, 'callbacks.read(body, signature): body');
    const given = Array.isArray(signature) ? signature : [signature].filter((value) => value !== undefined && value !== null);
    if (given.length === 0) throw bad('signature_missing', `there is no header ${HEADER}: it is none of the service's callbacks.`);
    if (given.length > 1 || String(given[0]).includes(',')) throw bad('signature_repeated', `the header ${HEADER} came more than once: refuse it.`);
    const header = utf8(String(given[0]));
    // Every password is tried, so that time does not tell which one it is.
    const genuine = passwords.filter((password) => core.verify(utf8(password), bytes, header));
    if (!genuine.length) throw bad('signature_wrong', "it is not signed with the project's password over these bytes: refuse it. Was the body parsed and written anew on its way?");
    const [kind, key, ...json] = core.event(bytes).split('\n');
    if (!kind) throw bad('body_unreadable', 'it is genuine, and its body is no JSON object of a callback: keep it, and tell whoever runs the service.');
    return /** @type {any} */ ({ kind, key, body: JSON.parse(json.join('\n')) });
  }

  /** @type {import('./client.js').Callbacks['fromRequest']} */
  async function fromRequest(request) {
    if (typeof request?.arrayBuffer !== 'function') throw wrong('callbacks.fromRequest(request)', 'request', 'a `Request` of fetch', request);
    if (request.bodyUsed) throw new ClientError('parameter', 'callbacks.fromRequest(request): the body has been read already: the signature is over its bytes, so read it here first.', { param: 'request' });
    if (Number(request.headers.get('content-length')) > LONGEST) throw tooLong();
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > LONGEST) throw tooLong();
    return read(bytes, request.headers.get(HEADER));
  }

  /** @type {import('./client.js').Callbacks['fromNode']} */
  async function fromNode(request) {
    const { rawHeaders, body } = request ?? {};
    if (!Array.isArray(rawHeaders)) throw wrong('callbacks.fromNode(request)', 'request', 'a request of `node:http` or Express', request);
    const signatures = rawHeaders.filter((_, index) => index % 2 && rawHeaders[index - 1].toLowerCase() === HEADER);
    if (body instanceof Uint8Array) return read(body, signatures);
    if (body !== undefined && (typeof body !== 'object' || request.readableEnded)) {
      throw new ClientError('parameter', 'callbacks.fromNode(request): the body was parsed already: the signature is over its bytes, so put this before `express.json()`.', { param: 'request' });
    }
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      if (length > LONGEST) throw tooLong();
      chunks.push(chunk);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return read(bytes, signatures);
  }

  /** @type {import('./client.js').Callbacks['express']} */
  function express(handler) {
    if (typeof handler !== 'function') throw wrong('callbacks.express(handler)', 'handler', 'a function', handler);
    return async (request, response, next) => {
      try {
        const event = await fromNode(request);
        await handler(event, request);
        // Exactly 200: everything else has it sent again.
        response.statusCode = 200;
        response.end();
      } catch (error) {
        if (!(error instanceof ClientError) || error.kind !== 'callback') return next(error);
        response.statusCode = /** @type {any} */ (error).code === 'body_unreadable' ? 400 : 401;
        response.end();
      }
    };
  }

  return Object.freeze({ read, fromRequest, fromNode, express });
}

/** @param {string} code @param {string} sentence */
const bad = (code, sentence) => new ClientError('callback', `callback: ${sentence}`, { code });

const tooLong = () => bad('body_unreadable', 'it is longer than a megabyte, as no callback of the service is: refuse it.');

/** @param {unknown} body @param {string} name @returns {Uint8Array} */
function bytesOf(body, name) {
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw wrong(name.split(': ')[0], 'body', 'the bytes as they came, before anything parsed them', body);
}

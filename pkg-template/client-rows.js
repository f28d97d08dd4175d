// @ts-check
/** Reports row by row: each is read when it has come, and none is kept. */
import * as core from '#client-core';
import { ClientError } from './client-errors.js';
import { send, whole } from './client-transport.js';

/**
 * @param {import('./client-transport.js').Settings} settings
 * @param {import('./client-transport.js').Call} call
 */
export const rows = (settings, call) =>
  /** @param {unknown} params @param {import('./client-transport.js').Options} [options] */
  async function* (params, { timeout = 600_000, signal } = {}) {
    // The time is for the whole report, and ends with it.
    const end = new AbortController();
    const abort = () => end.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => end.abort(broken(call, `not all rows came within ${timeout} ms`)), timeout);
    /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} */
    let reader;
    try {
      const all = whole(call);
      const body = await send(settings, call, undefined, params, { timeout, signal: end.signal }, async (response, context) => {
        // What is no report is read as any answer is, which throws.
        if (!response.ok || !response.body || !/\bjson\b/.test(response.headers.get('content-type') ?? '')) await all(response, context);
        return response.body;
      });
      reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
      end.signal.addEventListener('abort', () => reader?.cancel().catch(() => {}), { once: true });
      const decoder = new TextDecoder();
      const split = splitter();
      for (let done = false; !done; ) {
        const read = await reader.read().catch((cause) => {
          throw broken(call, 'the connection broke', cause);
        });
        end.signal.throwIfAborted();
        ({ done } = read);
        for (const json of split.rows(decoder.decode(read.value, { stream: !done }))) yield JSON.parse(core.row(call.place, new TextEncoder().encode(json)));
      }
      if (!split.isWhole()) throw broken(call, 'the answer broke off');
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // Who stops early does not leave the rest to come.
      end.abort();
    }
  };

/** @param {{ name: string }} call @param {string} why @param {unknown} [cause] */
const broken = ({ name }, why, cause) => new ClientError('lost', `${name}.rows(): ${why}: some rows are missing; ask again.`, { call: name, cause });

/** Finds the objects in the list of `{"name":[{…},{…}]}` while the text comes. */
export function splitter() {
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let row = '';
  let begun = false;
  return {
    /** @param {string} text @returns {string[]} */
    rows(text) {
      const found = [];
      let from = 0;
      for (let at = 0; at < text.length; at += 1) {
        const character = text[at];
        if (inText) {
          if (isEscaped) isEscaped = false;
          else if (character === '\\') isEscaped = true;
          else if (character === '"') inText = false;
        } else if (character === '"') {
          inText = true;
        } else if (character === '{' || character === '[') {
          depth += 1;
          begun = true;
          if (depth === 3) from = at;
        } else if (character === '}' || character === ']') {
          depth -= 1;
          if (depth === 2) {
            found.push(row + text.slice(from, at + 1));
            row = '';
          }
        }
      }
      if (depth >= 3) row += text.slice(from);
      return found;
    },
    isWhole: () => begun && depth === 0,
  };
}

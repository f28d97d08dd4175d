// @ts-check
/** Patience. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a promise brings, unless that takes longer.
 *
 * @template T
 * @param {T | Promise<T>} promise
 * @param {number} patience Milliseconds.
 * @param {string} otherwise What is wrong then.
 * @returns {Promise<T>}
 */
export async function inTime(promise, patience, otherwise) {
  const stop = new AbortController();
  const late = sleep(patience, undefined, { signal: stop.signal }).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}

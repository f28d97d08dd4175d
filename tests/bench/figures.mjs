// @ts-check
/** What every measurement here needs: medians, patience, a line of text. */
import { loadavg } from 'node:os';
import { inTime as within } from '../stories/shared/time.mjs';

/** What takes longer than this is a fault, in milliseconds. */
const TIME_LIMIT = 60_000;

/** @template T @param {Promise<T>} promise @param {string} otherwise */
export const inTime = (promise, otherwise) => within(promise, TIME_LIMIT, otherwise);

/** @param {number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** Between neighbours in proportion. @param {number[]} values @param {number} part */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/** How busy the machine was in the last minute. */
export function load() {
  return loadavg()[0].toFixed(1);
}

/** @param {string} line */
export function say(line) {
  console.log(line);
}

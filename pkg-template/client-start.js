// @ts-check
/** The core, started once for all who need it. */
import * as core from '#client-core';
import { ClientError } from './client-errors.js';

/** @type {Promise<void> | undefined} */
let starting;

/** After a failure it may be tried again. @param {string} call */
export function startCore(call) {
  starting ??= core.start().catch((cause) => {
    starting = undefined;
    throw new ClientError('not_loaded', `${call}: WebAssembly cannot be started here.`, { call, cause });
  });
  return starting;
}

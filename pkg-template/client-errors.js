// @ts-check
/** What goes wrong, as one class. */

export class ClientError extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   * @param {Record<string, unknown>} [more]
   */
  constructor(kind, message, { cause, ...more } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    // What does not apply is not there.
    const present = Object.entries(more).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(present));
  }

  get name() {
    return 'ClientError';
  }
}

/**
 * Says which parameter is wrong and what kind of thing came, never the value: it may be a secret.
 *
 * @param {string} call
 * @param {string} param
 * @param {string} must
 * @param {unknown} received
 */
export function wrong(call, param, must, received) {
  const kind = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received;
  const article = kind === 'null' || kind === 'undefined' ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a ';
  return new ClientError('parameter', `${call}: ${param} must be ${must}; received ${article}${kind}.`, { call, param });
}

/**
 * Passwords are for servers: what runs in a page, or in an app on somebody's phone, can be read there.
 *
 * @param {string} call
 * @param {string} instead
 */
export function refusePages(call, instead) {
  const { document, navigator } = /** @type {any} */ (globalThis);
  const agent = navigator?.userAgent ?? '';
  if (document !== undefined || agent.startsWith('Mozilla/') || navigator?.product === 'ReactNative') {
    throw new ClientError('wrong_side', `${call}: the password belongs on the shop's server, and this is a page or an app: ${instead}`, { call });
  }
}

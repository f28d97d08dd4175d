// @ts-check
/**
 * The one kind of error that a shop gets, from the loader and from the frame.
 *
 * @import { Failure } from '../shared/messages'
 * @import { CardWidgetError } from '../../pkg-template/index.js'
 */

/**
 * @param {Omit<Failure, 'type'>} failure As the frame tells it.
 * @param {unknown} [cause]
 * @returns {CardWidgetError}
 */
export function makeError({ code, message, retryable, actor, stage, correlation_id: correlationId }, cause) {
  return Object.assign(new OurError(message, { cause }), { code, retryable, actor, stage, correlationId });
}

class OurError extends Error {
  /** A field, as an assignment fails where a page has frozen `Error.prototype`. @type {'CardWidgetError'} */
  name = 'CardWidgetError';
}

/**
 * A failure that the loader itself has found.
 *
 * @param {string} code
 * @param {string} [message] Left out: what the code says.
 * @param {unknown} [cause]
 * @param {CardWidgetError['stage']} [at] Where it stopped, if not at the usual place.
 */
export function failure(code, message = `The widget is ${code.replace('_', ' ')}.`, cause, at) {
  const [actor, retryable, stage] = CODES[code] ?? USUAL;
  return makeError({ code, message, retryable: !!retryable, actor, stage: at ?? stage, correlation_id: '' }, cause);
}

/**
 * Who can put it right, whether it is worth another attempt, and the usual stage.
 *
 * @typedef {[actor: CardWidgetError['actor'], retryable: 0 | 1, stage: CardWidgetError['stage']]} Advice
 */

/** Most are mistakes in the call. @type {Advice} */
const USUAL = ['merchant', 0, 'init'];

/** The others, filled in by the build from `www/shared/codes.json`. @type {{ [code: string]: Advice }} */
const CODES = /** @type {any} */ ('%CODES%');

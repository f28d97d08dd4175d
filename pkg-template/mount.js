// @ts-check
/**
 * A form in an element that a framework owns: what `./react` and `./element` have in common. It comes and goes with the
 * element, and nothing is told of it any more once its owner has let go.
 *
 * @import { CardWidgetChanges, CardWidgetError, CardWidgetHandle, CardWidgetParams } from './index.js'
 */
import { widgetOf } from './service.js';

/**
 * What an owner asks for.
 *
 * @typedef {Omit<CardWidgetChanges, `on${string}`> & { url: string, widgetKey: string, type?: CardWidgetParams['type'] }} Wanted
 *
 * @typedef {'ready' | 'token' | 'error' | 'change' | 'close' | 'expire'} Event
 */

/**
 * @param {Element} host
 * @param {Wanted} wanted
 * @param {string} call Of the owner, for what is wrong with the address.
 * @param {(event: Event, value: any) => void} tell
 */
export function mount(host, wanted, call, tell) {
  let gone = false;
  /** @type {CardWidgetHandle | undefined} Without a good address there is none. */
  let widget;
  let error = notOpen(call);
  /** @type {Record<string, (value: unknown) => void>} */
  const handlers = {};
  for (const event of EVENTS) handlers['on' + event[0].toUpperCase() + event.slice(1)] = (value) => gone || tell(event, value);
  try {
    const { url, widgetKey, type, ...rest } = wanted;
    widget = widgetOf(url, call).init(/** @type {CardWidgetParams} */ (/** @type {unknown} */ ({ ...changes(rest), ...handlers, key: widgetKey, mode: 'inline', selector: host, type })));
    widget.open();
  } catch (wrong) {
    error = failure('parameter_invalid', /** @type {Error} */ (wrong).message);
    console.error('CardWidget: ' + error.message);
    queueMicrotask(() => handlers.onError(error));
  }
  return {
    /** @param {object} wanted Whole: what is left out has its default. */
    update: (wanted) => widget?.update(changes(wanted)),
    open: () => widget?.open(),
    /** @type {CardWidgetHandle['focus']} */
    focus: (field) => widget?.focus(field),
    clear: () => widget?.clear(),
    validate: () => widget?.validate() ?? refusal(error),
    submit: () => widget?.submit() ?? refusal(error),
    destroy() {
      gone = true;
      widget?.destroy();
    },
  };
}

/**
 * The parameters that may change, all of them.
 *
 * @param {any} wanted
 * @returns {CardWidgetChanges}
 */
export const changes = (wanted) => Object.fromEntries(NAMES.map((name) => [name, wanted[name]]));

/** @param {string} call */
export const notOpen = (call) => failure('not_open', `${call}: there is no form yet.`);

/** A rejection that makes no noise where nobody looks, as the loader's own. @param {CardWidgetError} error @returns {Promise<never>} */
export function refusal(error) {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}

/**
 * @param {string} code
 * @param {string} message
 * @returns {CardWidgetError}
 */
function failure(code, message) {
  return Object.assign(new Error(message), { name: /** @type {const} */ ('CardWidgetError'), code, retryable: false, actor: /** @type {const} */ ('merchant'), stage: /** @type {const} */ ('init'), correlationId: '' });
}

const EVENTS = /** @type {Event[]} */ ('ready token error change close expire'.split(' '));
const NAMES = 'amount currency lang template style colorScheme theme brands autoAdvance locale timeout customer_ip customer_id customer_email'.split(' ');

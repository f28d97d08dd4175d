// @ts-check
/**
 * Why a form does not start, as far as a browser tells a page. What was found in Chromium, Firefox and WebKit:
 *
 * | The frame's page | Chromium | Firefox | WebKit |
 * |---|---|---|---|
 * | cannot be reached: connection refused, no such host | `load`, of a page that says so | nothing | nothing |
 * | does not answer, or with 204 | nothing | nothing | nothing |
 * | may not be framed (X-Frame-Options, `frame-ancestors`) | `load` | `load` | `load` |
 * | is kept out by COEP | `load` | nothing | nothing |
 * | is kept out by the shop's policy | a violation, then `load` | a violation and `error`, in any order | `load` of `about:blank`, then a violation |
 *
 * So `load` proves nothing, its absence neither, and only a violation speaks for itself. It comes to the document, also for a
 * frame in a closed shadow root, and names the frame by its origin alone.
 *
 * @import { CardWidgetError } from '../../pkg-template/index.js'
 */
import { failure } from './error.js';

/**
 * Whether a violation of the page's policy is about this address: a sentence naming the directive, or nothing.
 *
 * @param {SecurityPolicyViolationEvent} violation
 * @param {string} address
 */
export function isAbout({ disposition, blockedURI }, address) {
  // Some browsers name the whole address, some the origin alone.
  return disposition === 'enforce' && !!blockedURI && address.startsWith(blockedURI);
}

/**
 * Asks the service for a module of one line. A script is the one thing that a page with a widget may fetch from the
 * service whatever its policy; nothing of the kind is asked for in a start that goes well.
 *
 * @param {string} service
 * @param {boolean} loaded Whether a document has loaded in the frame, and said nothing.
 * @param {AbortSignal} signal Nobody waits for the answer any more.
 * @returns {Promise<CardWidgetError | undefined>} Nothing where nothing is known yet.
 */
export async function findCause(service, loaded, signal) {
  // Its own address each time: a page remembers an import that failed.
  const address = `${service}/widget/v1/alive.js?${Math.random()}`;
  let barred = false;
  document.addEventListener('securitypolicyviolation', (event) => (barred ||= isAbout(event, address)), { signal });
  try {
    await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } catch (cause) {
    // A page that bundles the loader may allow no script of the service. The violation is told a task later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (barred) return;
    return navigator.onLine
      ? failure('service_unreachable', `No answer from ${service}: ${UNTOLD}`, cause)
      : failure('offline', undefined, cause);
  }
  if (loaded) {
    return failure('frame_refused', `${service} answers, but an outer page, sandbox or extension blocks its page.`);
  }
}

/** Ends a sentence on causes that cannot be told apart. */
export const UNTOLD = 'down, out of reach or blocked; the browser does not tell.';

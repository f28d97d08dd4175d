// @ts-check
/// <reference path="./early.d.ts" />
// The one inline script of the frame. It runs while the page is still loading, so that nothing done before wasm
// attaches is lost: it takes the shop's port, remembers one submit and whether a composition is under way, reports
// the height, and says so, to person and shop, when the module cannot start. It never reads a field.
(() => {
  const form = document.forms[0];
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('boot')).textContent || '');
  if (parent === window) {
    // Somebody opened the form as a page of its own: there is no shop to hand a token to.
    form.remove();
    return;
  }
  /** @type {EarlyFrame} */
  const early = (window.cardWidgetEarly = {
    data,
    port: new Promise((resolve) => {
      addEventListener('message', (event) => {
        if (event.source !== parent || event.origin !== data.boot.origin) return;
        if (event.data?.type === 'card-widget:connect' && event.data.version === 1) resolve(event.ports[0]);
      });
    }),
    submit: false,
    composing: false,
    fail(message) {
      for (const id of ['status', 'spoken']) {
        const line = /** @type {HTMLElement} */ (document.getElementById(id));
        line.textContent = data.texts.codes.service;
        line.dataset.error = '';
      }
      tell({
        type: 'error',
        code: 'script_failed',
        message,
        retryable: true,
        actor: 'service',
        stage: 'init',
        correlation_id: '',
      });
    },
  });
  /** @param {import('../shared/messages').FromFrame} message */
  const tell = (message) => early.port.then((port) => port.postMessage(message));
  const page = document.documentElement;
  new ResizeObserver(() =>
    tell({ type: 'resize', height: Math.ceil(page.getBoundingClientRect().height) }),
  ).observe(page);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    early.submit = true;
  });
  form.addEventListener('compositionstart', () => {
    early.composing = true;
  });
  form.addEventListener('compositionend', () => {
    early.composing = false;
  });
  // Load errors do not bubble; they are seen on the way down.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) early.fail('The frame could not load its script.');
    },
    true,
  );
})();

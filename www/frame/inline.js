// @ts-check
/// <reference path="./early.d.ts" />
// The one inline script of the frame. It runs while the page is still loading, so that nothing done before wasm
// attaches is lost: it gives the page its looks, takes the shop's port, remembers one submit and whether a composition
// is under way, hands Escape on, reports the height, and says so, to person and shop, when the module cannot start. It
// never reads a field.
(() => {
  const form = document.forms[0];
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('boot')).textContent || '');
  if (parent === window) {
    // Somebody opened the form as a page of its own: there is no shop to hand a token to.
    form.remove();
    return;
  }
  const page = document.documentElement;

  /**
   * The only way into the style; `docs/theme.md` is its list. What a shop gives becomes custom properties, and they hold
   * nothing but hex digits, numbers within bounds and names of fonts. Where one colour is given and the system decides,
   * the dark one has its hue: light for dark, dark for light.
   *
   * @type {EarlyFrame['paint']}
   */
  const paint = ({ template = 'stacked', style = 'plain', scheme = 'light', theme }) => {
    Object.assign(page.dataset, { template, look: style, scheme });
    page.removeAttribute('style');
    for (const name in theme) {
      const given = String(theme[name]);
      if (THEME.test(name + ':' + given)) {
        const lightness = name === 'field' ? 'calc(1.2 - l)' : 'max(l,1.3 - l)';
        const [light, dark = scheme === 'auto' ? `oklch(from ${light} ${lightness} c h)` : light] = given.split(' ');
        page.style.setProperty('--' + name, given[0] === '#' ? `light-dark(${light},${dark})` : given);
      } else {
        tell({ type: 'warning', message: `"theme.${name}" is ignored; allowed: ${THEME}` });
      }
    }
  };

  /** Colours: one, or one for light and one for dark. */
  const THEME =
    /^((accent(Text)?|text|muted|field|border|error|success):#([\da-fA-F]{3}){1,2}( #([\da-fA-F]{3}){1,2})?|font:(?=.*\w)[\w "',-]{1,99}|fontSize:(1[6-9]|2[0-4])px|(gap|radius):([12]?\d|3[0-2])px|weight:[4-7]00)$/;

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
    press() {
      early.submit = true;
    },
    composing: false,
    paint,
    fail(failure = /** @type {any} */ ('%SCRIPT_FAILED%')) {
      for (const id of ['status', 'spoken']) {
        const line = /** @type {HTMLElement} */ (document.getElementById(id));
        line.textContent = data.texts.codes.service;
        line.dataset.error = '';
      }
      tell({ ...failure, type: 'error', stage: 'attach', correlation_id: '' });
    },
  });
  /** @param {import('../shared/messages').FromFrame} message */
  const tell = (message) => early.port.then((port) => port.postMessage(message));
  const measure = () => tell({ type: 'resize', height: Math.ceil(page.getBoundingClientRect().height) });
  new ResizeObserver(measure).observe(page);
  // Nobody observes a frame that is not shown, and the shop takes silence for a frame that did not come.
  early.port.then(measure);
  /** @param {Event} event */
  const press = (event) => {
    event.preventDefault();
    early.press();
  };
  form.addEventListener('submit', press);
  // Enter presses the button too. Where the shop's page is in a sandbox without forms, this is all that happens.
  /** @type {any} */ (form).submit.addEventListener('click', press);
  form.addEventListener('compositionstart', () => {
    early.composing = true;
  });
  form.addEventListener('compositionend', () => {
    early.composing = false;
  });
  // The person wants out, which is the shop's affair; in a composition Escape ends that.
  addEventListener('keydown', ({ key, isComposing }) => key === 'Escape' && !isComposing && tell({ type: 'escape' }));
  // Load errors do not bubble; they are seen on the way down.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) early.fail();
    },
    true,
  );
  // Last, as somebody may have written the address by hand.
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  paint({ ...asked, theme: JSON.parse(asked.theme ?? null) });
})();

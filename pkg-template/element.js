// @ts-check
/**
 * The card form as a custom element, for pages and frameworks that speak HTML. Attributes are its parameters, events say what
 * happens, and the token is its value in a form.
 *
 * @import { CardWidgetElement } from './element.js'
 */
import { mount, notOpen, refusal } from './mount.js';

/** @type {typeof import('./element.js').defineCardWidget} */
export function defineCardWidget(name = 'card-widget') {
  if (typeof customElements === 'undefined') return null;
  const known = customElements.get(name);
  if (!known) customElements.define(name, makeClass());
  return /** @type {any} */ (customElements.get(name));
}

/** Made when it is asked for: a server has no `HTMLElement` to extend. */
function makeClass() {
  class Element extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = Object.keys(ATTRIBUTES);

    /** A simulated browser may have none, or none that takes values. @type {ElementInternals | undefined} */
    #internals = this.attachInternals?.();
    /** @type {ReturnType<typeof mount> | undefined} */
    #form;
    /** @type {Record<string, unknown>} What has no attribute. */
    #objects = {};
    /** Attributes often change several at a time: what follows is done once, `anew` when it takes another form. */
    #due = '';

    connectedCallback() {
      // Properties that were set before the element was defined hide those of the class.
      for (const name of PROPERTIES) {
        if (!Object.hasOwn(this, name)) continue;
        const value = /** @type {any} */ (this)[name];
        delete (/** @type {any} */ (this)[name]);
        /** @type {any} */ (this)[name] = value;
      }
      this.#later('anew');
    }

    disconnectedCallback() {
      this.#due = '';
      this.#leave();
    }

    /** @param {string} name @param {string | null} before @param {string | null} value */
    attributeChangedCallback(name, before, value) {
      if (this.isConnected && before !== value) this.#later(FIXED.includes(name) ? 'anew' : 'changed');
    }

    formResetCallback() {
      this.clear();
    }

    get form() {
      return this.#internals?.form ?? null;
    }

    get theme() {
      return /** @type {any} */ (this.#objects.theme);
    }
    set theme(theme) {
      this.#objects.theme = theme;
      this.#later('changed');
    }

    get locale() {
      return /** @type {any} */ (this.#objects.locale);
    }
    set locale(locale) {
      this.#objects.locale = locale;
      this.#later('changed');
    }

    open() {
      if (this.#form) this.#form.open();
      else this.#now();
    }
    /** @param {any} [field] The element's own `focus` takes options instead. */
    focus(field) {
      this.#now()?.focus(typeof field === 'string' ? /** @type {any} */ (field) : undefined);
    }
    clear() {
      this.#take(null);
      this.#form?.clear();
    }
    validate() {
      return this.#now()?.validate() ?? refusal(notOpen(`<${this.localName}>`));
    }
    submit() {
      return this.#now()?.submit() ?? refusal(notOpen(`<${this.localName}>`));
    }

    /** @param {'anew' | 'changed'} what */
    #later(what) {
      if (!this.#due) queueMicrotask(() => this.#now());
      if (this.#due !== 'anew') this.#due = what;
    }

    /** Does what is due. */
    #now() {
      const due = this.#due;
      this.#due = '';
      if (!due || !this.isConnected) return this.#form;
      if (due === 'changed') this.#form?.update(this.#wanted());
      else this.#enter();
      return this.#form;
    }

    #enter() {
      this.#leave();
      if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
      this.#form = mount(this, this.#wanted(), `<${this.localName}>`, (event, value) => {
        if (event === 'token') this.#take(value.token);
        if (event === 'expire' || event === 'close') this.#take(null);
        this.dispatchEvent(new CustomEvent('card-' + event, { detail: value, bubbles: true, composed: true }));
      });
    }

    #leave() {
      this.#take(null);
      this.#form?.destroy();
      this.#form = undefined;
    }

    /** @param {string | null} token */
    #take(token) {
      this.#internals?.setFormValue?.(token);
    }

    #wanted() {
      /** @type {any} */
      const wanted = { ...this.#objects };
      for (const [attribute, [, parameter, read]] of Object.entries(ATTRIBUTES)) {
        const value = this.getAttribute(attribute);
        if (value !== null) wanted[parameter] = read ? read(value) : value;
      }
      return wanted;
    }
  }

  for (const [attribute, [property, , , write = String]] of Object.entries(ATTRIBUTES)) {
    if (property === 'lang') continue; // the element has it
    Object.defineProperty(Element.prototype, property, {
      configurable: true,
      enumerable: true,
      get() {
        const value = this.getAttribute(attribute);
        const read = ATTRIBUTES[attribute][2];
        return value !== null && read ? read(value) : value;
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(attribute);
        else this.setAttribute(attribute, write(value));
      },
    });
  }
  return /** @type {any} */ (Element);
}

const list = (/** @type {string} */ text) => text.split(/[\s,]+/).filter(Boolean);
const number = (/** @type {string} */ text) => (text.trim() ? Number(text) : undefined);
const flag = (/** @type {string} */ text) => text !== 'false';

/**
 * By attribute: the property, the parameter, how it is read where it is no text, how it is written.
 *
 * @type {Record<string, [property: string, parameter: string, read?: (text: string) => unknown, write?: (value: any) => string]>}
 */
const ATTRIBUTES = {
  url: ['url', 'url'],
  'widget-key': ['widgetKey', 'widgetKey'],
  type: ['type', 'type'],
  amount: ['amount', 'amount', number],
  currency: ['currency', 'currency'],
  lang: ['lang', 'lang'],
  template: ['template', 'template'],
  look: ['look', 'style'],
  'color-scheme': ['colorScheme', 'colorScheme'],
  brands: ['brands', 'brands', list, (brands) => [brands].flat().join(' ')],
  'auto-advance': ['autoAdvance', 'autoAdvance', flag],
  timeout: ['timeout', 'timeout', number],
  'customer-ip': ['customerIp', 'customer_ip'],
  'customer-id': ['customerId', 'customer_id'],
  'customer-email': ['customerEmail', 'customer_email'],
};

/** Another one of these takes another form. */
const FIXED = ['url', 'widget-key', 'type'];
const PROPERTIES = [...Object.values(ATTRIBUTES).map(([property]) => property), 'theme', 'locale'];

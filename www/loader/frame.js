// @ts-check
/**
 * The frame as an element of the shop's page: its looks from outside, its room, and where it stands. No attribute that a
 * strict page refuses: style goes through the CSSOM.
 *
 * @import { Look, Wishes } from '../shared/messages'
 * @import { Settings } from './params.js'
 */
import { TITLES } from './params.js';

/**
 * @param {Settings} settings
 * @returns {Wishes}
 */
export function wishesOf({ lang, locale, timeout, autoAdvance: auto_advance, ...settings }) {
  const wishes = /** @type {Wishes} */ ({ lang, auto_advance, locale: locale[lang] ?? {} });
  // Earlier than the loader's own, so that the form can say how a submit ended.
  wishes.deadline = 0.9 * timeout;
  for (const name of WISHES) wishes[name] = /** @type {any} */ (settings[name]);
  return wishes;
}

/**
 * @param {Settings} settings
 * @returns {Look}
 */
export function lookOf({ template, style, colorScheme: scheme, theme }) {
  return { template, style, scheme, theme: { ...theme } };
}

/**
 * What can change while the form is open: name and ground.
 *
 * @param {HTMLIFrameElement} frame
 * @param {string} form
 * @param {Settings} settings
 */
export function dress(frame, form, { lang, colorScheme }) {
  frame.title = TITLES[lang][form === 'pan_only' ? 1 : 0];
  // A frame whose scheme is not that of its document gets an opaque ground.
  frame.style.colorScheme = colorScheme === 'auto' ? 'light dark' : colorScheme;
}

/**
 * Holds CSS pixels free until the frame tells its height: what `www/frame/frame.css` needs, with its widths. A row has a
 * label, a field and one line for its note, or two where columns are narrow.
 *
 * @param {HTMLIFrameElement} frame
 * @param {string} form
 * @param {Look} look
 */
export function holdRoom(frame, form, look) {
  const fontSize = Number(/^(1[6-9]|2[0-4])px$/.exec(/** @type {string} */ (look.theme.fontSize))?.[1] ?? 16);
  const width = frame.clientWidth;
  const line = look.template === 'line' && width >= 640;
  const row = 16 + fontSize * (line || width < 720 ? 6.5 : 5.375);
  const button = line && width >= 900 ? 0 : 3 * fontSize + 4;
  frame.style.height = 6 + row * (line || form === 'pan_only' ? 1 : 2) + button + 'px';
}

/**
 * Watches the trees that an element stands in: a shadow root hides what happens in it from the observers around it.
 *
 * @param {Element} host
 * @param {MutationObserver} observer
 */
export function observe(host, observer) {
  /** @type {any} */
  let root = host;
  for (; root; root = root.host) observer.observe((root = root.getRootNode()), { childList: true, subtree: true });
}

/**
 * An element belongs to one widget: whoever comes later closes the one before.
 *
 * @param {any} host
 * @param {() => void} replaced Of the widget that takes it.
 */
export function claim(host, replaced) {
  const owner = host[OWNER];
  host[OWNER] = replaced;
  if (owner !== replaced) owner?.();
}

/**
 * @param {any} host
 * @param {() => void} replaced Of the widget that leaves it.
 */
export function leave(host, replaced) {
  if (host?.[OWNER] === replaced) delete host[OWNER];
}

/** Where an element keeps whom to tell when it goes to another widget: one name for all loaders on a page. */
const OWNER = Symbol.for('card-widget');

/** Parameters that go to the form as they are. */
const WISHES = /** @type {('brands' | 'amount' | 'currency')[]} */ ('brands amount currency customer_ip customer_id customer_email'.split(' '));

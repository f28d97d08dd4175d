// The most curious shop there is: keeps whatever reaches its page in any way, as text.
window.overheard = [];
const keep = (place, ...what) => overheard.push(`${place} ${what.map(text).join(' ')}`);
const text = (value) => {
  if (typeof value === 'string') return value;
  const seen = new Set();
  try {
    return JSON.stringify(value, (_, inner) => {
      if (typeof inner !== 'object' || inner === null) return inner;
      if (seen.has(inner) || inner instanceof Node || inner === window) return '';
      seen.add(inner);
      return inner;
    }) ?? String(value);
  } catch {
    return String(value);
  }
};

// Every event that there is, on its way down.
for (let owner = window; owner; owner = Object.getPrototypeOf(owner)) {
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (!name.startsWith('on')) continue;
    addEventListener(name.slice(2), (event) => {
      keep(event.type, event.data, event.detail, event.key, event.code, event.inputType, event.clipboardData?.getData('text'));
    }, true);
  }
}
addEventListener('message', (event) => keep('window message', event.data));
document.addEventListener('selectionchange', () => keep('selection', String(getSelection())));

// All elements, with their attributes and texts, before and after.
new MutationObserver((records) => {
  for (const { target, attributeName, oldValue, addedNodes } of records) {
    keep('attribute', attributeName, oldValue, target.getAttribute?.(attributeName ?? ''), target.textContent);
    for (const node of addedNodes) keep('node', node.outerHTML ?? node.textContent);
  }
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });

// What is asked for, by whoever.
new PerformanceObserver((list) => list.getEntries().forEach((entry) => keep('performance', entry.toJSON()))).observe({
  entryTypes: PerformanceObserver.supportedEntryTypes,
});
for (const [owner, names] of [
  [window, ['fetch', 'open', 'postMessage']],
  [XMLHttpRequest.prototype, ['open', 'send']],
  [Navigator.prototype, ['sendBeacon']],
  [History.prototype, ['pushState', 'replaceState']],
  [Storage.prototype, ['setItem']],
  [MessagePort.prototype, ['postMessage']],
]) {
  for (const name of names) {
    const own = owner[name];
    owner[name] = function (...words) {
      keep(name, ...words);
      return own.apply(this, words);
    };
  }
}

/** All of it, and what lies about. */
window.everything = () => ({
  overheard: overheard.join('\n'),
  heard: text(heard),
  page: document.documentElement.outerHTML,
  attributes: [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes].map(({ value }) => value)).join('\n'),
  cookies: document.cookie,
  storage: text({ ...localStorage }) + text({ ...sessionStorage }),
  history: text(history.state) + history.length + location.href,
  performance: text(performance.getEntries()),
  globals: Object.keys(window).map((name) => `${name} ${typeof window[name] === 'object' ? '' : String(window[name])}`).join('\n'),
  frame: `${document.querySelector('iframe')?.src} ${document.querySelector('iframe')?.name} ${window.length}`,
});

// Loaded before anything else by a story that asks what a widget leaves behind: `window.alive()` counts what the loader has
// made and is not done with; what a test or its driver does in the page is no concern. A listener on an element outside the
// page goes with the element, and is not counted.
{
  const isLoader = () => String(new Error().stack).includes('/card-widget.js');
  const listeners = new Set();
  const timers = new Set();
  const observers = new Set();
  const ports = new Set();

  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const same = (target, type, listener, options) => {
    const capture = typeof options === 'object' ? Boolean(options?.capture) : Boolean(options);
    const found = [...listeners].find((entry) => entry.target === target && entry.type === type && entry.listener === listener && entry.capture === capture);
    return { found, capture };
  };
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    const { found, capture } = same(target, type, listener, options);
    const { once = false, signal } = Object(options);
    if (listener && !found && !signal?.aborted && isLoader()) {
      const entry = { target, type, listener, capture };
      listeners.add(entry);
      if (once) add.call(target, type, () => listeners.delete(entry), { once, capture });
      if (signal) add.call(signal, 'abort', () => listeners.delete(entry));
    }
    return add.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    listeners.delete(same(target, type, listener, options).found);
    return remove.call(target, type, listener, options);
  };

  for (const [start, stop, isOnce] of [
    ['setTimeout', 'clearTimeout', true],
    ['setInterval', 'clearInterval', false],
    ['requestAnimationFrame', 'cancelAnimationFrame', true],
  ]) {
    const [begin, end] = [window[start], window[stop]];
    window[start] = (callback, ...rest) => {
      const run = (...values) => {
        if (isOnce) timers.delete(name);
        callback(...values);
      };
      const id = begin(run, ...rest);
      const name = `${stop} ${id}`;
      if (isLoader()) timers.add(name);
      return id;
    };
    window[stop] = (id) => {
      timers.delete(`${stop} ${id}`);
      end(id);
    };
  }

  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
    const { observe, disconnect } = window[name].prototype;
    window[name].prototype.observe = function (...words) {
      if (isLoader()) observers.add(this);
      return observe.apply(this, words);
    };
    window[name].prototype.disconnect = function () {
      observers.delete(this);
      return disconnect.call(this);
    };
  }

  const Channel = MessageChannel;
  window.MessageChannel = class extends Channel {
    constructor() {
      super();
      if (isLoader()) ports.add(this.port1);
    }
  };
  const { close } = MessagePort.prototype;
  MessagePort.prototype.close = function () {
    ports.delete(this);
    return close.call(this);
  };

  window.alive = () => ({
    listeners: [...listeners].filter(({ target }) => !(target instanceof Node) || target.isConnected).length,
    timers: timers.size,
    observers: observers.size,
    ports: ports.size,
    frames: document.querySelectorAll('iframe').length,
    nodes: document.querySelectorAll('*').length,
    attributes: [...document.querySelectorAll('*')].reduce((sum, { attributes }) => sum + attributes.length, 0),
    globals: Object.keys(window).length,
  });
}

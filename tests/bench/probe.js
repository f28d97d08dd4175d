// @ts-check
// Runs first in every document of the page that is measured, through the browser's protocol: nothing of it is loaded.
// Times are milliseconds since 1970 by the clock of the document's process.
(() => {
  const now = () => performance.timeOrigin + performance.now();
  /** The first number field has been parsed, and a frame with it has been painted. */
  const typable = new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('input[autocomplete=cc-number]')) return;
      watcher.disconnect();
      // The callback runs before the next frame is painted; a task posted from it runs right after.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(now());
        port2.postMessage(null);
      });
    });
    watcher.observe(document, { childList: true, subtree: true });
  });
  const ready = new Promise((resolve) => document.addEventListener('widget-init-ready', () => resolve(now())));
  /** Milliseconds for a fixed piece of work: shows whether this process is slowed down. */
  const work = () => {
    const start = performance.now();
    let value = 1;
    for (let i = 0; i < 3e6; i++) value = (value * 48271) % 2147483647;
    return value ? performance.now() - start : 0;
  };
  Object.defineProperty(window, 'cardWidgetBench', { value: { typable, ready, work } });
})();

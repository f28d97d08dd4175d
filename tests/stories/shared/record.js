// Loaded by each story's page before the widget: keeps everything that reaches the shop, in the order it came.
window.heard = { tokens: [], errors: [], ready: [], refused: [], changes: [], messages: [], console: [] };
document.addEventListener('widget-init-ready', (event) => heard.ready.push(event.detail));
document.addEventListener('widget-init-error', (event) => heard.refused.push({ ...event.detail }));
addEventListener('error', ({ message }) => heard.console.push(`uncaught: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => heard.console.push(`unhandled: ${reason}`));
for (const name of ['debug', 'error', 'info', 'log', 'warn']) {
  const own = console[name];
  console[name] = (...words) => {
    heard.console.push([name, ...words].join(' '));
    own.apply(console, words);
  };
}
// What the frame says on any port, raw, as a curious script on the shop's page could listen.
{
  const { set, get } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    get,
    set(handler) {
      set.call(this, (event) => {
        heard.messages.push(event.data);
        handler.call(this, event);
      });
    },
  });
}
/** Opens the widget in `#card` with these parameters over the usual ones. */
window.openWidget = (params = {}) => {
  window.widget = CardWidget.init({
    key: 'wk_sandbox',
    mode: 'inline',
    selector: 'card',
    lang: 'en',
    onToken: (token) => heard.tokens.push(token),
    onError: (error) => heard.errors.push({ code: error.code, retryable: error.retryable, message: error.message }),
    onChange: (change) => heard.changes.push(change),
    ...params,
  });
  window.widget.open();
};

// For pages with a widget in each of several elements: `start(id, params)` opens one, and `said[id]` keeps what it says.
window.said = {};
window.start = (name, params) => {
  const own = (said[name] = { tokens: [], errors: [], changes: [], closes: [], ready: 0 });
  window[name] = CardWidget.init({
    key: 'wk_sandbox', mode: 'inline', selector: name, lang: 'en',
    onReady: () => { own.ready += 1; },
    onToken: (token) => own.tokens.push(token),
    onError: ({ code }) => own.errors.push(code),
    onChange: (change) => own.changes.push(change),
    onClose: ({ reason }) => own.closes.push(reason),
    ...params,
  });
  window[name].open();
  return window[name].id;
};

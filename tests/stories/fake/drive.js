// Runs where the shop's page does, in a browser or in jsdom: makes widgets, keeps what they say and what calls become.
globalThis.said = [];
globalThis.drive = {
  start(CardWidget, params) {
    let last = '';
    const handlers = ['Ready', 'Token', 'Error', 'Change', 'Close', 'Expire'].map((name) => ['on' + name, (value) => {
      // Where the keyboard is, differs: a person's goes to the frame.
      if (name === 'Change') {
        const text = JSON.stringify(value, (key, inner) => (key === 'focused' ? undefined : inner));
        if (text === last) return;
        last = text;
      }
      // An error's code and the like are its own, and its message is not of interest.
      said.push([name.toLowerCase(), value && { ...value }]);
    }]);
    this.widget?.destroy();
    said.length = 0;
    this.widget = CardWidget.init({ key: 'wk_sandbox', mode: 'inline', selector: 'card', lang: 'en', ...Object.fromEntries(handlers), ...params });
    this.widget.open();
  },
  call(name, args) {
    const became = (value) => said.push([name, value]);
    this.widget[name](...args)?.then((settled) => became({ settled }), ({ code }) => became({ settled: {}, error: { code } }));
  },
};

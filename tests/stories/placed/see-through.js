// Stories find frames by `document.querySelector` and the keyboard by `document.activeElement`, which stop at a shadow root.
// Here both look on inside, closed roots included. The widget uses neither.
{
  const roots = [];
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    roots.push(root);
    return root;
  };
  const { querySelector } = Document.prototype;
  Document.prototype.querySelector = function (selector) {
    const plain = selector.replace(/^seen=/, '');
    for (const root of [...roots].reverse()) {
      const found = root.querySelector(plain);
      if (found) return found;
    }
    return querySelector.call(this, plain);
  };
  const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement');
  Object.defineProperty(Document.prototype, 'activeElement', {
    get() {
      let element = get.call(this);
      for (let root = {}; root; element = root?.activeElement ?? element) root = roots.find(({ host }) => host === element);
      return element;
    },
  });
}

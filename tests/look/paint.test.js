// @ts-check
/** `paint` of `www/frame/inline.js`: what a shop's theme can put into the frame's style, and what it cannot. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const script = new vm.Script(readFileSync(new URL('../../www/frame/inline.js', import.meta.url), 'utf8'));

/** Values that a colour, a font, a measure or a weight could be mistaken to allow. */
const HOSTILE = [
  '', ' ', ',', `','`, '""', '-', 'red', 'transparent', 'currentcolor', 'inherit', 'initial', 'revert-layer',
  'url(https://attacker.test/)', 'url(//attacker.test)', 'image-set("a" 1x)', 'var(--text)', 'env(x)', 'attr(value)',
  'calc(1px * 9)', 'min(16px)', 'expression(alert(1))', 'javascript:alert(1)', 'rgb(0 0 0)', 'color(srgb 1 1 1)',
  'light-dark(#000, #fff)', '#12', '#1234', '#12345', '#12345678', '#ggg', '#000 #fff #000', '#000  #fff', '#000,#fff',
  '#000;', '#000;color:#fff', '#000}body{display:none', '#000/**/', '/**/#000', '#000 !important', '#000\n', '\n#000',
  ' #000', '#000 ', '#000\u0000', '#\u0660\u0661\u0662', '\\23 000', '#0\\30 0', '＃000', '\u200b#000', '<style>', '</style>',
  '16', '16 px', '16em', '+16px', '-16px', '016px', '1e9px', '99999999999px', '16.5px', '0x10px', '16px;', '16px 16px',
  'NaNpx', '١٦px', '700;', '7000', '-400', '400.5', 'bold', '{}', '[]', '@import "x"', 'a{b:c}', 'f\\6fnt', 'font(x)',
  'Inter; color: #000', 'Inter}', 'Inter/**/', 'local("Inter")', 'Inter\u2028', 'Інтер', 'x'.repeat(100),
];

/** All that is allowed, with the least and the most of each measure, and their neighbours. */
const NAMES = ['accent', 'accentText', 'text', 'muted', 'field', 'border', 'error', 'success'];
const ALLOWED = [
  ...NAMES.flatMap((name) => ['#000', '#AbCdEf', '#fff #000000'].map((value) => [name, value])),
  ['font', 'Inter'], ['font', '"Segoe UI", Roboto, sans-serif'], ['font', "'Source Sans 3'"], ['font', '-apple-system'],
  ['fontSize', '16px'], ['fontSize', '24px'], ['gap', '0px'], ['gap', '32px'], ['radius', '0px'], ['radius', '32px'],
  ['weight', '400'], ['weight', '700'],
];
const BEYOND = [
  ['fontSize', '15px'], ['fontSize', '25px'], ['gap', '33px'], ['radius', '33px'], ['weight', '300'],
  ['weight', '800'], ['weight', '450'],
];

test('what is allowed becomes a custom property of that name', async () => {
  for (const [name, value] of ALLOWED) {
    const page = openPage({ theme: { [name]: value } });
    const shown = value.startsWith('#') ? `light-dark(${value.includes(' ') ? value.replace(' ', ',') : `${value},${value}`})` : value;
    assert.deepEqual(page.style, { [`--${name}`]: shown });
    assert.deepEqual(await page.told(), []);
  }
});

test('no other value gets through, under any name', async () => {
  const fonts = /^(?=.*\w)[\w "',-]{1,99}$/;
  for (const value of HOSTILE) {
    for (const name of [...NAMES, 'font', 'fontSize', 'gap', 'radius', 'weight']) {
      if (name === 'font' && fonts.test(value)) continue; // a name like any other: it can only be a font that nobody has
      const page = openPage({ theme: { [name]: value } });
      assert.deepEqual(page.style, {}, `${name}: ${value}`);
      const [warning, ...more] = await page.told();
      assert.deepEqual(more, []);
      assert.match(warning, RegExp(`^"theme\\.${name}" is ignored; allowed: /`));
      assert.ok(value.length < 5 || !warning.includes(value), 'the value is not repeated');
    }
  }
});

test('nor one beyond its bounds', async () => {
  for (const [name, value] of BEYOND) {
    const page = openPage({ theme: { [name]: value } });
    assert.deepEqual(page.style, {}, `${name}: ${value}`);
    assert.equal((await page.told()).length, 1);
  }
});

test('no other name is known', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'Accent', 'accent ', 'background', '--accent', 'color;x', 'font-size', '0', '', 'font:a', 'weight:400', 'accent:#000 ']) {
    const theme = JSON.parse(`{${JSON.stringify(name)}:"#000"}`);
    for (const page of [openPage({ theme }), openPage({}).update({ theme })]) {
      assert.deepEqual(page.style, {}, name);
      const [warning, ...more] = await page.told();
      assert.deepEqual(more, []);
      assert.ok(warning.startsWith(`"theme.${name}" is ignored; allowed: /^(`), warning);
    }
  }
});

test('nothing but texts gets through', async () => {
  for (const value of [null, 1, true, {}, ['url(x)'], []]) {
    const page = openPage({}).update({ theme: { accent: value } });
    assert.deepEqual(page.style, {});
    assert.equal((await page.told()).length, 1);
  }
  for (const theme of [null, undefined, 1, true, [], {}]) assert.deepEqual(openPage({}).update({ theme }).style, {});
});

test('an update replaces the theme, and what it leaves out has its default again', () => {
  const page = openPage({ theme: { accent: '#000', radius: '4px' } });
  assert.deepEqual(Object.keys(page.style), ['--accent', '--radius']);
  page.update({ theme: { gap: '8px' } });
  assert.deepEqual(page.style, { '--gap': '8px' });
});

test('where the system decides, one colour makes two', () => {
  const { style } = openPage({ scheme: 'auto', theme: { text: '#222', field: '#fff', accent: '#00f #88f' } });
  assert.deepEqual(style, {
    '--text': 'light-dark(#222,oklch(from #222 max(l,1.3 - l) c h))',
    '--field': 'light-dark(#fff,oklch(from #fff calc(1.2 - l) c h))',
    '--accent': 'light-dark(#00f,#88f)',
  });
});

test('template, style and scheme are attributes, whatever they are', () => {
  const page = openPage({ template: 'line', style: 'evo', scheme: 'dark' });
  assert.deepEqual(page.dataset, { template: 'line', look: 'evo', scheme: 'dark' });
  page.update({ template: '"><script>', style: 'x', scheme: 'y' });
  assert.deepEqual(page.dataset, { template: '"><script>', look: 'x', scheme: 'y' });
});

test('what an address does not say is as the service takes it', () => {
  assert.deepEqual(openPage({}, '?').dataset, { template: 'stacked', look: 'plain', scheme: 'light' });
});

test('an address that somebody wrote by hand does not keep the form from starting', () => {
  const page = openPage({}, '?theme=%7B');
  assert.deepEqual(page.style, {});
  assert.equal(page.submitted('submit'), true);
});

test('a press of the button counts where the sandbox of the shop lets no form be submitted', () => {
  assert.equal(openPage({}).submitted('click'), true);
});

/**
 * The inline script on a page of nothing: runs it as the frame does, with the look in the address.
 *
 * @param {{ template?: string, style?: string, scheme?: string, theme?: object }} look
 * @param {string} [search]
 */
function openPage({ theme, ...look }, search) {
  const query = new URLSearchParams({ template: 'stacked', style: 'plain', scheme: 'light', ...look });
  if (theme) query.set('theme', JSON.stringify(theme));
  /** @type {{ [name: string]: string }} */
  let style = {};
  /** @type {{ [name: string]: (event: object) => void }} */
  const listeners = {};
  /** @type {string[]} */
  const told = [];
  const page = {
    dataset: {},
    style: { setProperty: (/** @type {string} */ name, /** @type {string} */ value) => void (style[name] = value) },
    removeAttribute: () => void (style = {}),
    getBoundingClientRect: () => ({ height: 100 }),
  };
  const addEventListener = (/** @type {string} */ name, /** @type {any} */ listener) => void (listeners[name] = listener);
  const form = { addEventListener, submit: { addEventListener } };
  const port = { postMessage: (/** @type {any} */ { type, message }) => void (type === 'warning' && told.push(message)) };
  const boot = { boot: { origin: 'https://shop.test' }, texts: { codes: {} } };
  const frame = {
    document: { forms: [form], documentElement: page, getElementById: () => ({ textContent: JSON.stringify(boot) }) },
    location: { search: search ?? `?${query}` },
    URLSearchParams,
    ResizeObserver: class {
      observe() {}
    },
    parent: {},
    addEventListener,
    HTMLScriptElement: class {},
  };
  const window = Object.assign(frame, { window: frame });
  try {
    script.runInNewContext(window);
  } catch (error) {
    if (!search) throw error;
  }
  listeners.message({ source: frame.parent, origin: 'https://shop.test', data: { type: 'card-widget:connect', version: 1 }, ports: [port] });
  return {
    /** @param {object} change */
    update(change) {
      /** @type {any} */ (window).cardWidgetEarly.paint({ template: 'stacked', style: 'plain', scheme: 'light', ...change });
      return this;
    },
    get style() {
      return style;
    },
    dataset: page.dataset,
    /** What was told to the shop. The port is a promise; what waits for it has run once others after it have. */
    async told() {
      await new Promise((resolve) => setImmediate(resolve));
      return told;
    },
    /** @param {string} event */
    submitted(event) {
      listeners[event]({ preventDefault() {} });
      return /** @type {any} */ (window).cardWidgetEarly.submit;
    },
  };
}

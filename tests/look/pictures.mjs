// @ts-check
/**
 * Pictures of the form, the real one: `node tests/look/pictures.mjs TARGET [DOCS]`, by `cargo xtask pictures`.
 *
 * Every combination of type, template, style, scheme, language, state and width becomes a file in TARGET, with a page to
 * look at them and one sheet per type, template and width. DOCS gets the few that the documents show.
 *
 * @import { Frame, Page } from 'playwright-core'
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { Service } from '../stories/shared/service.mjs';
import { openShop } from '../stories/shared/shop.mjs';
import { FUTURE, VISA, WRONG } from '../stories/shared/cards.mjs';

/** RuPay and JCB on one card. */
const SHARED = '3538000000000005';

const WIDTHS = [280, 320, 768, 1280];
const TEMPLATES = ['stacked', 'line'];
const STYLES = ['plain', 'evo'];
const SCHEMES = ['light', 'dark'];
const LANGS = ['en', 'uk', 'pl'];
const TYPES = ['full_card', 'pan_only'];

/** Grounds of the pages that the form stands on. */
const GROUND = { light: '#fff', dark: '#17181c' };

/** How a form gets into each state, by keys. @type {{ [state: string]: (form: Form) => Promise<void> }} */
const STATES = {
  async empty() {},
  async filled(form) {
    await form.fill({ number: VISA, expiry: FUTURE, code: '123' });
    await form.leave();
  },
  async error(form) {
    await form.fill({ number: WRONG, expiry: '13', code: '12' });
    await form.submit();
    await form.frame.waitForSelector('[aria-invalid="true"]');
  },
  async shared(form) {
    await form.fill({ number: SHARED });
    await form.frame.waitForSelector('#networks:not([hidden])');
  },
  async busy(form) {
    await form.fill({ number: VISA, expiry: FUTURE, code: '123' });
    await form.hold();
    await form.submit();
    await form.frame.waitForSelector('[aria-busy="true"]');
    await form.leave();
  },
  async token(form) {
    await form.fill({ number: VISA, expiry: FUTURE, code: '123' });
    await form.submit();
    await form.frame.waitForFunction(() => document.querySelector('#status')?.textContent && !document.querySelector('[aria-busy]'));
    await form.leave();
  },
};

/** States that end by themselves, or with the language: each look needs a form of its own. */
const PASSING = ['busy', 'token'];

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** One widget on the page. */
class Form {
  /** @param {Page} page @param {Frame} frame @param {string} host @param {string} type */
  constructor(page, frame, host, type) {
    this.page = page;
    this.frame = frame;
    this.host = host;
    this.type = type;
  }

  /**
   * Opens one in a ground of its own at the end of the page.
   *
   * @param {Page} page
   * @param {{ [name: string]: unknown }} params
   */
  static async open(page, params, { width = 340, ground = GROUND.light, kind = '' } = {}) {
    const host = `card-${await page.evaluate(() => document.querySelectorAll('.ground').length)}`;
    await page.evaluate(
      async ({ host, params, width, ground, kind }) => {
        const outer = document.createElement('div');
        const inner = document.createElement('div');
        outer.className = `ground ${kind}`;
        outer.style.background = ground;
        inner.id = host;
        inner.style.width = `${width}px`;
        outer.append(inner);
        (document.querySelector('.tiles') ?? document.body).append(outer);
        const all = { key: 'wk_sandbox', mode: 'inline', selector: host, lang: 'en', amount: 1575, currency: 'UAH', onToken() {}, ...params };
        const widget = /** @type {any} */ (window).CardWidget.init(all);
        /** @type {any} */ (inner).widget = widget;
        const ready = new Promise((resolve) =>
          document.addEventListener('widget-init-ready', ({ detail }) => detail.instance === widget.id && resolve(undefined)),
        );
        widget.open();
        await ready;
      },
      { host, params, width, ground, kind },
    );
    const frame = await (await page.waitForSelector(`#${host} iframe`)).contentFrame();
    if (!frame) throw new Error('no frame');
    return new Form(page, frame, host, String(params.type ?? 'full_card'));
  }

  /** Types into the fields that there are. @param {{ number?: string, expiry?: string, code?: string }} texts */
  async fill(texts) {
    for (const [name, text] of Object.entries(texts)) {
      if (name !== 'number' && this.type === 'pan_only') continue;
      await this.frame.focus(`#${name}`);
      await this.page.keyboard.type(text);
    }
  }

  /** Takes the keyboard away, so that no caret blinks. */
  async leave() {
    await this.frame.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  }

  /** By key: a mouse would stay on the button, which shows it. */
  async submit() {
    await this.frame.focus('#number');
    await this.page.keyboard.press('Enter');
  }

  /** Leaves the next request for a token unanswered. */
  async hold() {
    await this.page.route('**/api/widget/v1/tokens', () => {});
  }

  /**
   * Changes the look and waits until it is painted in its height.
   *
   * @param {{ template: string, style: string, colorScheme: string, lang: string }} look
   * @param {number} width
   */
  async show(look, width) {
    await this.page.evaluate(
      ({ host, look, width, ground }) => {
        const element = /** @type {any} */ (document.getElementById(host));
        element.style.width = `${width}px`;
        element.parentElement.style.background = ground;
        element.widget.update(look);
      },
      { host: this.host, look, width, ground: GROUND[/** @type {'light' | 'dark'} */ (look.colorScheme)] },
    );
    await this.frame.waitForFunction(
      ({ template, style, colorScheme, lang, width }) => {
        const { dataset, lang: shown } = document.documentElement;
        return innerWidth === width && dataset.template === template && dataset.look === style && dataset.scheme === colorScheme && shown === lang;
      },
      { ...look, width },
    );
    await this.settle();
  }

  /** Waits until the frame is as high as what is in it. */
  async settle() {
    const needed = () =>
      this.frame.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(Math.ceil(document.documentElement.getBoundingClientRect().height))));
          }),
      );
    await this.page.waitForFunction(
      ([host, height]) => document.querySelector(`#${host} iframe`)?.clientHeight === height,
      [this.host, await needed()],
    );
    await needed();
  }

  picture() {
    return this.page.locator(`.ground:has(#${this.host})`).screenshot({ animations: 'disabled', caret: 'hide' });
  }
}

const [target, docs] = process.argv.slice(2);
if (!target) throw new Error('usage: node tests/look/pictures.mjs TARGET [DOCS]');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const service = await Service.open();
const shop = await openShop(new URL('./pictures/', import.meta.url), service.origin);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
  const names = await takeAll();
  await makeSheets(names);
  await takeForDocs();
  console.log(`${names.length} pictures`);
} finally {
  await browser.close();
  shop.close();
  await service.close();
}

/** Every combination; answers with the names of the files. */
async function takeAll() {
  /** @type {string[]} */
  const names = [];
  for (const type of TYPES) {
    for (const state of Object.keys(STATES)) {
      /** @type {Form | undefined} */
      let form;
      for (const look of looks()) {
        if (!form || PASSING.includes(state)) {
          await form?.page.context().close();
          form = await Form.open(await openPage(), { type, ...look });
          await STATES[state](form);
        }
        for (const width of WIDTHS) {
          await form.show(look, width);
          const { template, style, colorScheme, lang } = look;
          const name = [type, template, width, style, colorScheme, lang, state].join('-');
          writeFileSync(`${target}/${name}.png`, await form.picture());
          names.push(name);
        }
      }
      await form?.page.context().close();
    }
  }
  return names;
}

function* looks() {
  for (const template of TEMPLATES) {
    for (const style of STYLES) {
      for (const colorScheme of SCHEMES) {
        for (const lang of LANGS) yield { template, style, colorScheme, lang };
      }
    }
  }
}

/**
 * A page with all of them, and a picture of each of its sections.
 *
 * @param {string[]} names
 */
async function makeSheets(names) {
  const states = Object.keys(STATES);
  const sections = TYPES.flatMap((type) => TEMPLATES.flatMap((template) => WIDTHS.map((width) => [type, template, width].join('-'))));
  const html = sections.map((section) => {
    const rows = STYLES.flatMap((style) => SCHEMES.flatMap((scheme) => LANGS.map((lang) => [style, scheme, lang].join('-'))));
    const body = rows.map((row) => {
      const cells = states.map((state) => [section, row, state].join('-'));
      const missing = cells.find((cell) => !names.includes(cell));
      if (missing) throw new Error(`no picture ${missing}`);
      return `<tr><th scope="row">${row}</th>${cells.map((cell) => `<td><a href="${cell}.png"><img src="${cell}.png" alt="${cell}"></a></td>`).join('')}</tr>`;
    });
    const head = states.map((state) => `<th scope="col">${state}</th>`).join('');
    return `<section id="${section}"><h2>${section}</h2><table><tr><td></td>${head}</tr>${body.join('')}</table></section>`;
  });
  const style = `body { margin: 16px; font: 13px/1.4 system-ui, sans-serif; background: #ddd; } img { display: block; max-width: 420px; }
    td { vertical-align: top; } th { text-align: start; } section { width: max-content; padding: 8px; }`;
  writeFileSync(`${target}/index.html`, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title><style>${style}</style>${html.join('')}</html>`);
  const page = await openPage(pathToFileURL(`${target}/index.html`).href);
  for (const section of sections) {
    const box = await page.locator(`#${section}`).boundingBox();
    if (!box) throw new Error(section);
    // As large as the section, so that nothing has to be scrolled together.
    await page.setViewportSize({ width: Math.ceil(box.width) + 32, height: Math.ceil(box.height) + 32 });
    await page.locator(`#${section}`).screenshot({ path: `${target}/sheet-${section}.png` });
  }
  await page.context().close();
}

/** The few that the documents show. */
async function takeForDocs() {
  const tiles = await openPage(undefined, { width: 1164, height: 1400 });
  await tiles.evaluate(() => document.body.append(Object.assign(document.createElement('div'), { className: 'tiles' })));
  /** @type {[params: object, state: string, more?: object][]} */
  const shown = [
    [{}, 'filled'],
    [{ style: 'evo', lang: 'uk' }, 'error', { ground: '#fdfcff' }],
    [{ colorScheme: 'dark', lang: 'pl' }, 'shared', { ground: GROUND.dark }],
    [{ type: 'pan_only', style: 'evo', colorScheme: 'dark', lang: 'uk', amount: 7560 }, 'filled', { ground: '#1d1a26' }],
    [{ type: 'pan_only', theme: { accent: '#0a6b47', radius: '2px', border: '#8a8577', field: '#fffdf7', text: '#2a2620' }, amount: 7560 }, 'error', { ground: '#fbf6ea' }],
    [{ type: 'pan_only', theme: { accent: '#ffb020', field: '#0b2233', border: '#5d8299', radius: '10px' }, colorScheme: 'dark', lang: 'pl' }, 'token', { ground: '#06182a' }],
    [{ template: 'line' }, 'filled', { width: 1116, kind: 'wide' }],
    [{ template: 'line', style: 'evo', colorScheme: 'dark' }, 'empty', { width: 1116, kind: 'wide', ground: GROUND.dark }],
  ];
  for (const [params, state, more] of shown) {
    const form = await Form.open(tiles, { ...params }, more);
    await STATES[state](form);
    await form.leave();
    await form.settle();
  }
  await tiles.locator('.tiles').screenshot({ path: `${target}/looks.png`, animations: 'disabled', caret: 'hide' });
  await tiles.context().close();

  const checkout = await openPage(`${shop.origin}/demo/?lang=en`, { width: 1000, height: 620 });
  const frame = await (await checkout.waitForSelector('#card:not([aria-busy]) iframe')).contentFrame();
  if (!frame) throw new Error('no frame');
  const form = new Form(checkout, frame, 'card', 'full_card');
  await form.fill({ number: VISA, expiry: FUTURE, code: '12' });
  await form.settle();
  writeFileSync(`${target}/checkout.png`, await checkout.screenshot({ caret: 'hide', fullPage: true }));
  await checkout.context().close();
  for (const name of docs ? ['looks.png', 'checkout.png'] : []) copyFileSync(`${target}/${name}`, `${docs}/${name}`);
}

/** A page of its own; tall, since a picture of more than the viewport would resize it. */
async function openPage(address = shop.origin, viewport = { width: 1320, height: 900 }) {
  const page = await (await browser.newContext({ viewport })).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(address);
  return page;
}

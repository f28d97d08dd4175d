// @ts-check
/**
 * A story's world: a service on `localhost` behind a front that sees all requests, a shop on `127.0.0.1`, and the engine of
 * this process. It opens with the story's first test and closes with its last.
 *
 * @typedef {Partial<Record<import('./engines.mjs').Name, string>>} Reasons Why an engine is left out, by engine.
 *
 * @typedef {import('./page.mjs').Page & { requests: import('./front.mjs').Passed[] }} Visit A page, and what the service
 *   was asked since it was opened.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, test as register } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { ENGINE, close, launch } from './engines.mjs';
import { Front } from './front.mjs';
import { Service } from './service.mjs';
import { openShop } from './shop.mjs';
import { inTime } from './time.mjs';

/** Pictures of what failed. */
const PICTURES = new URL('../../../target/stories/', import.meta.url);

/** Milliseconds that a test may take, each time. */
const ATTEMPT = 240_000;

/**
 * How many more tests of this process may be tried a second time. A browser on a busy machine loses a click now and then; that
 * is named in the results. What fails twice, or more than a few of hundreds, is a fault.
 */
let secondTries = 4;

after(() => close());

/**
 * @param {string} story `import.meta.url` of the story.
 * @param {{ without?: Reasons, serve?: import('./shop.mjs').Serve, kind?: import('./engines.mjs').Kind }} [options] `without`
 *   leaves the whole story out of an engine; `serve` answers for the shop, with pages or headers of the story's own; `kind`
 *   starts a browser of that sort for the story.
 */
export function openWorld(story, options = {}) {
  return new World(new URL('./', story), options.without?.[ENGINE], options.serve, options.kind);
}

export class World {
  /** The real service. @type {Service} */
  service = /** @type {any} */ (undefined);
  /** What browsers take for the service. @type {Front} */
  front = /** @type {any} */ (undefined);
  /** @type {Awaited<ReturnType<typeof openShop>>} */
  shop = /** @type {any} */ (undefined);
  /** Name of the engine that the story runs in. */
  engine = ENGINE;

  #folder;
  #name;
  #skip;
  #serve;
  #kind;
  /** Tests that have not ended. */
  #left = 0;
  #isSkipped = false;
  #isOpen = false;
  /** @type {Visit[]} */
  #visits = [];

  /**
   * @param {URL} folder
   * @param {string} [skip]
   * @param {import('./shop.mjs').Serve} [serve]
   * @param {import('./engines.mjs').Kind} [kind]
   */
  constructor(folder, skip, serve, kind) {
    this.#folder = folder;
    this.#name = folder.pathname.split('/').at(-2) ?? '';
    this.#skip = skip;
    this.#serve = serve;
    this.#kind = kind;
    after(() => this.#close());
  }

  /**
   * A test of the story. An engine that cannot do it is named in `without`, with the reason.
   *
   * @param {string} name
   * @param {((t: import('node:test').TestContext) => unknown) | { without: Reasons }} first
   * @param {(t: import('node:test').TestContext) => unknown} [last]
   */
  test = (name, first, last) => {
    const run = typeof first === 'function' ? first : last;
    const reason = typeof first === 'function' ? undefined : first.without[ENGINE];
    if (!run) throw new TypeError(`${name} has no test`);
    if (this.#skip) {
      // Once for the story.
      if (!this.#isSkipped) register(`${this.#name} (${ENGINE})`, (t) => t.skip(`${ENGINE}: ${this.#skip}`));
      this.#isSkipped = true;
      return;
    }
    this.#left += 1;
    register(`${this.#name}: ${name} (${ENGINE})`, { timeout: 2.2 * ATTEMPT }, async (t) => {
      try {
        if (reason) return t.skip(`${ENGINE}: ${reason}`);
        await this.twice(t, () => this.#attempt(t, run));
      } finally {
        this.#left -= 1;
        if (this.#left === 0) await this.#close();
      }
    });
  };

  /**
   * Runs it, and once more when that fails, as long as there are second tries left.
   *
   * @param {import('node:test').TestContext} t
   * @param {() => Promise<void>} run
   */
  twice = (t, run) =>
    run().catch((error) => {
      if (secondTries === 0) throw error;
      secondTries -= 1;
      // What differed stands below the first line.
      const why = stripVTControlCharacters(String(error?.message)).replaceAll(/\s+/g, ' ').slice(0, 500);
      t.diagnostic(`second try: ${t.name}: ${why}`);
      return run();
    });

  /**
   * The story's page, another one of the shop, or any address, in a fresh window.
   *
   * @param {string} [path]
   * @param {import('playwright-core').BrowserContextOptions} [options] What to emulate, Chromium alone.
   * @returns {Promise<Visit>}
   */
  visit = async (path = '/', options) => {
    const page = await (await launch(this.#kind)).open(options);
    const from = this.front.log.length;
    const visit = /** @type {Visit} */ (Object.defineProperty(page, 'requests', { get: () => this.front.log.slice(from) }));
    this.#visits.push(visit);
    await visit.goto(new URL(path, this.shop.origin).href);
    return visit;
  };

  /**
   * Waits until nothing has been under way at the front for a while: for a test that something does not happen, which
   * no event tells.
   */
  settled = async () => {
    for (let quiet = 0, seen = -1; quiet < 8; quiet += 1) {
      if (this.front.isBusy || this.front.log.length !== seen) quiet = 0;
      seen = this.front.log.length;
      await sleep(25);
    }
  };

  /** @param {import('node:test').TestContext} t @param {(t: import('node:test').TestContext) => unknown} run */
  async #attempt(t, run) {
    try {
      await this.#open();
      await inTime(Promise.resolve(run(t)), ATTEMPT, `not done after ${ATTEMPT} ms`);
    } catch (error) {
      await this.#picture(t);
      throw error;
    } finally {
      for (const visit of this.#visits.splice(0)) await visit.close();
      this.front?.relax();
      await this.front?.start();
    }
  }

  async #open() {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.service = await Service.open();
    this.front = await Front.open(this.service.port);
    this.shop = await openShop(this.#folder, this.front.origin, this.#serve);
  }

  async #close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.shop?.close();
    this.front?.close();
    await this.service?.close();
    if (this.#kind) await close(this.#kind);
  }

  /** Keeps a picture of what was on the screen when a test failed. @param {import('node:test').TestContext} t */
  async #picture(t) {
    const visit = this.#visits.at(-1);
    const picture = await visit?.screenshot().catch(() => undefined);
    if (!picture) return;
    mkdirSync(PICTURES, { recursive: true });
    const file = new URL(`${t.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`, PICTURES);
    writeFileSync(file, picture);
    t.diagnostic(`a picture is in ${fileURLToPath(file)}`);
  }
}

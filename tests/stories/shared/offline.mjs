// @ts-check
/**
 * Takes a device off the net, each engine in its own way: the browser is told, and nothing reaches the service. The shop's page
 * is there already.
 *
 * WebKit's Linux port asks the system alone, which is the whole machine's: there the pages are told.
 *
 * @typedef {import('./world.mjs').World} World
 * @typedef {import('./world.mjs').Visit} Visit
 */

/** @param {World} world @param {Visit} page @param {string[]} [frames] Selectors of the frames that are there. */
export async function offline(world, page, frames = []) {
  await tell(world, page, frames, true);
  await world.front.stop();
}

/** @param {World} world @param {Visit} page @param {string[]} [frames] */
export async function online(world, page, frames = []) {
  await world.front.start();
  await tell(world, page, frames, false);
}

/** @param {World} world @param {any} page @param {string[]} frames @param {boolean} isOffline */
async function tell(world, page, frames, isOffline) {
  if (world.engine === 'chromium') await page.playwright.context().setOffline(isOffline);
  else if (world.engine === 'firefox') await page.engine.inside(`Services.io.offline = ${isOffline}`);
  else {
    for (const frame of [undefined, ...frames]) {
      await page.evaluate((/** @type {boolean} */ isOnline) => {
        Object.defineProperty(navigator, 'onLine', { get: () => isOnline, configurable: true });
      }, !isOffline, frame);
    }
  }
}

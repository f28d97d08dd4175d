// @ts-check
/** A shop's server and its payer: payments are made with the sandbox's credentials, pages are those of the service. */

/** @typedef {import('./world.mjs').World} World */

/** Numbers of the sandbox; what each does is in the test's name. */
export const CARDS = { pays: '5555555555554444', isEmpty: '4000000000000044', asksAndPays: '4242424242424242', asksAndFails: '4200000000000000' };

/** @param {World} world @param {string} path @param {object} [body] @returns {Promise<any>} */
export async function call(world, path, body) {
  const answer = await fetch(world.service.origin + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Basic ${btoa('sandbox:sandbox-password')}` },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
}

let orders = 0;

/**
 * A payment on the service's page.
 *
 * @param {World} world
 * @param {object} [more] Members of the request besides the usual ones.
 */
export async function hosted(world, more = {}) {
  const external_id = `order-${Date.now()}-${(orders += 1)}`;
  const { action } = await call(world, '/api/payments/v1/new', {
    amount: '100.50', currency: 'UAH', external_id, mode: 'hosted', description: 'Two mugs and a bowl',
    result_url: `${world.shop.origin}/done`, result_url_fail: `${world.shop.origin}/cart`,
    customer: { external_id: 'payer', locale: 'EN' },
    ...more,
  });
  return { external_id, address: atFront(world, action.value) };
}

/** An address of the service as browsers of a story reach it. @param {World} world @param {string} address */
export const atFront = (world, address) => world.front.origin + new URL(address).pathname;

/** The attempts to pay an order. @param {World} world @param {string} external_id @returns {Promise<any[]>} */
export async function attempts(world, external_id) {
  const info = await call(world, `/api/payments/v1/info?external_id=${external_id}`).catch(() => undefined);
  return info?.purchase_details ?? [];
}

/** Where a page is now. @param {import('./page.mjs').Page} page */
export const place = (page) => page.evaluate(() => location.pathname + location.search);

/** Waits until a page's heading is this. @param {import('./page.mjs').Page} page @param {string} text */
export const heading = (page, text) => page.waitFor((text) => document.querySelector('h1')?.textContent === text, text);

/** Clicks the first element of a selector. @param {import('./page.mjs').Page} page @param {string} selector */
export async function click(page, selector, count = 1) {
  const { x, y, width, height } = await page.box(selector);
  await page.click({ x: x + width / 2, y: y + height / 2 }, count);
}

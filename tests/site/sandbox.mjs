// @ts-check
/** A sandbox's own calls, and tokens as an app gets them. */
import { createHmac, randomUUID } from 'node:crypto';

const AUTHORIZATION = `Basic ${btoa('sandbox:sandbox-password')}`;

export class Sandbox {
  #origin;

  /** @param {string} origin */
  constructor(origin) {
    this.#origin = origin;
  }

  /** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
  async post(path, body = {}, headers = { authorization: AUTHORIZATION }) {
    const answer = await fetch(this.#origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  }

  /** Enough to pay out and to give back. */
  fund() {
    return this.post('/sandbox/v1/balance', { amount: '1000000.00', currency: 'UAH' });
  }

  /** What was to go wrong goes well. */
  async clearFaults() {
    await fetch(`${this.#origin}/sandbox/v1/faults`, { method: 'DELETE', headers: { authorization: AUTHORIZATION } });
  }

  /** Of a card that pays. @returns {Promise<string>} */
  async token() {
    const body = { card_cvv: '123', card_exp_month: 12, card_exp_year: 2031, card_number: '4111111111111111' };
    const sign = createHmac('sha256', 'wk_sandbox').update(Object.values(body).join('')).digest('hex');
    return (await this.post('/api/v2/sdk/tokenize', body, { 'x-widget-id': 'wk_sandbox', 'x-sign': sign })).token;
  }

  /** One that can be paid out to. @returns {Promise<string>} */
  async lastingToken() {
    const payment_method = { type: 'cc_token', cc_token: { token: await this.token() } };
    const order = { amount: 1, currency: 'UAH', external_id: randomUUID(), mode: 'direct', customer: { payment_method } };
    return (await this.post('/api/payments/v1/new', order)).payment_method.cc_token.token;
  }

  /** @param {string} customer @returns {Promise<string>} */
  async accessToken(customer) {
    return (await this.post(`/sandbox/v1/customers/${customer}/access-token`)).access_token;
  }

  /** As the wallet hands it to a page. */
  walletAnswer() {
    const token = JSON.stringify({ protocolVersion: 'ECv2', signature: 'c2lnbmF0dXJl', signedMessage: 'sandbox' });
    return { apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: 'CARD', tokenizationData: { type: 'PAYMENT_GATEWAY', token } } };
  }
}

// @ts-check
/**
 * The two mobile wallets: what their buttons are told, and what they answer, checked and encoded as a payment method. Plain functions
 * for pages and servers.
 */
import { ClientError, wrong } from './client-errors.js';

/** @type {typeof import('./client.js').mobileA} */
export const mobileA = Object.freeze({
  paymentRequest({ amount, currency, countryCode, label, networks = ['visa', 'masterCard'], capabilities = ['supports3DS'] }) {
    const call = 'mobileA.paymentRequest(params)';
    return {
      countryCode: code(countryCode, 2, `${call}: countryCode`),
      currencyCode: code(currency, 3, `${call}: currency`),
      supportedNetworks: networks,
      merchantCapabilities: capabilities,
      total: { label: text(label, `${call}: label`), type: 'final', amount: twoDecimals(amount, `${call}: amount`) },
    };
  },

  readAnswer(answer, { use_3ds_flow } = {}) {
    const call = 'mobileA.readAnswer(answer)';
    const whole = typeof answer === 'string' ? parsed(answer, call) : answer;
    const data = whole?.token?.paymentData ?? whole?.paymentData ?? whole;
    need(data, ['version', 'data', 'signature'], '', call);
    need(data.header, ['ephemeralPublicKey', 'publicKeyHash', 'transactionId'], 'header.', call);
    const json = typeof answer === 'string' && data === whole ? answer : JSON.stringify(data);
    return { type: 'mobile_a_pay', mobile_a_pay: { token: encoded(json, call), ...flow(use_3ds_flow) } };
  },
});

/** @type {typeof import('./client.js').mobileB} */
export const mobileB = Object.freeze({
  tokenization({ gatewayId, gatewayMerchantId }) {
    const call = 'mobileB.tokenization(params)';
    return {
      type: 'PAYMENT_GATEWAY',
      parameters: { gateway: text(gatewayId, `${call}: gatewayId`), gatewayMerchantId: text(gatewayMerchantId, `${call}: gatewayMerchantId`) },
    };
  },

  isReadyToPayRequest({ networks = NETWORKS, authMethods = METHODS } = {}) {
    return { ...VERSION, allowedPaymentMethods: [card(networks, authMethods)] };
  },

  paymentDataRequest({ amount, currency, countryCode, gatewayId, gatewayMerchantId, merchantId, merchantName, networks = NETWORKS, authMethods = METHODS }) {
    const call = 'mobileB.paymentDataRequest(params)';
    return {
      ...VERSION,
      allowedPaymentMethods: [{ ...card(networks, authMethods), tokenizationSpecification: mobileB.tokenization({ gatewayId, gatewayMerchantId }) }],
      merchantInfo: { ...(merchantId !== undefined && { merchantId: text(merchantId, `${call}: merchantId`) }), ...(merchantName !== undefined && { merchantName: text(merchantName, `${call}: merchantName`) }) },
      transactionInfo: {
        totalPriceStatus: 'FINAL',
        totalPrice: twoDecimals(amount, `${call}: amount`),
        currencyCode: code(currency, 3, `${call}: currency`),
        countryCode: code(countryCode, 2, `${call}: countryCode`),
      },
    };
  },

  readAnswer(answer, { use_3ds_flow } = {}) {
    const call = 'mobileB.readAnswer(answer)';
    const data = typeof answer === 'string' ? parsed(answer, call) : answer;
    const token = data?.paymentMethodData?.tokenizationData?.token;
    if (typeof token !== 'string' || token === '') throw missing('paymentMethodData.tokenizationData.token', call);
    need(parsed(token, call), ['protocolVersion', 'signature', 'signedMessage'], 'paymentMethodData.tokenizationData.token.', call);
    return { type: 'mobile_b_pay', mobile_b_pay: { token: encoded(token, call), ...flow(use_3ds_flow) } };
  },
});

const VERSION = { apiVersion: 2, apiVersionMinor: 0 };
const NETWORKS = ['MASTERCARD', 'VISA'];
const METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'];

/** @param {readonly string[]} allowedCardNetworks @param {readonly string[]} allowedAuthMethods */
const card = (allowedCardNetworks, allowedAuthMethods) => ({ type: 'CARD', parameters: { allowedAuthMethods, allowedCardNetworks } });

/** @param {boolean | undefined} use_3ds_flow */
const flow = (use_3ds_flow) => (use_3ds_flow === undefined ? {} : { use_3ds_flow });

/** @param {any} object @param {string[]} names @param {string} path @param {string} call */
function need(object, names, path, call) {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw missing(path.slice(0, -1) || 'the whole token', call);
  for (const name of names) if (typeof object[name] !== 'string' || object[name] === '') throw missing(path + name, call);
}

/** @param {string} param @param {string} call */
const missing = (param, call) => new ClientError('parameter', `${call}: ${param} is missing: pass on what the wallet answered, whole and as it came.`, { call, param });

/** @param {string} json @param {string} call */
function parsed(json, call) {
  try {
    return JSON.parse(json);
  } catch {
    throw new ClientError('parameter', `${call}: answer is no JSON: pass on what the wallet answered, whole and as it came.`, { call, param: 'answer' });
  }
}

/** The bytes of a text in UTF-8, in Base64. @param {string} token @param {string} call */
function encoded(token, call) {
  const base64 = btoa(Array.from(new TextEncoder().encode(token), (byte) => String.fromCharCode(byte)).join(''));
  if (base64.length > 16_384) throw new ClientError('parameter', `${call}: answer must be shorter: at most 16,384 characters in Base64.`, { call, param: 'answer' });
  return base64;
}

/** @param {string} amount @param {string} name */
function twoDecimals(amount, name) {
  if (typeof amount !== 'string' || !/^\d{1,12}(\.\d{1,2})?$/.test(amount)) {
    throw new ClientError('parameter', `${name} must be an amount as text of at most two decimals, such as "100.50".`, { param: 'amount' });
  }
  const [whole, decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** Capital letters. @param {string} value @param {number} length @param {string} name */
function code(value, length, name) {
  if (typeof value === 'string' && value.length === length && /^[A-Z]+$/.test(value)) return value;
  throw new ClientError('parameter', `${name} must be ${length} capital letters, such as "${'UAH'.slice(0, length)}".`, { param: name.split(': ')[1] });
}

/** @param {string} value @param {string} name */
function text(value, name) {
  const [call, param] = name.split(': ');
  if (typeof value !== 'string' || value === '') throw wrong(call, param, 'text that is not empty', value);
  return value;
}

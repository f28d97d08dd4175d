/** What a shop's page takes of the client: wallets, the way to the service's page and back, saved cards. None of it needs the core. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { bundle } from '../package/pack.js';
import { openPackage } from './world.mjs';

const wallets = JSON.parse(readFileSync(new URL('../vectors/interface/wallets.json', import.meta.url), 'utf8'));
let shop;
before(async () => { shop = await openPackage(); });
after(() => shop?.remove());

const wallet = (type) => (type === 'mobile_a_pay' ? shop.mobileA : shop.mobileB);

test('vectors: what wallets answer', () => {
  for (const { name, type, answer, token } of wallets.cases) {
    assert.deepEqual(wallet(type).readAnswer(answer), { type, [type]: { token } }, name);
    assert.deepEqual(wallet(type).readAnswer(answer, { use_3ds_flow: false }), { type, [type]: { token, use_3ds_flow: false } }, name);
  }
  const [{ answer, token }, , { answer: data, token: of }] = wallets.cases;
  for (const whole of [JSON.parse(answer), { paymentData: JSON.parse(answer) }, { token: { paymentData: JSON.parse(answer) } }]) {
    assert.equal(shop.mobileA.readAnswer(whole).mobile_a_pay.token, token);
  }
  assert.equal(shop.mobileB.readAnswer(JSON.parse(data)).mobile_b_pay.token, of);
});

test('vectors: answers with missing parts', () => {
  for (const { name, type, answer, param } of wallets.refusals) {
    assert.throws(() => wallet(type).readAnswer(answer), (error) => error.kind === 'parameter' && (param === null || error.param === param) && error.message.endsWith('.'), name);
  }
  for (const none of [undefined, null, 7, '', 'x', []]) for (const each of [shop.mobileA, shop.mobileB]) assert.throws(() => each.readAnswer(none), { kind: 'parameter' });
});

test('what the buttons are told', () => {
  assert.deepEqual(shop.mobileA.paymentRequest({ amount: '349.5', currency: 'UAH', countryCode: 'UA', label: 'Books' }), {
    countryCode: 'UA', currencyCode: 'UAH', supportedNetworks: ['visa', 'masterCard'], merchantCapabilities: ['supports3DS'], total: { label: 'Books', type: 'final', amount: '349.50' },
  });
  const request = shop.mobileB.paymentDataRequest({ amount: '349', currency: 'UAH', countryCode: 'UA', gatewayId: 'g', gatewayMerchantId: 'm-7', merchantId: '123', networks: ['VISA'] });
  const tokenizationSpecification = { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'g', gatewayMerchantId: 'm-7' } };
  const parameters = { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowedCardNetworks: ['VISA'] };
  assert.deepEqual(request, {
    apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [{ type: 'CARD', parameters, tokenizationSpecification }], merchantInfo: { merchantId: '123' },
    transactionInfo: { totalPriceStatus: 'FINAL', totalPrice: '349.00', currencyCode: 'UAH', countryCode: 'UA' },
  });
  assert.deepEqual(shop.mobileB.isReadyToPayRequest({ networks: ['VISA'] }).allowedPaymentMethods, [{ type: 'CARD', parameters }]);
  assert.deepEqual(shop.mobileB.tokenization({ gatewayId: 'g', gatewayMerchantId: 'm-7' }), tokenizationSpecification);
  const right = { amount: '1', currency: 'UAH', countryCode: 'UA', label: 'Books', gatewayId: 'g', gatewayMerchantId: 'm' };
  for (const [param, value] of [['amount', 1], ['amount', '1,5'], ['amount', '1.505'], ['currency', 'uah'], ['currency', undefined], ['countryCode', 'UKR']]) {
    for (const ask of [shop.mobileA.paymentRequest, shop.mobileB.paymentDataRequest]) assert.throws(() => ask({ ...right, [param]: value }), { kind: 'parameter', param });
  }
  for (const param of ['gatewayId', 'gatewayMerchantId']) assert.throws(() => shop.mobileB.paymentDataRequest({ ...right, [param]: '' }), { kind: 'parameter', param });
  assert.throws(() => shop.mobileA.paymentRequest({ ...right, label: '' }), { kind: 'parameter', param: 'label' });
});

test('payers are sent to https and expected hosts alone', () => {
  const hosts = ['pay.example', 'localhost', '127.0.0.1'];
  const goes = (value) => shop.checkAction({ type: 'url', value }, { hosts });
  for (const right of ['https://pay.example/pay/1', 'https://PAY.example:8443/x?y', 'http://localhost:8080/pay/1', 'http://127.0.0.1/']) assert.equal(goes(right), new URL(right).href);
  for (const wrong of [
    'http://pay.example/pay/1', 'https://pay.example.evil.example/', 'https://evil.example/?pay.example', 'https://pay.example@evil.example/', 'https://user@pay.example/',
    'javascript:alert(1)//pay.example', 'data:text/html,pay.example', '//pay.example/', '/pay/1', 'https:pay.example.evil.example', '', undefined, null, 7,
  ]) assert.throws(() => goes(wrong), { kind: 'parameter', param: 'action' }, String(wrong));
  for (const none of [null, undefined, {}, { type: 'form', value: 'https://pay.example/' }]) assert.throws(() => shop.checkAction(none, { hosts }), { param: 'action' });
  for (const none of [undefined, {}, { hosts: [] }, { hosts: 'pay.example' }]) assert.throws(() => shop.checkAction({ type: 'url', value: 'https://pay.example/' }, none), { kind: 'parameter' });

  const action = { type: 'url', value: 'https://pay.example/pay/1' };
  assert.throws(() => shop.redirect(action, { hosts }), { kind: 'wrong_side', message: /answer with status 303/ });
  const went = [];
  Object.assign(globalThis, { document: {}, location: { assign: (address) => went.push(address) } });
  try {
    shop.redirect(action, { hosts });
    assert.throws(() => shop.redirect({ ...action, value: 'https://evil.example/' }, { hosts }), { param: 'action' });
  } finally {
    delete globalThis.document;
    delete globalThis.location;
  }
  assert.deepEqual(went, ['https://pay.example/pay/1']);
});

test('an address of somebody who comes back names one order', () => {
  for (const [location, read] of [
    ['https://shop.example/done?external_id=a%201&status=success#top', { external_id: 'a 1', saysSuccess: true }],
    ['external_id=a+1&status=failure', { external_id: 'a 1', saysSuccess: false }],
    [new URL('https://shop.example/?status=refunded&external_id=a'), { external_id: 'a', saysSuccess: null }],
    [{ href: '/done?batch_external_id=b' }, { batch_external_id: 'b', saysSuccess: null }],
    ['?external_id=a&status=constructor', { external_id: 'a', saysSuccess: null }],
  ]) assert.deepEqual(shop.readReturn(location), read);
  for (const wrong of ['', '/done', '?external_id=', '?external_id=a&external_id=b', '?external_id=a&batch_external_id=b', undefined, {}]) {
    assert.throws(() => shop.readReturn(wrong), { kind: 'parameter', param: 'location' });
  }
});

test('saved cards as a page shows them, with pictures that come, change and go', () => {
  const card = { mask: '42424242****4242', payment_system: 'VISA', bank_short_name: null, expires_at: '2027-02-28T00:00:00Z' };
  const shown = (more, now) => shop.showCards({ external_id: 'c', wallet: [{ option_id: 'o', type: 'card', name: 'n', is_default: true, card: { ...card, ...more } }] }, { now: new Date(now ?? '2026-01-01') })[0];
  assert.deepEqual(shown({}), {
    option_id: 'o', name: 'n', isDefault: true, mask: card.mask, lastFour: '4242', network: 'VISA', bank: null, expires: { month: 2, year: 2027 }, isExpired: false, artUrl: null,
    paymentMethod: { type: 'wallet', wallet: { option_id: 'o' } },
  });
  for (const [address, artUrl] of [
    [undefined, null], [null, null], ['', null], ['https://art.example/1.png', 'https://art.example/1.png'], ['http://localhost:8080/1.png', 'http://localhost:8080/1.png'],
    ['http://art.example/1.png', null], ['javascript:alert(1)', null], ['//art.example/1.png', null],
  ]) assert.equal(shown({ card_art_url: address }).artUrl, artUrl, String(address));
  for (const [now, isExpired] of [['2027-02-28T23:59:59.999Z', false], ['2027-03-01T00:00:00Z', true]]) assert.equal(shown({}, now).isExpired, isExpired, now);
  for (const none of [null, undefined, 'soon']) assert.deepEqual([shown({ expires_at: none }).expires, shown({ expires_at: none }).isExpired], [null, false]);
  assert.throws(() => shop.showCards([]), { kind: 'parameter' });
});

test('a page that takes a wallet takes neither the core nor the calls', () => {
  const page = bundle(shop, "import { mobileB } from 'card-widget/client'; console.log(mobileB.readAnswer({}));");
  assert.ok(page.length < 12_000, String(page.length));
  assert.ok(!/atob|WebAssembly|authorization/i.test(page));
  assert.equal(bundle(shop, "import 'card-widget/client';").trim(), '(() => {\n})();');
});

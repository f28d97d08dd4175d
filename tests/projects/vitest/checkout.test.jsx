import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { cards, expiry, fakeCardWidget } from 'card-widget/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Checkout } from './checkout.jsx';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;
let fake;
let root;
beforeEach(() => {
  fake = fakeCardWidget();
  document.body.innerHTML = '<div id="app"></div>';
  root = createRoot(document.getElementById('app'));
});
afterEach(() => act(() => root.unmount()));
afterEach(() => fake.restore());

const said = () => document.querySelector('output').textContent;

async function pay(number) {
  await act(() => root.render(<Checkout />));
  const form = await fake.form();
  await act(() => form.fill({ number, expiry: expiry(), code: '123' }));
  await act(() => form.submit());
}

test('a card becomes a token', async () => {
  await pay(cards.declined);
  expect(said()).toMatch(/^fake_declined_/);
});

test('too many attempts', async () => {
  await pay(cards.limitReached);
  expect(said()).toBe('too_many_requests');
});

test('a slow card, by a clock that stands still', async () => {
  await act(() => root.render(<Checkout />));
  const form = await fake.form();
  await act(() => form.fill({ number: cards.slow, expiry: expiry(), code: '123' }));
  vi.useFakeTimers();
  const paid = form.submit();
  await act(() => vi.advanceTimersByTimeAsync(2900));
  expect(said()).toBe('');
  await act(async () => { await vi.advanceTimersByTimeAsync(200); await paid; });
  expect(said()).toMatch(/^fake_slow_/);
  vi.useRealTimers();
});

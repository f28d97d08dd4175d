/** What blocks of code in the documents take for granted: what the text around them has told of. */
import type { CardWidget as Widget } from 'card-widget';
import type { Client } from 'card-widget/client';

declare global {
  /** Defined by the script tag. */
  const CardWidget: Widget;
  const client: Client;
  /** Tokens that a page has sent; each access is another one. */
  const token: string;
  /** One of a form that asks for the number alone. */
  const numberToken: string;
  /** A customer's. */
  const accessToken: string;
  /** What a wallet has handed to the page. */
  const walletAnswer: any;
  /** Playwright's own. */
  const page: import('playwright-core').Page;
  function expect(what: any): any;
  /** A function of the shop, which is tested. */
  function openCheckout(...params: any[]): any;
  /** What the shop knows of what is bought. */
  const order: { id: string };
  const login: string;
  const password: string;
  /** Where a server puts what it does later. */
  const queue: unknown[];
  /** In place of `…`. */
  const others: any;
}

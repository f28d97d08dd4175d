// @ts-check
/** A customer's saved cards, as a page shows them and as a payment takes them. */
import { wrong } from './client-errors.js';
import { isHere } from './client-hosted.js';

/** @type {typeof import('./client.js').showCards} */
export function showCards(wallet, { now = new Date() } = {}) {
  if (!Array.isArray(wallet?.wallet)) throw wrong('showCards(wallet)', 'wallet', 'an answer of savedCards.list()', wallet);
  return wallet.wallet.map(({ option_id, name, is_default, card }) => {
    const last = card.expires_at ? new Date(card.expires_at) : undefined;
    const isDate = last !== undefined && !Number.isNaN(last.getTime());
    return {
      option_id,
      name,
      isDefault: is_default,
      mask: card.mask,
      lastFour: card.mask.slice(-4),
      network: card.payment_system ?? null,
      bank: card.bank_short_name ?? null,
      expires: isDate ? { month: last.getUTCMonth() + 1, year: last.getUTCFullYear() } : null,
      // A card can be used until its month is over.
      isExpired: isDate && now.getTime() >= Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1),
      artUrl: picture(card.card_art_url),
      paymentMethod: { type: 'wallet', wallet: { option_id } },
    };
  });
}

/** An address that a page may show. @param {string | null | undefined} address */
function picture(address) {
  try {
    const { protocol, hostname, href } = new URL(String(address));
    return protocol === 'https:' || (protocol === 'http:' && isHere(hostname)) ? href : null;
  } catch {
    return null;
  }
}

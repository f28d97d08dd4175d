// @ts-check
/** The envelope's profile as `crates/seal/README.md` documents it, written with another JOSE implementation. */
import { randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, importJWK } from 'jose';

export const ALG = 'ECDH-ES';
export const ENC = 'A256GCM';
export const TYP = 'card-widget+jwe';

/** Every member of the header; there are no others. */
export const MEMBERS = ['alg', 'enc', 'typ', 'v', 'kid', 'epk', 'wk', 'origin', 'ticket', 'nonce', 'iat', 'form'];

/**
 * A public P-256 key as boot data writes it: coordinates in base64url.
 *
 * @typedef {{ kid: string, x: string, y: string }} SealingKey
 *
 * What `GET /widget/v1/boot` answers, as far as it is used here.
 *
 * @typedef {{ key: string, origin: string, ticket: string, sealing_key: SealingKey, now: number }} Boot
 *
 * What a deviation may change.
 *
 * @typedef {object} Changes
 * @property {Record<string, unknown>} [header] Members over the usual ones; `undefined` leaves one out.
 * @property {unknown} [payload] Instead of a whole test card.
 * @property {SealingKey & { crv?: string }} [key] Instead of the key of the boot data.
 * @property {import('jose').CompactJWEHeaderParameters['alg']} [alg]
 * @property {string} [enc]
 * @property {{ apu?: Uint8Array, apv?: Uint8Array }} [party]
 */

/** @param {SealingKey & { crv?: string }} key @param {string} [alg] */
export const publicKey = ({ x, y, crv = 'P-256' }, alg = ALG) => importJWK({ kty: 'EC', crv, x, y }, alg);

/** A whole card that is valid for two more years. Public test number. */
export const card = () => ({
  number: '4242424242424242',
  exp_month: 12,
  exp_year: new Date().getUTCFullYear() + 2,
  cvv: '123',
});

/**
 * Seals as the frame does.
 *
 * @param {Boot} boot
 * @param {Changes} [changes]
 */
export async function seal(boot, { header, payload = card(), key = boot.sealing_key, alg = ALG, enc = ENC, party } = {}) {
  /** @type {Record<string, unknown>} */
  const members = {
    alg,
    enc,
    typ: TYP,
    v: 1,
    kid: boot.sealing_key.kid,
    wk: boot.key,
    origin: boot.origin,
    ticket: boot.ticket,
    nonce: randomBytes(16).toString('base64url'),
    iat: boot.now,
    form: 'full_card',
    ...header,
  };
  for (const [name, value] of Object.entries(members)) if (value === undefined) delete members[name];
  const draft = new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)));
  draft.setProtectedHeader(/** @type {import('jose').CompactJWEHeaderParameters} */ (members));
  if (party) draft.setKeyManagementParameters(party);
  return draft.encrypt(await publicKey(key, alg));
}

/**
 * Opens what the frame made; refuses any other algorithm than the profile's.
 *
 * @param {string} envelope
 * @param {import('jose').CryptoKey | Uint8Array} privateKey
 */
export async function open(envelope, privateKey) {
  const { plaintext, protectedHeader } = await compactDecrypt(envelope, privateKey, {
    keyManagementAlgorithms: [ALG],
    contentEncryptionAlgorithms: [ENC],
  });
  return {
    text: new TextDecoder().decode(plaintext),
    header: /** @type {Record<string, any>} */ (protectedHeader),
  };
}

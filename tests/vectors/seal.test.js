// @ts-check
/** The sealing vectors, read by another implementation: npm `jose` and Node's own cryptography. */
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CompactEncrypt, compactDecrypt, importJWK } from 'jose';

/** @param {string} name @returns {any[]} */
const cases = (name) => JSON.parse(readFileSync(new URL(`./seal/${name}.json`, import.meta.url), 'utf8')).cases;

/** @param {string} text */
const bytes = (text) => Buffer.from(text, 'base64url');

/** @typedef {{ x: string, y: string, d: string }} Key */

/** @param {Key} key */
const privateKey = (key) => importJWK({ kty: 'EC', crv: 'P-256', ext: true, ...key }, 'ECDH-ES');
/** @param {Key} key */
const publicKey = ({ x, y }) => importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ECDH-ES');

/** @param {string} algorithm @param {Buffer} secret @param {Buffer} iv @param {Buffer} aad @param {Buffer} sealed @param {Buffer} tag */
function decrypt(algorithm, secret, iv, aad, sealed, tag) {
  const cipher = createDecipheriv(/** @type {import('node:crypto').CipherGCMTypes} */ (algorithm), secret, iv);
  cipher.setAAD(aad).setAuthTag(tag);
  return Buffer.concat([cipher.update(sealed), cipher.final()]).toString();
}

for (const { name, recipient, ephemeral, kid, claims, agreed, key: contentKey, iv, plaintext, aad, compact } of cases('envelopes')) {
  test(`envelope, ${name}: jose opens it`, async () => {
    const opened = await compactDecrypt(compact, await privateKey(recipient), {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    assert.equal(new TextDecoder().decode(opened.plaintext), plaintext);
    const { x, y } = ephemeral;
    const { widget_key: wk, issued_at: iat, ...rest } = claims;
    const epk = { kty: 'EC', crv: 'P-256', x, y };
    const header = { alg: 'ECDH-ES', enc: 'A256GCM', typ: 'card-widget+jwe', v: 1, kid, epk, wk, iat, ...rest };
    assert.deepEqual(opened.protectedHeader, header);
  });

  test(`envelope, ${name}: jose makes the same ciphertext`, async () => {
    const draft = new CompactEncrypt(Buffer.from(plaintext))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
      .setInitializationVector(bytes(iv))
      .setKeyManagementParameters({ epk: await privateKey(ephemeral) });
    const [, , , ciphertext] = (await draft.encrypt(await publicKey(recipient))).split('.');
    assert.equal(ciphertext, compact.split('.')[3]);
  });

  test(`envelope, ${name}: the steps in between`, () => {
    const ours = createECDH('prime256v1');
    ours.setPrivateKey(bytes(ephemeral.d));
    const secret = ours.computeSecret(Buffer.concat([Buffer.of(4), bytes(recipient.x), bytes(recipient.y)]));
    assert.equal(secret.toString('base64url'), agreed);
    assert.equal(concatKdf(secret, 'A256GCM', '', '', 256).toString('base64url'), contentKey);
    const [header, , , ciphertext, tag] = compact.split('.');
    assert.equal(header, aad);
    assert.equal(decrypt('aes-256-gcm', bytes(contentKey), bytes(iv), Buffer.from(aad), bytes(ciphertext), bytes(tag)), plaintext);
  });
}

for (const { name, alice, bob, algorithm, apu, apv, bits, agreed, other_info, key: contentKey } of cases('rfc7518-appendix-c')) {
  test(`RFC 7518 appendix C, ${name}: jose derives the key of the vector`, async () => {
    const text = 'sealed by jose';
    const draft = new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: algorithm })
      .setKeyManagementParameters({ epk: await privateKey(alice), apu: Buffer.from(apu), apv: Buffer.from(apv) });
    const [header, , iv, ciphertext, tag] = (await draft.encrypt(await publicKey(bob))).split('.');
    const opened = decrypt('aes-128-gcm', bytes(contentKey), bytes(iv), Buffer.from(header), bytes(ciphertext), bytes(tag));
    assert.equal(opened, text);
  });

  test(`RFC 7518 appendix C, ${name}: the steps in between`, () => {
    const ours = createECDH('prime256v1');
    ours.setPrivateKey(bytes(alice.d));
    const secret = ours.computeSecret(Buffer.concat([Buffer.of(4), bytes(bob.x), bytes(bob.y)]));
    assert.equal(secret.toString('base64url'), agreed);
    assert.equal(otherInfo(algorithm, apu, apv, bits).toString('base64url'), other_info);
    assert.equal(concatKdf(secret, algorithm, apu, apv, bits).toString('base64url'), contentKey);
  });
}

for (const { name, key: secret, iv, aad, plaintext, ciphertext, tag } of cases('rfc7516-appendix-a1')) {
  test(`RFC 7516 appendix A.1, ${name}`, () => {
    assert.equal(decrypt('aes-256-gcm', bytes(secret), bytes(iv), Buffer.from(aad), bytes(ciphertext), bytes(tag)), plaintext);
  });
}

/**
 * Concat KDF of NIST SP 800-56A §5.8.1 as RFC 7518 §4.6.2 uses it, for keys of one SHA-256 at most.
 *
 * @param {Buffer} secret
 * @param {string} algorithm
 * @param {string} apu
 * @param {string} apv
 * @param {number} bits
 */
function concatKdf(secret, algorithm, apu, apv, bits) {
  const block = Buffer.concat([number(1), secret, otherInfo(algorithm, apu, apv, bits)]);
  return createHash('sha256').update(block).digest().subarray(0, bits / 8);
}

/** @param {string} algorithm @param {string} apu @param {string} apv @param {number} bits */
function otherInfo(algorithm, apu, apv, bits) {
  const parts = [algorithm, apu, apv].flatMap((text) => [number(text.length), Buffer.from(text)]);
  return Buffer.concat([...parts, number(bits)]);
}

/** Four bytes, big end first. @param {number} value */
function number(value) {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}

/** Looks for a card number in places where it must not be, in every writing that a program might have used. */
import assert from 'node:assert/strict';

/** @param {string} digits An even number of digits. */
function writings(digits) {
  const grouped = digits.replace(/(.{4})(?=.)/g, '$1 ');
  const ascii = Buffer.from(digits);
  const found = {
    ascii,
    'in groups': Buffer.from(grouped),
    'with dashes': Buffer.from(grouped.replaceAll(' ', '-')),
    'utf-16': Buffer.from(digits, 'utf16le'),
    'utf-16 in groups': Buffer.from(grouped, 'utf16le'),
    'one byte for each digit': Buffer.from([...digits].map(Number)),
    'packed decimal': Buffer.from(digits, 'hex'),
    hex: Buffer.from(ascii.toString('hex')),
    'url-encoded': Buffer.from([...ascii].map((byte) => `%${byte.toString(16)}`).join('')),
    reversed: Buffer.from([...digits].reverse().join('')),
    'binary, little end first': integer(digits),
    'binary, big end first': integer(digits).reverse(),
  };
  // In base64 the same bytes look different at each of the three offsets; the ends depend on what stands beside.
  for (const offset of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(offset), ascii]).toString('base64').replace(/=+$/, '');
    found[`base64 at ${offset}`] = Buffer.from(text.slice(offset ? offset + 1 : 0, -1));
  }
  return found;
}

/**
 * Fails when one of the places holds the number.
 * @param {string} digits
 * @param {Record<string, string | Buffer>} places By name; the name goes into the message, the content never.
 */
export function assertNowhere(digits, places) {
  for (const [place, content] of Object.entries(places)) {
    const bytes = Buffer.from(content);
    for (const [writing, needle] of Object.entries(writings(digits))) {
      assert.ok(!bytes.includes(needle), `${place} holds a card number (${writing})`);
    }
  }
}

/** Eight bytes; a card number of up to 19 digits fits. */
function integer(digits) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(digits));
  // Leading zeros are not part of the needle.
  return bytes.subarray(0, 7);
}

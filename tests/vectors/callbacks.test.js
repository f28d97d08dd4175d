// @ts-check
/** What `docs/callbacks.md` tells shops to write, against the vectors of signatures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

const [, code] = /```js\n([^]*?)```/.exec(read('../../docs/callbacks.md')) ?? [];
/** @type {{ isSigned: (body: Buffer, password: string, header?: string) => boolean }} */
const { isSigned } = await import(`data:text/javascript,${encodeURIComponent(code ?? '')}`);

/** @typedef {{ name: string, password: string, body: string, signature: string }} Case */

for (const { name, password, body, signature } of /** @type {Case[]} */ (JSON.parse(read('./interface/signatures.json')).cases)) {
  test(`signature, ${name}: a shop takes it, and nothing like it`, () => {
    const bytes = Buffer.from(body);
    assert.ok(isSigned(bytes, password, signature));
    assert.ok(!isSigned(bytes, `${password} `, signature));
    assert.ok(!isSigned(Buffer.from(`${body} `), password, signature));
    const { length } = signature;
    for (const other of [
      undefined,
      '',
      signature.slice(0, -1),
      ` ${signature}`,
      `${signature}, ${signature}`,
      `${signature.slice(0, length - 2)}${signature[length - 2] === 'A' ? 'B' : 'A'}=`,
    ]) {
      assert.ok(!isSigned(bytes, password, other), other);
    }
  });
}

test('signatures in the other alphabet of Base64 are none', () => {
  const [{ password, body, signature }] = JSON.parse(read('./interface/signatures.json')).cases;
  const other = signature.replaceAll('_', '/').replaceAll('-', '+');
  assert.notEqual(other, signature);
  assert.ok(!isSigned(Buffer.from(body), password, other));
});

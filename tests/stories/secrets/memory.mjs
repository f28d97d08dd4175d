// @ts-check
/** What programs keep in memory, from outside: through Chromium's protocol, or the system's own view of a process. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/**
 * Everything that the JavaScript of a page (and only of its own process) holds, as one text.
 *
 * @param {import('playwright-core').CDPSession} session
 */
export async function heapOf(session) {
  /** @type {string[]} */
  const chunks = [];
  const keep = (/** @type {{ chunk: string }} */ { chunk }) => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', keep);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', keep);
  return chunks.join('');
}

/**
 * The bytes of every WebAssembly memory of a page.
 *
 * @param {import('playwright-core').CDPSession} session
 */
export async function wasmOf(session) {
  const { result: prototype } = await session.send('Runtime.evaluate', { expression: 'WebAssembly.Memory.prototype' });
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: /** @type {string} */ (prototype.objectId) });
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    returnByValue: true,
    functionDeclaration: `function () {
      return this.map(({ buffer }) => {
        let text = '';
        const bytes = new Uint8Array(buffer);
        for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
        return btoa(text);
      });
    }`,
  });
  return /** @type {string[]} */ (result.value).map((text) => Buffer.from(text, 'base64'));
}

/**
 * Whether a process holds one of these anywhere. Nothing where the system does not let us look.
 *
 * @param {number} id
 * @param {Buffer[]} needles
 */
export function processHolds(id, needles) {
  try {
    const file = openSync(`/proc/${id}/mem`, 'r');
    try {
      return regionsOf(id).some(([start, end]) => regionHolds(file, start, end, needles));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** What it may write, and so what it has put somewhere. @param {number} id @returns {[number, number][]} */
function regionsOf(id) {
  return readFileSync(`/proc/${id}/maps`, 'utf8').split('\n').flatMap((line) => {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    return start ? [[parseInt(start, 16), parseInt(end, 16)]] : [];
  });
}

/** @param {number} file @param {number} start @param {number} end @param {Buffer[]} needles */
function regionHolds(file, start, end, needles) {
  const SIZE = 1 << 22;
  const buffer = Buffer.alloc(SIZE);
  // Pieces overlap, so that nothing hides on a border.
  for (let at = start; at < end; at += SIZE - 64) {
    let length = 0;
    try {
      length = readSync(file, buffer, 0, Math.min(SIZE, end - at), at);
    } catch {
      // A region without memory behind it.
      return false;
    }
    const bytes = buffer.subarray(0, length);
    if (needles.some((needle) => bytes.includes(needle))) return true;
  }
  return false;
}

/** Fifty rounds of opening and closing leave the page as it was: in numbers of listeners, timers, observers, ports, frames, nodes and bytes. */
import assert from 'node:assert/strict';
import { heard } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

const world = openWorld(import.meta.url);
const { test } = world;

const ROUNDS = 50;
const NAMES = ['open and close', 'init, open and destroy', 'one after the other on one element'];

/** What the browser itself still holds of a page: only Chromium tells. */
const INSIDE = { firefox: 'counts of the browser itself are told by Chromium alone', webkit: 'counts of the browser itself are told by Chromium alone' };

test('what the loader has made is undone, in each way to end', async (t) => {
  const page = await world.visit();
  for (const name of NAMES) {
    await page.evaluate(([name, again]) => rounds[name](again), [name, ROUNDS]);
    // What is said after the task.
    await world.settled();
    const { globals: _, ...before } = await page.evaluate(() => window.before);
    const { globals: __, ...after } = await page.evaluate(() => window.alive());
    t.diagnostic(`${name}: ${JSON.stringify(after)}`);
    assert.deepEqual(after, before, name);
  }
  const { refused, errors, console } = await heard(page);
  assert.deepEqual([refused, errors, console], [[], [], []]);
});

test('what the browser holds is the same after fifty rounds more', { without: INSIDE }, async (t) => {
  const page = /** @type {any} */ (await world.visit());
  const protocol = await page.protocol();
  await protocol.send('Performance.enable');
  await protocol.send('HeapProfiler.enable');
  const count = async () => {
    for (let again = 0; again < 3; again += 1) await protocol.send('HeapProfiler.collectGarbage');
    const { metrics } = await protocol.send('Performance.getMetrics');
    const values = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    const objects = {};
    for (const kind of ['MessagePort', 'MutationObserver', 'AbortController', 'HTMLIFrameElement']) objects[kind] = await countObjects(protocol, kind);
    return {
      listeners: values.JSEventListeners, nodes: values.Nodes, documents: values.Documents, frames: values.Frames, ...objects,
      heap: values.JSHeapUsedSize,
    };
  };
  const run = async (again) => {
    for (const name of NAMES) await page.evaluate(([name, again]) => rounds[name](again), [name, again]);
    await world.settled();
    await page.evaluate(() => { heard.ready.length = heard.messages.length = 0; });
  };
  // The first rounds compile code and fill caches, and so do some later ones: the heap is compared twice.
  await run(10);
  const growths = [];
  for (let batch = 0; batch < 2; batch += 1) {
    const { heap: heapBefore, ...before } = await count();
    await run(ROUNDS / 2);
    const { heap, ...after } = await count();
    t.diagnostic(`before ${JSON.stringify({ ...before, heap: heapBefore })}, after ${JSON.stringify({ ...after, heap })}`);
    assert.deepEqual(after, before);
    growths.push(heap - heapBefore);
  }
  // A frame that stayed, or what the loader keeps of one, would be thousands of bytes in each round.
  assert.ok(Math.min(...growths) < ROUNDS * 400, `${growths} bytes more`);
});

/** How many objects of a kind are alive. */
async function countObjects(protocol, kind) {
  const { result: prototype } = await protocol.send('Runtime.evaluate', { expression: `${kind}.prototype`, objectGroup: 'count' });
  const { objects } = await protocol.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId, objectGroup: 'count' });
  const { result } = await protocol.send('Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration: 'function () { return this.length; }', returnByValue: true });
  await protocol.send('Runtime.releaseObjectGroup', { objectGroup: 'count' });
  return result.value;
}

/** What lies below the form is seen through it, in every scheme: the frame has no ground of its own. */
import assert from 'node:assert/strict';
import { ENGINE } from '../shared/engines.mjs';
import { cardForm } from '../shared/form.mjs';
import { openWorld } from '../shared/world.mjs';

// Chromium and Firefox take pictures anyway.
const world = openWorld(import.meta.url, { kind: ENGINE === 'webkit' ? { pictures: true } : undefined });

for (const colorScheme of ['light', 'dark', 'auto']) {
  world.test(`the ground of the page is seen through the frame: ${colorScheme}`, async () => {
    const page = await world.visit(`/?colorScheme=${colorScheme}`);
    const form = await cardForm(page).ready();
    await form.button.box();
    // Between the number and the row below it there is nothing of the form.
    assert.deepEqual(await pixel(page, 300, 95), [1, 200, 3]);
  });
}

/** Colour of one pixel of what is on the screen. */
async function pixel(page, x, y) {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([picture, x, y]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const scale = image.width / innerWidth;
      return [...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data].slice(0, 3);
    },
    [picture, x, y],
  );
}

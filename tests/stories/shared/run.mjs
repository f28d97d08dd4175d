// @ts-check
/** Runs every story in one engine, in this process: a browser is started once. */
import { existsSync, readdirSync } from 'node:fs';

const STORIES = new URL('../', import.meta.url);

/** @param {import('./engines.mjs').Name} engine */
export async function run(engine) {
  process.env.ENGINE = engine;
  for (const name of readdirSync(STORIES).sort()) {
    const story = new URL(`${name}/story.mjs`, STORIES);
    if (existsSync(story)) await import(story.href);
  }
}

// @ts-check
/** All stories in Chromium, one after the other. */
import { run } from '../shared/run.mjs';

await run('chromium');

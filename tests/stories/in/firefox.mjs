// @ts-check
/** All stories in Firefox, one after the other. */
import { run } from '../shared/run.mjs';

await run('firefox');

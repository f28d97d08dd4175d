// @ts-check
/** All stories in WebKit, one after the other. */
import { run } from '../shared/run.mjs';

await run('webkit');

/** Line 3.3, 3.4 and their neighbours: the sessions of `tests/vectors/typing`, with real keys, clicks and the clipboard. */
import { testSessions } from '../shared/typing.mjs';
import { openWorld } from '../shared/world.mjs';

testSessions(openWorld(import.meta.url));

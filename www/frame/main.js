// @ts-check
/// <reference path="./early.d.ts" />
// Attaches the core to the form, once it and the shop's port are there. Every decision is in Rust; the rooms beside this
// one are what only a browser can do.
import { begin, choose, end } from './core.js';
import { listen } from './input.js';
import { lend } from './lend.js';
import { CODES, early } from './page.js';
import { hear } from './talk.js';

Promise.all([early.port, choose()])
  .then(([port, core]) => {
    if (!begin(core, lend(port))) throw Error();
    listen();
    // The frame is removed, the page left, or kept for going back to.
    addEventListener('pagehide', end);
    port.onmessage = ({ data }) => hear(data, port);
  })
  .catch(() => {
    const code = 'webassembly_missing';
    early.fail(typeof WebAssembly === 'object' ? undefined : { ...CODES[code], code });
  });

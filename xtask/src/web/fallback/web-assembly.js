// What the glue asks of `WebAssembly`, answered with the core that was translated to JavaScript. The name is bound inside
// the module alone, so a browser that has the real one, or none, or a policy against it, notices nothing.
import { core } from './core.js';

export const WebAssembly = {
  Module: class {},
  Instance: class {
    constructor(module, imports) {
      this.exports = core(imports);
    }
  },
};

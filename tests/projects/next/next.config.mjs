import { fileURLToPath } from 'node:url';

/** The tools lie in the folder above. */
const root = fileURLToPath(new URL('..', import.meta.url));

export default { turbopack: { root }, outputFileTracingRoot: root };

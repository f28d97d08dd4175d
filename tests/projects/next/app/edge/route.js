// The same at the network's edge, where the module is compiled when it is deployed.
export const runtime = 'edge';
export { POST } from '../pay/route.js';

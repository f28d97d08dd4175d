// The generated module of the client, as far as `client*.js` uses it.
export function start(): Promise<void>;
export function calls(): string;
export function prepare(call: number, customer: Uint8Array, params: Uint8Array): string;
export function read(call: number, status: number, isRepeat: boolean, body: Uint8Array): string;
export function wait(call: number, status: number, reset: number, attempt: number, random: number): number;
export function remedy(call: number, params: Uint8Array): string;
export function row(call: number, json: Uint8Array): string;
export function verify(password: Uint8Array, body: Uint8Array, header: Uint8Array): boolean;
export function event(body: Uint8Array): string;

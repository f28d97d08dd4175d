// What the package's rules take from the module beside them, which is made of the glue and `crates/rules/core.js`.
export function start(): Promise<void>;
export function brands(): string;
export function number(text: Uint16Array, previous: Uint16Array, caret: number, brands: number, choice: number): string;
export function expiry(text: Uint16Array, previous: Uint16Array, caret: number, ownSlash: boolean, now: number): string;
export function code(text: Uint16Array, number: Uint16Array, brand: number): string;

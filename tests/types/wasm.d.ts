// A module as its base64, which is what the bundler makes of it.
declare module '*.wasm' {
  const base64: string;
  export default base64;
}

//! The `wasm-bindgen` command: makes the JavaScript glue of a compiled module.

use std::env;

fn main() -> anyhow::Result<()> {
    env_logger::init();
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(env::args_os())
}

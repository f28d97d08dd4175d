//! The runner that cargo hands a wasm test module to: starts a browser and runs the tests in it.

use std::env;

fn main() -> anyhow::Result<()> {
    env_logger::init();
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(env::args_os())
}

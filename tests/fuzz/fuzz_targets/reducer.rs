//! The form, driven by bytes. `README.md` beside the manifest says how to run it.
#![no_main]

#[path = "../driver.rs"]
#[expect(dead_code, reason = "the seeds are written by another program")]
mod driver;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| driver::run(bytes));

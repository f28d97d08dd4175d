//! Writes the sessions of `tests/vectors/typing` into a folder, as seeds for the fuzzer.

#[path = "../driver.rs"]
#[expect(dead_code, reason = "nothing is run here")]
mod driver;
#[path = "../seeds.rs"]
mod seeds;

use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = env::args().nth(1).expect("the folder to write to");
    fs::create_dir_all(&folder).unwrap();
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/typing");
    let sessions = seeds::sessions(&vectors);
    for (index, (_, ops)) in sessions.iter().enumerate() {
        fs::write(
            Path::new(&folder).join(format!("typing-{index:03}")),
            driver::encode(ops),
        )
        .unwrap();
    }
    println!("{} seeds", sessions.len());
}

//! Settings files, through the same door as `serve`.
#![no_main]

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use service::config::{DatabaseArgs, ServeArgs, Settings};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    FILE.with_borrow_mut(|(file, path)| {
        file.set_len(0).expect("the file can be emptied");
        file.write_all_at(bytes, 0).expect("the file can be written");
        let args = ServeArgs {
            store: DatabaseArgs {
                config: Some(path.clone()),
                ..DatabaseArgs::default()
            },
            ..ServeArgs::default()
        };
        match Settings::resolve(args) {
            Ok(settings) => assert!(!format!("{settings:?}").is_empty()),
            Err(error) => assert!(!error.to_string().is_empty(), "an error without a word"),
        }
    });
});

thread_local! {
    /// One file, written again and again; in memory where the system has a place for that.
    static FILE: RefCell<(File, PathBuf)> = {
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let path = folder.join(format!("card-widget-fuzz-{}.toml", std::process::id()));
        RefCell::new((File::create(&path).expect("a file can be made"), path))
    };
}

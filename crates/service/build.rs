//! Puts the widget's files into the binary.
//!
//! `cargo xtask web` writes them to `target/web`: built, minified, compressed. On a clean clone there is nothing yet; then
//! there is neither script nor frame, and what stands inside the pages comes from `www` as it is. Texts are checked
//! here, so a missing key fails the build.

#[path = "build/texts.rs"]
mod texts;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?)
        .join("../..")
        .canonicalize()?;
    let built = Built::find(&root.join("target/web"))?;
    let mut code = String::new();
    write_files(&mut code, &built)?;
    write_inline(&mut code, &root, &built)?;
    write_texts(&mut code, &root.join("www/texts"))?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded.rs"), code)?;
    Ok(())
}

/// What `cargo xtask` left in `target/web`.
struct Built {
    /// Name to path, without the `.br` siblings.
    files: BTreeMap<String, PathBuf>,
    /// Names of script, wasm, glue and fallback, when there is a manifest.
    frame: Option<[Option<String>; 4]>,
}

impl Built {
    fn find(folder: &Path) -> Result<Self> {
        // An absent path counts as changed and would build this crate anew every time; an empty folder does not.
        // Where it cannot be made, that is the only price.
        let _ = fs::create_dir_all(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let manifest = folder.join("manifest.json");
        let mut built = Self {
            files: BTreeMap::new(),
            frame: None,
        };
        if !manifest.is_file() {
            return Ok(built);
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if let Some(name) = path.file_name().and_then(|name| name.to_str())
                && path.is_file()
                && !name.ends_with(".br")
            {
                built.files.insert(name.to_owned(), path.clone());
            }
        }
        let json: serde_json::Value = serde_json::from_slice(&fs::read(&manifest)?)?;
        let name = |member: &str| json["frame"][member].as_str().map(str::to_owned);
        let frame = [name("script"), name("wasm"), name("glue"), name("fallback")];
        if let Some(missing) = frame
            .iter()
            .flatten()
            .find(|name| !built.files.contains_key(*name))
        {
            let folder = folder.display();
            return Err(format!(
                "{folder} has no {missing}, which its manifest names; run `cargo xtask web`"
            )
            .into());
        }
        if frame[0].is_some() && frame[1].is_some() {
            built.frame = Some(frame);
        }
        Ok(built)
    }

    /// The built file of that name, else the source.
    fn or_source(&self, name: &str, source: PathBuf) -> PathBuf {
        self.files.get(name).cloned().unwrap_or(source)
    }
}

/// The files served under an address of their own.
fn write_files(code: &mut String, built: &Built) -> Result<()> {
    let mut files = built.files.clone();
    files.retain(|name, _| !INLINE.iter().any(|(_, inline)| inline == name));
    code.push_str("pub(super) static FILES: &[File] = &[\n");
    for (name, path) in &files {
        let compressed = path.with_file_name(format!("{name}.br"));
        let compressed = match compressed.is_file() {
            true => format!("Some(include_bytes!({compressed:?}))"),
            false => "None".to_owned(),
        };
        writeln!(
            code,
            "    File {{ name: {name:?}, bytes: include_bytes!({path:?}), brotli: {compressed} }},"
        )?;
    }
    code.push_str("];\n");
    match &built.frame {
        Some([Some(script), Some(wasm), glue, fallback]) => writeln!(
            code,
            "pub(super) static FRAME: Option<FrameFiles> = Some(FrameFiles {{ script: {script:?}, wasm: {wasm:?}, glue: {glue:?}, fallback: {fallback:?} }});"
        )?,
        _ => writeln!(code, "pub(super) static FRAME: Option<FrameFiles> = None;")?,
    }
    Ok(())
}

/// What stands inside the HTML. It must not be able to end its own element.
fn write_inline(code: &mut String, root: &Path, built: &Built) -> Result<()> {
    for (constant, name) in INLINE {
        let source = root.join("www/frame").join(name);
        println!("cargo::rerun-if-changed={}", source.display());
        let path = built.or_source(name, source);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if ["</script", "</style", "<!--"]
            .iter()
            .any(|end| text.to_ascii_lowercase().contains(end))
        {
            return Err(format!("{} would end its own element", path.display()).into());
        }
        writeln!(code, "pub(super) static {constant}: &str = {:?};", text.trim())?;
    }
    Ok(())
}

/// Every language of the folder.
fn write_texts(code: &mut String, folder: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    writeln!(
        code,
        "pub(super) static DEFAULT_LANGUAGE: &str = {:?};",
        texts::DEFAULT
    )?;
    code.push_str("pub(super) static TEXTS: &[(&str, &str)] = &[\n");
    for (tag, text) in texts::read(folder)? {
        writeln!(code, "    ({tag:?}, {text:?}),")?;
    }
    code.push_str("];\n");
    Ok(())
}

/// Constant and file of everything inside the HTML.
const INLINE: [(&str, &str); 3] = [
    ("INLINE_JS", "inline.js"),
    ("REFUSAL_JS", "refusal.js"),
    ("FRAME_CSS", "frame.css"),
];

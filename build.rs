//! Turns a build that cannot work into a sentence that says what to do, and writes the table of Chinese
//! characters.

use std::error::Error;
use std::path::Path;

use hanconv::RawDictionary;

fn main() -> Result<(), Box<dyn Error>> {
    write_simplified()?;
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=wrangler.toml");
    let target = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let is_sandbox = std::env::var_os("CARGO_FEATURE_SANDBOX").is_some();
    let is_edge = std::env::var_os("CARGO_FEATURE_EDGE").is_some();
    if target == "wasm32" && is_sandbox && is_edge {
        println!(
            "cargo:error=The sandbox must never be in the Worker: build for wasm32 without \
             `--features sandbox`, or the engine alone with `--no-default-features`."
        );
    }
    let configuration = std::fs::read_to_string("wrangler.toml").unwrap_or_default();
    if target == "wasm32" && is_edge {
        for binding in ["KV", "RUNS", "ASSETS"] {
            if !configuration.contains(&format!("\"{binding}\"")) {
                println!(
                    "cargo:error=wrangler.toml has no binding \"{binding}\", without which the \
                     Worker cannot serve a run; restore it from the repository."
                );
            }
        }
    }
    Ok(())
}

/// Writes each traditional Chinese character with its simplified one, in order, for `src/domain/folding.rs`: the table of
/// `OpenCC`. Where a character has several, the usual one comes first.
fn write_simplified() -> Result<(), Box<dyn Error>> {
    let one = |text: &str| {
        text.chars()
            .next()
            .filter(|one| text.len() == one.len_utf8())
    };
    let pairs = RawDictionary::TSCharacters.iter();
    let pairs =
        pairs.filter_map(|(traditional, simplified)| Some((one(traditional)?, one(simplified)?)));
    let mut pairs: Vec<(char, char)> = pairs.filter(|(from, to)| from != to).collect();
    pairs.sort_unstable();
    pairs.dedup_by_key(|(traditional, _)| *traditional);
    let table = format!("const SIMPLIFIED: &[(char, char)] = &{pairs:?};\n");
    std::fs::write(
        Path::new(&std::env::var("OUT_DIR")?).join("simplified.rs"),
        table,
    )?;
    Ok(())
}

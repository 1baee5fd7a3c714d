//! Turns a build that cannot work into a sentence that says what to do, and writes the table of Chinese characters and the
//! script for pages.

use std::error::Error;
use std::path::Path;

use hanconv::RawDictionary;

fn main() -> Result<(), Box<dyn Error>> {
    write_simplified()?;
    write_script()?;
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

/// Writes the files of the script that looks at pages without remarks and indentation, for `src/browser/page_script.rs`.
/// Every line keeps its end, so that it means what it meant.
fn write_script() -> Result<(), Box<dyn Error>> {
    const SCRIPT: &str = "src/browser/script";
    println!("cargo:rerun-if-changed={SCRIPT}");
    let folder = Path::new(&std::env::var("OUT_DIR")?).join("script");
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(SCRIPT)? {
        let entry = entry?;
        let text = std::fs::read_to_string(entry.path())?;
        let mut written = String::with_capacity(text.len());
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            // What stands in several lines, as a remark or a text, may begin a line with anything.
            let is_open = line.contains("/*") || line.ends_with('\\');
            if is_open || line.matches('`').count() % 2 == 1 {
                let place = entry.path();
                println!(
                    "cargo:error={}: nothing but code may go on in a next line: {line}",
                    place.display()
                );
            }
            written.push_str(line);
            written.push('\n');
        }
        std::fs::write(folder.join(entry.file_name()), written)?;
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

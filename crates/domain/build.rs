//! Generates the table of Chinese characters that `src/spelling.rs` includes.

use std::error::Error;
use std::path::Path;

use hanconv::RawDictionary;

fn main() -> Result<(), Box<dyn Error>> {
    write_simplified()?;
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}

/// Writes the table for `src/spelling.rs`, from `OpenCC`: each traditional Chinese character with its simplified one,
/// sorted. If a character has several simplified ones, the table has the most usual one.
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

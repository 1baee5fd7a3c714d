//! Turns a build that cannot work into a sentence that says what to do, and writes the table of letters and the script
//! for pages in few bytes.

use std::error::Error;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

fn main() -> Result<(), Box<dyn Error>> {
    write_letters()?;
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

/// Writes what is left of each character of Unicode once it is taken apart and its marks are left out, for
/// `src/domain/letters.rs`. The tables of `unicode-normalization`, in which this is looked up, are made to be fast and
/// take fifty kilobytes of the Worker, compressed; these take ten. What follows one another in Unicode is mostly left as
/// what follows one another: a run of characters is one row. Each column of the rows is a file, so that like stands
/// beside like.
fn write_letters() -> Result<(), Box<dyn Error>> {
    let folder = std::env::var("OUT_DIR")?;
    let (mut places, mut lengths, mut letters) = (Vec::new(), Vec::new(), Vec::new());
    let (mut next, mut letter) = (0_u32, 0_u32);
    for run in runs() {
        push(&mut places, run.first - next);
        next = run.first + run.count;
        push(&mut lengths, (run.count - 1) * 2 + u32::from(run.rises));
        push(&mut letters, u32::try_from(run.left.len())?);
        for left in run.left {
            push(
                &mut letters,
                zigzag(left.cast_signed() - letter.cast_signed()),
            );
            letter = left;
        }
    }
    for (name, column) in [
        ("places", places),
        ("lengths", lengths),
        ("letters", letters),
    ] {
        std::fs::write(Path::new(&folder).join(name), column)?;
    }
    Ok(())
}

/// Characters that follow one another: either the same is left of each, or the one letter that is left rises with them.
struct Run {
    first: u32,
    count: u32,
    rises: bool,
    left: Vec<u32>,
}

fn runs() -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for character in '\0'..=char::MAX {
        let is_mark = |character: &char| is_combining_mark(*character);
        let left = std::iter::once(character)
            .nfkd()
            .filter(|left| !is_mark(left));
        let left: Vec<u32> = left.map(u32::from).collect();
        // Korean syllables are taken apart by arithmetic.
        if left == [u32::from(character)] || ('\u{AC00}'..='\u{D7A3}').contains(&character) {
            continue;
        }
        let place = u32::from(character);
        match runs.last_mut().filter(|run| run.first + run.count == place) {
            Some(run) if run.left == left && (!run.rises || run.count == 1) => {
                run.rises = false;
                run.count += 1;
            }
            Some(run)
                if matches!(run.left[..], [first] if left == [first + run.count])
                    && (run.rises || run.count == 1) =>
            {
                run.rises = true;
                run.count += 1;
            }
            _ => runs.push(Run {
                first: place,
                count: 1,
                rises: false,
                left,
            }),
        }
    }
    runs
}

/// Makes small numbers of small differences in both directions.
fn zigzag(difference: i32) -> u32 {
    ((difference << 1) ^ (difference >> 31)).cast_unsigned()
}

/// Writes a number in as many bytes as it needs, seven bits in each, the lowest first.
fn push(column: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        let [lowest, ..] = number.to_le_bytes();
        column.push(lowest | 0x80);
        number >>= 7;
    }
    let [lowest, ..] = number.to_le_bytes();
    column.push(lowest);
}

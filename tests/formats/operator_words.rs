//! Every message for operators is in docs/errors.md, and every setting in docs/operation.md.

use std::fs;
use std::path::{Path, PathBuf};

use investigation::machine::{ErrorCode, Reason};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the logged text up to its first value.
fn logged(source: &str) -> Vec<String> {
    let calls = ["console_error!(\"", "console_warn!(\""];
    let mut found = Vec::new();
    for call in calls {
        for (at, _) in source.match_indices(call) {
            let rest = &source[at + call.len()..];
            let text = rest.split('"').next().unwrap();
            let words = text.split(": {").next().unwrap();
            found.push(words.to_owned());
        }
    }
    found
}

#[test]
fn every_line_of_the_log_is_explained() {
    let explained = read("docs/errors.md");
    let mut count = 0;
    for folder in [
        "src/objects",
        "src/routes/handlers",
        "src/storage",
        "src/transport",
    ] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            for words in logged(&fs::read_to_string(&path).unwrap()) {
                assert!(explained.contains(&format!("`{words}`")), "{words}");
                count += 1;
            }
        }
    }
    assert!(count >= 10, "{count} lines found");
}

#[test]
fn every_way_to_end_without_a_chain_is_explained() {
    let explained = read("docs/errors.md");
    for code in ErrorCode::ALL {
        let row = format!("| `{}` |", code.as_str());
        assert!(explained.contains(&row), "{row}");
    }
    for reason in Reason::ALL {
        let word = format!("`{}`", reason.as_str());
        assert!(explained.contains(&word), "{word}");
    }
}

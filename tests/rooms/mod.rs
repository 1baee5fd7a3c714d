//! The rooms' arrows: who may import whom; and the citations of the specification.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room, the rooms it may use, and the outside crates it may use beside the language's own.
/// The map in the README says the same in words.
const ROOMS: [(&str, &[&str], &[&str]); 13] = [
    ("domain", &[], &["unicode_normalization"]),
    ("collage", &["domain"], &["jpeg_decoder", "png"]),
    ("kernel", &["domain"], &[]),
    ("investigation", &["kernel", "domain"], &["strsim"]),
    (
        "providers",
        &["domain"],
        &[
            "aws_credential_types",
            "aws_sigv4",
            "base64",
            "http",
            "serde",
            "serde_json",
            "url",
        ],
    ),
    (
        "events",
        &["domain", "kernel", "investigation"],
        &["serde", "serde_json", "time"],
    ),
    (
        "store",
        &["domain", "kernel", "investigation", "events"],
        &["percent_encoding", "serde", "serde_json", "sha2"],
    ),
    (
        "journal",
        &["domain", "kernel", "investigation", "events"],
        &["serde", "serde_json", "sha2"],
    ),
    (
        "sealed",
        &["domain", "investigation", "events", "store", "journal"],
        &["hmac", "serde", "serde_json", "sha2"],
    ),
    (
        "session",
        &[
            "domain",
            "kernel",
            "investigation",
            "providers",
            "events",
            "store",
            "journal",
            "collage",
        ],
        &[
            "base64",
            "futures",
            "http",
            "imagesize",
            "serde",
            "serde_json",
            "sha2",
            "url",
        ],
    ),
    (
        "edge",
        &[
            "domain",
            "kernel",
            "investigation",
            "providers",
            "events",
            "store",
            "journal",
            "sealed",
            "session",
        ],
        &[
            "console_error_panic_hook",
            "futures",
            "getrandom",
            "http",
            "js_sys",
            "serde",
            "serde_json",
            "sha2",
            "wasm_bindgen",
            "worker",
        ],
    ),
    (
        "rehearsal",
        &[
            "domain",
            "kernel",
            "investigation",
            "providers",
            "events",
            "store",
            "journal",
            "sealed",
            "session",
            "sandbox",
            "collage",
        ],
        &["fastrand", "futures", "http", "serde", "serde_json", "sha2"],
    ),
    (
        "sandbox",
        &[],
        &[
            "axum",
            "base64",
            "fastrand",
            "futures",
            "hmac",
            "http",
            "jpeg_encoder",
            "percent_encoding",
            "png",
            "serde",
            "serde_json",
            "sha2",
            "time",
            "tiny_skia",
            "tokio",
            "unicode_normalization",
            "url",
        ],
    ),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file without its comments and strings.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every `crate::ROOM` that a text names.
fn rooms_named(code: &str) -> BTreeSet<String> {
    code.split("crate::")
        .skip(1)
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .collect()
}

/// The first word of every `use` that is not the crate's own.
fn crates_used(code: &str) -> BTreeSet<String> {
    code.lines()
        .filter_map(|line| {
            line.trim_start()
                .strip_prefix("use ")
                .or_else(|| line.trim_start().strip_prefix("pub use "))
        })
        .filter_map(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        })
        .filter(|first| {
            !["crate", "super", "self", "std", "core", "alloc", "fmt", ""].contains(first)
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_import_follows_an_arrow() {
    let mut wrong = Vec::new();
    for (room, rooms, crates) in ROOMS {
        for file in rust_files(&source().join(room)) {
            let code = code(&file);
            for named in rooms_named(&code) {
                let is_room = ROOMS.iter().any(|(name, _, _)| *name == named);
                if is_room && named != room && !rooms.contains(&named.as_str()) {
                    wrong.push(format!("{} imports {named}", file.display()));
                }
            }
            let modules: BTreeSet<String> = rust_files(&source().join(room))
                .iter()
                .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
                .chain(
                    fs::read_dir(source().join(room))
                        .unwrap()
                        .filter_map(|entry| entry.ok()?.file_name().to_str().map(str::to_owned)),
                )
                .collect();
            for used in crates_used(&code) {
                if !crates.contains(&used.as_str()) && !modules.contains(&used) {
                    wrong.push(format!("{} uses the crate {used}", file.display()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "against the arrows of the rooms:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_folder_of_the_source_is_a_room() {
    for entry in fs::read_dir(source()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_known = ROOMS.iter().any(|(room, _, _)| *room == name);
        let is_other = ["bin", "launch", "lib.rs"].contains(&name.as_str());
        assert!(is_known || is_other, "{name} is no room of the map");
    }
}

#[test]
fn the_engine_knows_no_clock_no_chance_and_no_json() {
    for room in ["domain", "kernel", "investigation"] {
        for file in rust_files(&source().join(room)) {
            let code = code(&file);
            for foreign in [
                "serde",
                "async ",
                ".await",
                "SystemTime",
                "Instant",
                "HashMap",
                "random(",
            ] {
                assert!(
                    !code.contains(foreign),
                    "{} knows {foreign}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn every_state_is_cited_where_it_is_obeyed_and_where_it_is_tested() {
    let cited = |folder: &Path| -> String {
        rust_files(folder)
            .iter()
            .map(|file| fs::read_to_string(file).unwrap())
            .collect()
    };
    let engine = cited(&source().join("investigation"));
    let tests = cited(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine"));
    for state in 0..=7 {
        let citation = format!("//= spec S{state}");
        assert!(
            engine.contains(&citation),
            "nothing in the engine cites S{state}"
        );
        assert!(tests.contains(&citation), "no test cites S{state}");
    }
}

#[test]
fn files_stay_small_enough_to_be_one_room() {
    for file in rust_files(&source()) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 400, "{} has {lines} lines", file.display());
    }
}

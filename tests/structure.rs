//! Rules for the sources that the compiler cannot check: citations of the specification, the single writer of the
//! search's state, the wording of comments, the length of files. Dependencies are checked by the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The most lines of a file; a longer one is more than one thing.
const LINES_MAX: usize = 1_000;
/// The investigation's machine, the only file that has its methods and writes its state.
const HEART: &str = "crates/investigation/src/machine.rs";

/// Returns the files of a folder with these endings, and their texts.
fn sources(folder: &str, endings: &[&str]) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if name.ends_with("/node_modules") {
            // Installed for tests, from elsewhere.
        } else if entry.file_type().unwrap().is_dir() {
            found.extend(sources(&name, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    found
}

/// Returns all Rust and JavaScript files.
fn code_files() -> BTreeMap<String, String> {
    let folders = ["benches", "crates", "devtools", "scripts", "src", "tests"];
    let mut found = sources("public", &[".js"]);
    for folder in folders {
        found.extend(sources(folder, &[".rs", ".mjs"]));
    }
    found
}

/// Returns the lines that are no comments, with their numbers.
fn code_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(source.lines());
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_state_is_cited_where_it_is_obeyed_and_where_it_is_tested() {
    let text = |folder| -> String { sources(folder, &[".rs"]).into_values().collect() };
    let (engine, tests) = (text("crates/investigation/src"), text("tests/engine"));
    for state in 0..=7 {
        let citation = format!("//= spec S{state}");
        assert!(engine.contains(&citation), "the engine cites no S{state}");
        assert!(tests.contains(&citation), "no test cites S{state}");
    }
}

/// Returns other writers of the machine's state in a file.
fn other_writers(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in code_lines(source) {
        let is_method = line.starts_with("impl ") && line.contains("Investigation {");
        let is_write = line.contains(".state = ");
        if file != HEART && (is_method || is_write) {
            found.push(format!("{file}:{number}: {}", line.trim()));
        }
    }
    found
}

#[test]
fn the_machine_alone_has_its_methods_and_writes_its_state() {
    let files = sources("crates/investigation/src", &[".rs"]);
    let found = files
        .iter()
        .flat_map(|(file, source)| other_writers(file, source));
    assert_none(
        "the machine's state has other writers",
        &found.collect::<Vec<_>>(),
    );
    assert_eq!(
        other_writers("a.rs", "    self.state = State::Ended;").len(),
        1
    );
    assert_eq!(other_writers("a.rs", "impl Investigation {").len(), 1);
    assert!(files.contains_key(HEART));
}

#[test]
fn the_machines_know_no_clock_and_no_chance() {
    let foreign = [
        "async ",
        ".await",
        "SystemTime",
        "Instant",
        "HashMap",
        "random(",
    ];
    for folder in [
        "crates/domain/src",
        "crates/kernel/src",
        "crates/investigation/src/machine",
        "crates/workflow/src/machine",
        "crates/automaton/src/machine",
    ] {
        for (file, source) in sources(folder, &[".rs"]) {
            for (number, line) in code_lines(&source) {
                let known = foreign.iter().find(|word| line.contains(**word));
                assert!(known.is_none(), "{file}:{number} knows {known:?}");
            }
        }
    }
}

/// Only the registry names engines, except for words of their public formats.
#[test]
fn the_worker_names_an_engine_in_the_registry_alone() {
    for (file, source) in sources("src", &[".rs"]) {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code_lines(code) {
            let names = [
                "investigation::",
                "workflow::",
                "automaton::",
                "countdown::",
            ];
            let is_named = names.iter().any(|name| line.contains(name));
            let is_registry = file.starts_with("src/engines");
            assert!(!is_named || is_registry, "{file}:{number}: {}", line.trim());
        }
    }
}

#[test]
fn files_are_one_thing_each() {
    for (file, source) in code_files() {
        let lines = source.lines().count();
        assert!(lines <= LINES_MAX, "{file} has {lines} lines");
    }
}

/// The first words of a doc comment after which a reader has to look for the subject.
const NO_SUBJECT: [&str; 5] = ["Of", "The same", "Who", "Whoever", "None where"];
/// The markers of doc comments, also within JavaScript blocks.
const MARKS: [&str; 4] = ["///", "//!", "/**", "*"];

/// Returns the marker and the text of a doc comment's line.
fn doc_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = MARKS.iter().find(|mark| line.starts_with(**mark))?;
    Some((mark, line[mark.len()..].trim()))
}

fn lacks_subject(words: &str) -> bool {
    NO_SUBJECT.iter().any(|first| {
        let rest = words.strip_prefix(first);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}

/// Returns the doc comments of a file that begin without a subject.
fn without_subject(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The marker of the previous line, if it had text.
    let mut goes_on = None;
    for (number, line) in (1..).zip(source.lines()) {
        let (mark, words) = doc_line(line).unwrap_or_default();
        let begins = goes_on.is_none() || mark == "/**" || (mark != "*" && goes_on != Some(mark));
        if !mark.is_empty() && begins && lacks_subject(words) {
            found.push(format!("{file}:{number}: {words}"));
        }
        goes_on = (!words.is_empty()).then_some(mark);
    }
    found
}

#[test]
fn doc_comments_begin_with_their_subject() {
    let files = code_files();
    let found = files
        .iter()
        .flat_map(|(file, source)| without_subject(file, source));
    assert_none("these have no subject", &found.collect::<Vec<_>>());
    for (source, count) in [
        ("/// Of a name.\nfn a() {}", 1),
        ("//! The same, twice.", 1),
        ("/** Who asks. */", 1),
        ("/**\n * Of a name.\n */", 1),
        ("/// One.\n///\n/// Of a paragraph, its first word.", 1),
        ("/// A name\n/// Of a sentence that goes on.", 0),
        ("/// Offers a name.\n/// Whole.", 0),
        ("// Of what is no doc comment.", 0),
    ] {
        assert_eq!(without_subject("a", source).len(), count, "{source}");
    }
}

/// The lines of the picture in `docs/architecture.md`.
fn picture() -> Vec<String> {
    let text = sources("docs", &["architecture.md"]).remove("docs/architecture.md");
    let text = text.expect("docs/architecture.md");
    let picture = text.split("```mermaid").nth(1).expect("a picture");
    let picture = picture.split("```").next().unwrap_or_default();
    picture.lines().map(str::to_owned).collect()
}

/// The names on one side of an arrow.
fn names(side: &str) -> impl Iterator<Item = &str> {
    side.split('&').map(str::trim)
}

#[test]
fn the_picture_shows_the_crates_and_what_they_use() {
    let manifests = sources("crates", &["Cargo.toml"]);
    let manifest_of = |name: &str| manifests.get(&format!("crates/{name}/Cargo.toml"));
    let crates: BTreeSet<&str> = manifests
        .keys()
        .filter_map(|file| file.split('/').nth(1))
        .collect();
    let picture = picture();
    let drawn = picture.iter().filter_map(|line| line.split_once("[\""));
    let drawn: BTreeSet<&str> = drawn
        .map(|(name, _)| name.trim())
        .filter(|name| !name.starts_with("src_") && !name.starts_with("subgraph "))
        .collect();
    assert_eq!(drawn, crates);
    let mut arrows = 0;
    for (users, used) in picture.iter().filter_map(|line| line.split_once("-->")) {
        for user in names(users) {
            let Some(manifest) = manifest_of(user) else {
                assert!(user.starts_with("src_"), "{user}");
                continue;
            };
            for used in names(used) {
                let dependency = format!("{used}.workspace = true");
                let is_there = manifest.lines().any(|line| line == dependency);
                assert!(is_there, "{user} does not use {used}");
                arrows += 1;
            }
        }
    }
    assert!(arrows >= crates.len(), "{arrows} arrows");
}

//! Where the code names an engine: its wing, the registry, and next to nowhere else.

use super::sources;

/// The most files outside its wing that may name an engine: words of another wing's own public format.
const FILES_OUTSIDE_MAX: usize = 4;
/// Places that are about the engines themselves: they run them, or stand for what the engines ask.
const ABOUT_ENGINES: [&str; 7] = [
    "src/bin/",
    "src/engines/mod.rs",
    "src/lib.rs",
    "src/live_runs/",
    "src/mcp/",
    "src/rehearsal/",
    "src/sandbox/",
];

/// The lines that are neither comments nor tests.
fn code(source: &str) -> String {
    let lines = source
        .lines()
        .take_while(|line| line.trim() != "#[cfg(test)]");
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n").to_lowercase()
}

fn files_that_name(engine: &str) -> Vec<String> {
    let wing = format!("src/engines/{engine}/");
    let is_outside = |file: &String| {
        let is_test = file.contains("/tests/") || file.ends_with("/tests.rs");
        !is_test
            && !file.starts_with(&wing)
            && !ABOUT_ENGINES.iter().any(|about| file.starts_with(about))
    };
    let files = sources("src", &[".rs"]).into_iter();
    let named = files.filter(|(file, source)| is_outside(file) && code(source).contains(engine));
    named.map(|(file, _)| file).collect()
}

#[test]
fn an_engine_is_named_in_its_wing_alone() {
    for (engine, files_max) in [
        ("investigation", FILES_OUTSIDE_MAX),
        ("workflow", FILES_OUTSIDE_MAX),
        ("automaton", 1),
        ("countdown", 0),
    ] {
        let files = files_that_name(engine);
        println!("{engine}: {files:?}");
        assert!(files.len() <= files_max, "{engine}: {files:#?}");
    }
}

#[test]
fn comments_and_tests_do_not_count() {
    let source = "//! The workflow.\nlet a = 1; // b\n#[cfg(test)]\nmod tests { workflow }";
    assert_eq!(code(source), "let a = 1; // b");
    assert!(code("use crate::engines::Workflow;").contains("workflow"));
}

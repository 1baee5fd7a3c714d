//! The rooms of the project, checked on its own sources: who may use whom, as `docs/rooms.md` maps
//! it; no circle of files; one owner of the machine's state; the citations of the specification.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use checks::Finding;
use graph::{Graph, Sources};
use map::Map;

mod cases;
mod checks;
mod circles;
mod comments;
mod graph;
mod map;
mod modules;
mod names;
mod picture;
mod tokens;

/// Longer files are more than one room.
const LINES_MAX: usize = 400;

/// The files of a folder of the project whose names end so.
fn sources(folder: &str, endings: &[&str]) -> Sources {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Sources::new();
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if name.ends_with("/node_modules") {
            // Installed for tests; others wrote it.
        } else if entry.file_type().unwrap().is_dir() {
            found.extend(sources(&name, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    found
}

fn rust() -> Sources {
    sources("src", &[".rs"])
}

/// Everything that is written in Rust or JavaScript.
fn code_files() -> Sources {
    let mut found = sources("src", &[".rs", ".mjs"]);
    found.extend(sources("tests", &[".rs", ".mjs"]));
    found.extend(sources("public", &[".js"]));
    found
}

fn map_text() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rooms.md");
    fs::read_to_string(file).unwrap()
}

fn map() -> Map {
    Map::read(&map_text())
}

/// All files of `src` but pictures, of whatever kind.
fn files() -> BTreeSet<String> {
    let texts = [".rs", ".mjs", ".json"];
    sources("src", &texts).into_keys().collect()
}

#[track_caller]
fn check(what: &str, found: impl IntoIterator<Item = Finding>) {
    let lines = found
        .into_iter()
        .map(|Finding { file, fault }| format!("{file}: {fault}"));
    let lines: Vec<String> = lines.collect();
    assert!(lines.is_empty(), "{what}:\n{}", lines.join("\n"));
}

#[test]
fn every_use_of_a_room_or_a_crate_is_on_the_map() {
    let found = checks::against_the_map(&map(), &Graph::of(&rust()));
    check("against the map of docs/rooms.md", found);
}

#[test]
fn every_folder_of_the_source_is_a_room_and_every_room_is_there() {
    let found = checks::unknown_rooms(&map(), &files());
    check("docs/rooms.md and src differ", found);
}

#[test]
fn every_use_of_an_inner_room_is_on_the_map() {
    let found = checks::inside_against_the_map(&map(), &Graph::of(&rust()));
    let what = "against the tables of docs/rooms.md";
    check(what, found);
}

#[test]
fn every_inner_room_is_on_the_map_and_there() {
    let found = checks::unknown_inner_rooms(&map(), &files());
    let what = "the tables of docs/rooms.md and src differ";
    check(what, found);
}

#[test]
fn no_files_of_the_source_use_each_other() {
    let found = checks::circles_of_files(&Graph::of(&rust()));
    check("circles of files", found);
}

#[test]
fn no_scripts_of_the_page_import_each_other() {
    check(
        "circles of scripts",
        checks::circles_of_scripts(&sources("public", &[".js"])),
    );
}

#[test]
fn the_machine_alone_has_its_methods_and_writes_its_state() {
    let sources = rust();
    let found = [
        checks::foreign_methods(&sources),
        checks::half_open_fields(&sources),
        checks::foreign_state_writes(&sources),
    ];
    let what = "the machine is written by others";
    check(what, found.concat());
}

#[test]
fn the_engine_knows_no_clock_no_chance_and_no_json() {
    for room in ["domain", "kernel", "engines/investigation/machine"] {
        for (file, source) in sources(&format!("src/{room}"), &[".rs"]) {
            let lines = source.lines();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let code: Vec<&str> = lines.filter(is_code).collect();
            let code = code.join("\n");
            for foreign in [
                "serde",
                "async ",
                ".await",
                "SystemTime",
                "Instant",
                "HashMap",
                "random(",
            ] {
                assert!(!code.contains(foreign), "{file} knows {foreign}");
            }
        }
    }
}

#[test]
fn every_state_is_cited_where_it_is_obeyed_and_where_it_is_tested() {
    let text = |folder| -> String { sources(folder, &[".rs"]).into_values().collect() };
    let (engine, tests) = (
        text("src/engines/investigation/machine"),
        text("tests/engine"),
    );
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
    for (file, source) in code_files() {
        let lines = source.lines().count();
        assert!(lines <= LINES_MAX, "{file} has {lines} lines");
    }
}

#[test]
#[ignore = "a table to read: what the inner rooms of each room use, as docs/rooms.md tells it"]
fn inner_rooms_as_they_are() {
    let (map, graph) = (map(), Graph::of(&rust()));
    for (room, _) in &map.rooms {
        println!(
            "## Inside `{room}`\n{}",
            checks::inner_table(&map, &graph, room)
        );
    }
}

#[test]
#[ignore = "a table to read: what each room uses, as docs/rooms.md tells it"]
fn rooms_as_they_are() {
    println!("{}", checks::outer_table(&map(), &Graph::of(&rust())));
}

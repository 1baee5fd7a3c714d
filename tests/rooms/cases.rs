//! Each kind of fault, put into a small tree once and found there.

use std::collections::BTreeSet;

use super::checks::{
    Finding, against_the_map, circles_of_files, circles_of_scripts, foreign_methods,
    foreign_state_writes, half_open_fields, inside_against_the_map, unknown_inner_rooms,
    unknown_rooms,
};
use super::graph::{Graph, Sources};
use super::map::Map;

const MAP: &str = "
    ## The rooms
    | `low` | nothing is below it | nothing | `serde` |
    | `high` | with rooms inside | `low` | none |
    ## Inside `high`
    | `top` | a folder | `base` |
    | `base` | a file | nothing |
";

fn map() -> Map {
    let lines: Vec<&str> = MAP.lines().map(str::trim).collect();
    Map::read(&lines.join("\n"))
}

/// A tree on the map, without a fault.
const GOOD: [(&str, &str); 7] = [
    ("src/lib.rs", "pub mod low; pub mod high;"),
    (
        "src/low/mod.rs",
        "mod nouns; pub use nouns::Noun; pub struct Plain;",
    ),
    ("src/low/nouns.rs", "use serde::Serialize; pub struct Noun;"),
    (
        "src/high/mod.rs",
        "mod base; mod top; pub use top::Top; use crate::low;",
    ),
    (
        "src/high/base.rs",
        "use crate::low::Noun; pub fn base() -> Noun { Noun }",
    ),
    ("src/high/top/mod.rs", "mod inner; pub use inner::Top;"),
    (
        "src/high/top/inner.rs",
        "use super::super::base; pub struct Top; fn f() { base::base(); }",
    ),
];

fn tree(files: &[(&str, &str)]) -> Sources {
    let files = files.iter().copied();
    files
        .map(|(file, source)| (file.to_owned(), source.to_owned()))
        .collect()
}

/// The good tree, with some files otherwise or beside.
fn with(files: &[(&str, &str)]) -> Sources {
    let mut sources = tree(&GOOD);
    sources.extend(tree(files));
    sources
}

fn graph(files: &[(&str, &str)]) -> Graph {
    Graph::of(&with(files))
}

fn names(files: &[(&str, &str)]) -> BTreeSet<String> {
    with(files).into_keys().collect()
}

#[track_caller]
fn check(found: &[Finding], expected: &[&str]) {
    let lines = found.iter();
    let lines: Vec<String> = lines
        .map(|Finding { file, fault }| format!("{file} {fault}"))
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_tree_on_the_map_has_no_fault() {
    let good = graph(&[]);
    check(&against_the_map(&map(), &good), &[]);
    check(&inside_against_the_map(&map(), &good), &[]);
    check(&unknown_rooms(&map(), &names(&[])), &[]);
    check(&unknown_inner_rooms(&map(), &names(&[])), &[]);
    check(&circles_of_files(&good), &[]);
}

#[test]
fn a_use_of_a_room_against_the_map_is_found_however_it_is_written() {
    for source in [
        "use crate::high::Top;",
        "use crate::{high::Top as T};",
        "fn f() { crate::high::Top; }",
        "use crate::high; fn f() -> high::Top { g() }",
        "pub use super::super::high::Top;",
        "#[cfg(test)] mod tests { use crate::high::*; }",
    ] {
        let found = against_the_map(&map(), &graph(&[("src/low/nouns.rs", source)]));
        let is_found = found
            .iter()
            .any(|finding| finding.file == "src/low/nouns.rs");
        assert!(is_found, "{source}");
    }
    let comment = "// use crate::high::Top;\nconst A: &str = \"crate::high::Top\";";
    let graph = graph(&[("src/low/nouns.rs", comment)]);
    check(&against_the_map(&map(), &graph), &[]);
}

#[test]
fn a_crate_that_a_room_may_not_use_is_found() {
    for source in [
        "use url::Url;",
        "fn f() -> url::Url { g() }",
        "#[derive(url::Url)] struct A;",
    ] {
        let found = against_the_map(&map(), &graph(&[("src/low/other.rs", source)]));
        check(&found, &["src/low/other.rs uses the crate url"]);
    }
}

#[test]
fn a_use_of_an_inner_room_against_its_table_is_found() {
    let source = "use super::top::Top; pub fn base() {}";
    let found = inside_against_the_map(&map(), &graph(&[("src/high/base.rs", source)]));
    // Whatever the folder gives on counts as the folder.
    check(
        &found,
        &["src/high/base.rs line 1 uses src/high/top/inner.rs"],
    );
}

#[test]
fn rooms_that_the_map_or_the_source_lacks_are_found() {
    let found = unknown_rooms(
        &map(),
        &names(&[("src/attic/x.rs", ""), ("src/shed.rs", "")]),
    );
    let unknown = ["attic", "shed"].map(|room| format!("src/{room} is no room of the map"));
    check(&found, &unknown.each_ref().map(String::as_str));
    let mut files = names(&[]);
    files.retain(|file| !file.starts_with("src/low/"));
    let missing = ["src/low is a room of the map and not there"];
    check(&unknown_rooms(&map(), &files), &missing);

    let found = unknown_inner_rooms(&map(), &names(&[("src/high/attic/mod.rs", "")]));
    check(&found, &["src/high/attic is no room of the map"]);
    let mut files = names(&[]);
    files.remove("src/high/base.rs");
    let missing = ["src/high/base is a room of the map and not there"];
    check(&unknown_inner_rooms(&map(), &files), &missing);
    // Tests beside a file are no room, any other folder is one.
    let beside = names(&[("src/low/nouns/tests.rs", "")]);
    check(&unknown_inner_rooms(&map(), &beside), &[]);
    let found = unknown_inner_rooms(&map(), &names(&[("src/low/attic/mod.rs", "")]));
    let expected = ["src/low has the folder attic and no table of its inner rooms"];
    check(&found, &expected);
}

/// Two files beside the good tree.
fn circle(one: &str, other: &str) -> Vec<Finding> {
    circles_of_files(&graph(&[
        ("src/low/one.rs", one),
        ("src/low/other.rs", other),
    ]))
}

const ONE: &str = "src/low/one.rs";

#[test]
fn a_circle_is_found_however_its_arrows_are_written() {
    let back = "pub struct B; use super::one::A;";
    for there in [
        "pub struct A; use super::other::B;",
        "pub struct A; use crate::low::{nouns, other::{self, B}};",
        "pub struct A; fn f() { super::other::B::new() }",
        "pub struct A; impl A { fn f(b: crate::low::other::B) {} }",
        "pub struct A; use super::other; fn f() -> other::B { g() }",
        "pub struct A; use self::super::other::B as C;",
        "pub struct A; mod inner { fn f() -> super::super::other::B { g() } }",
        "pub struct A; use super::other::*;",
    ] {
        let way = "2 files use each other: src/low/one.rs > src/low/other.rs > src/low/one.rs";
        println!("{there}");
        check(&circle(there, back), &[&format!("{ONE} {way}")]);
    }
    for apart in [
        "pub struct A;",
        "pub struct A; #[cfg(test)] mod tests { use super::super::other::B; }",
        "pub struct A; // use super::other::B;",
        "pub struct A; use super::Noun; use crate::low::nouns;",
    ] {
        check(&circle(apart, back), &[]);
    }
}

#[test]
fn a_circle_through_a_name_that_the_parent_gives_on_is_found() {
    let parent = "mod nouns; mod one; pub use nouns::Noun; pub use one::A;";
    let found = circles_of_files(&graph(&[
        ("src/low/mod.rs", parent),
        ("src/low/nouns.rs", "pub struct Noun; use crate::low::A;"),
        (ONE, "pub struct A; use super::Noun;"),
    ]));
    let way = "2 files use each other: src/low/nouns.rs > src/low/one.rs > src/low/nouns.rs";
    check(&found, &[&format!("src/low/nouns.rs {way}")]);
}

#[test]
fn a_circle_through_what_the_parent_itself_defines_is_found() {
    let user = "pub struct Noun; use super::Plain;";
    let parent = "mod nouns; use nouns::Noun; pub struct Plain;";
    let found = circles_of_files(&graph(&[
        ("src/low/mod.rs", parent),
        ("src/low/nouns.rs", user),
    ]));
    let way = "2 files use each other: src/low/mod.rs > src/low/nouns.rs > src/low/mod.rs";
    check(&found, &[&format!("src/low/mod.rs {way}")]);
    // A parent that only gives names on is on no way.
    check(
        &circles_of_files(&graph(&[("src/low/nouns.rs", user)])),
        &[],
    );
}

#[test]
fn a_circle_round_about_is_told_with_its_shortest_way() {
    let found = circles_of_files(&graph(&[
        (ONE, "pub struct A; use super::two::B;"),
        (
            "src/low/two.rs",
            "pub struct B; use super::three::C; use super::four::D;",
        ),
        ("src/low/three.rs", "pub struct C; use super::one::A;"),
        ("src/low/four.rs", "pub struct D; use super::three::C;"),
        ("src/low/five.rs", "use super::four::D;"),
    ]));
    let way =
        "src/low/four.rs > src/low/three.rs > src/low/one.rs > src/low/two.rs > src/low/four.rs";
    check(
        &found,
        &[&format!("src/low/four.rs 4 files use each other: {way}")],
    );
}

#[test]
fn a_circle_of_scripts_is_found() {
    for there in [
        "import { b } from './parts/b.js';",
        "import {\n  b,\n} from \"./parts/b.js\";",
        "import './parts/b.js';",
        "export { b } from './parts/b.js';",
        "const b = await import('./parts/b.js');",
    ] {
        let scripts = tree(&[
            ("public/a.js", there),
            ("public/parts/b.js", "import { a } from '../a.js';"),
        ]);
        let way = "2 files use each other: public/a.js > public/parts/b.js > public/a.js";
        let expected = format!("public/a.js {way}");
        check(&circles_of_scripts(&scripts), &[expected.as_str()]);
    }
    let comment = tree(&[
        (
            "public/a.js",
            "// import './b.js';\n/**\n * import './b.js';\n */",
        ),
        ("public/b.js", "import './a.js'; import 'elsewhere';"),
    ]);
    check(&circles_of_scripts(&comment), &[]);
}

const HEART: &str = "src/engines/investigation/machine/";

/// What a check finds in one file of the heart.
fn in_heart(check: fn(&Sources) -> Vec<Finding>, file: &str, source: &str) -> usize {
    check(&tree(&[(&format!("{HEART}{file}"), source)])).len()
}

#[test]
fn a_method_of_the_machine_outside_of_its_file_is_found() {
    for source in [
        "impl Investigation { }",
        "impl super::investigation::Investigation { }",
        "impl Ending for Investigation { }",
        "impl<T> From<T> for Investigation { }",
    ] {
        assert_eq!(in_heart(foreign_methods, "calls.rs", source), 1, "{source}");
        assert_eq!(in_heart(foreign_methods, "investigation.rs", source), 0);
    }
    for source in [
        "impl Plan { fn f(&self) -> Investigation { } }",
        "impl From<Investigation> for A { }",
    ] {
        assert_eq!(in_heart(foreign_methods, "calls.rs", source), 0, "{source}");
    }
    let elsewhere = tree(&[("src/run/x.rs", "impl Investigation {}")]);
    assert_eq!(foreign_methods(&elsewhere).len(), 1);
}

#[test]
fn a_field_that_is_open_to_the_room_is_found() {
    for source in [
        "pub struct A { pub(super) b: u8 }",
        "struct A<T> { c: T, pub(crate) b: u8 }",
        "pub struct A(u8, pub(in crate::investigation) u8);",
    ] {
        for file in ["calls.rs", "investigation.rs", "facts/knowledge.rs"] {
            assert_eq!(in_heart(half_open_fields, file, source), 1, "{source}");
        }
    }
    for source in [
        "pub(super) struct A { b: u8, pub c: u8 }",
        "struct A; impl A { pub(super) fn b() {} }",
        "struct A(u8); pub(crate) const B: u8 = 1;",
    ] {
        assert_eq!(
            in_heart(half_open_fields, "calls.rs", source),
            0,
            "{source}"
        );
    }
}

#[test]
fn a_write_of_the_state_outside_of_the_machine_is_found() {
    for source in [
        "fn f() { self.state = State::S1; }",
        "fn f() { machine.state = next; }",
    ] {
        assert_eq!(in_heart(foreign_state_writes, "both_ends/s2.rs", source), 1);
        assert_eq!(
            in_heart(foreign_state_writes, "investigation.rs", source),
            0
        );
    }
    let read = "fn f() { if self.state == State::S1 { let state = self.state; } }";
    assert_eq!(in_heart(foreign_state_writes, "calls.rs", read), 0);
}

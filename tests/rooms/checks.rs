//! What is wrong with a tree of sources, each fault in a sentence.

use std::collections::{BTreeMap, BTreeSet};

use super::circles;
use super::graph::{Arrow, Graph, Sources};
use super::map::{Map, uses};
use super::tokens::{Token, tokens};

/// One fault and the file or folder that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub file: String,
    pub fault: String,
}

impl Finding {
    fn new(file: impl Into<String>, fault: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            fault: fault.into(),
        }
    }
}

/// Where the methods of the machine's struct are, and who writes its state.
const MACHINE: &str = "src/engines/investigation/machine/investigation.rs";
const HEART: &str = "src/engines/investigation/machine/";

/// The room that a file is in: `domain` for `src/domain/name.rs`, and the longest row of the map that
/// begins its path, like `engines/workflow/told`. A file of no row is in the room of its first folder.
/// `None` for what is no file of `src`.
fn room_of<'a>(map: &Map, file: &'a str) -> Option<&'a str> {
    let path = file.strip_prefix("src/")?;
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let rooms = map.rooms.iter().map(|(room, _)| room.as_str());
    let holds = |room: &&str| {
        let rest = path.strip_prefix(room);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let longest = rooms.filter(holds).map(str::len).max();
    let first = path.split('/').next()?.len();
    path.get(..longest.unwrap_or(first))
}

/// `picture` for `src/sandbox/picture/album.rs`, `rules` for `src/sandbox/rules.rs`, `mod.rs` for
/// the file that a room begins with.
fn inner_room_of<'a>(map: &Map, file: &'a str) -> Option<&'a str> {
    let room = room_of(map, file)?;
    let rest = file.strip_prefix("src/")?.strip_prefix(room)?;
    let name = rest.strip_prefix('/')?.split('/').next()?;
    Some(if name == "mod.rs" {
        name
    } else {
        name.strip_suffix(".rs").unwrap_or(name)
    })
}

/// Uses of a room or of an outside crate that the map does not allow.
pub fn against_the_map(map: &Map, graph: &Graph) -> Vec<Finding> {
    let mut found = Vec::new();
    for Arrow {
        from,
        to,
        line,
        is_test,
        ..
    } in graph.arrows()
    {
        let (Some(room), Some(other)) = (room_of(map, &from), room_of(map, &to)) else {
            continue;
        };
        // What holds for every engine is tested with one of them.
        if is_test && other.starts_with("engines") {
            continue;
        }
        let is_allowed = uses(&map.rooms, room).is_some_and(|uses| uses.contains(other));
        if room != other && room != "lib" && !is_allowed {
            found.push(Finding::new(from, format!("line {line} uses {to}")));
        }
    }
    for (file, name) in graph.crates() {
        let room = room_of(map, &file).unwrap_or_default();
        // A room that is a package of its own stands among the others there.
        if room == "lib" && name.starts_with("visual_degrees_") {
            continue;
        }
        if !uses(&map.crates, room).is_some_and(|crates| crates.contains(&name)) {
            found.push(Finding::new(file, format!("uses the crate {name}")));
        }
    }
    found
}

/// Uses of an inner room that its room's table does not allow.
pub fn inside_against_the_map(map: &Map, graph: &Graph) -> Vec<Finding> {
    let mut found = Vec::new();
    for Arrow { from, to, line, .. } in graph.arrows() {
        let table = room_of(map, &from).and_then(|room| map.inside(room));
        let inner = (inner_room_of(map, &from), inner_room_of(map, &to));
        if let (Some(table), (Some(one), Some(other))) = (table, inner)
            && room_of(map, &from) == room_of(map, &to)
            && one != other
            && one != "mod.rs"
            && !uses(table, one).is_some_and(|uses| uses.contains(other))
        {
            found.push(Finding::new(from, format!("line {line} uses {to}")));
        }
    }
    found
}

/// Folders and files of `src` that are no room of the map, and rooms of it that are not there.
pub fn unknown_rooms(map: &Map, files: &BTreeSet<String>) -> Vec<Finding> {
    let there: BTreeSet<&str> = files.iter().filter_map(|file| room_of(map, file)).collect();
    let known: BTreeSet<&str> = map.rooms.iter().map(|(room, _)| room.as_str()).collect();
    differences("src", &there, &known, "lib")
}

/// Finds inner rooms that the map lacks or that are not there, and rooms with folders in them that have no table.
pub fn unknown_inner_rooms(map: &Map, files: &BTreeSet<String>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (room, table) in &map.inner {
        let of_room = files.iter().filter(|file| room_of(map, file) == Some(room));
        let there = of_room
            .filter_map(|file| inner_room_of(map, file))
            .collect();
        let known = table.iter().map(|(inner, _)| inner.as_str()).collect();
        let folder = format!("src/{room}");
        found.extend(differences(&folder, &there, &known, "mod.rs"));
    }
    for (room, _) in map
        .rooms
        .iter()
        .filter(|(room, _)| map.inside(room).is_none())
    {
        let prefix = format!("src/{room}/");
        let of_room = files.iter().filter(|file| room_of(map, file) == Some(room));
        let inner = of_room.filter_map(|file| file.strip_prefix(&prefix));
        // Beside a file there may be a folder with its tests.
        let mut folders = inner.filter_map(|file| Some(file.split_once('/')?.0));
        if let Some(folder) = folders.find(|name| !files.contains(&format!("{prefix}{name}.rs")))
            && !NO_INNER_ROOMS.contains(&room.as_str())
        {
            let fault = format!("has the folder {folder} and no table of its inner rooms");
            found.push(Finding::new(format!("src/{room}"), fault));
        }
    }
    found
}

/// Rooms whose folders are no Rust modules.
const NO_INNER_ROOMS: [&str; 1] = ["launch"];

fn differences(
    folder: &str,
    there: &BTreeSet<&str>,
    known: &BTreeSet<&str>,
    root: &str,
) -> Vec<Finding> {
    let unknown = there.difference(known).filter(|name| **name != root);
    let unknown = unknown.map(|name| (name, "is no room of the map"));
    let missing = known.difference(there).filter(|name| **name != root);
    let missing = missing.map(|name| (name, "is a room of the map and not there"));
    let found = unknown.chain(missing);
    found
        .map(|(name, fault)| Finding::new(format!("{folder}/{name}"), fault))
        .collect()
}

/// The rows of a room's table as its inner rooms are, to be filled in.
pub fn inner_table(map: &Map, graph: &Graph, room: &str) -> String {
    let of_room = |file: &str| room_of(map, file) == Some(room);
    let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Arrow { from, to, .. } in graph.arrows() {
        if let (true, true, Some(one), Some(other)) = (
            of_room(&from),
            of_room(&to),
            inner_room_of(map, &from),
            inner_room_of(map, &to),
        ) {
            rows.entry(other.to_owned()).or_default();
            let row = rows.entry(one.to_owned()).or_default();
            if one != other {
                row.insert(format!("`{other}`"));
            }
        }
    }
    let rows = rows.into_iter().map(|(one, uses)| {
        let uses: Vec<String> = uses.into_iter().collect();
        format!("| `{one}` | ... | {} |\n", uses.join(", "))
    });
    rows.collect()
}

/// The rows of the rooms as they are: what each uses, and its outside crates.
pub fn outer_table(map: &Map, graph: &Graph) -> String {
    let mut rows: BTreeMap<&str, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for (room, _) in &map.rooms {
        rows.entry(room).or_default();
    }
    for Arrow {
        from, to, is_test, ..
    } in graph.arrows()
    {
        if let (Some(room), Some(other)) = (room_of(map, &from), room_of(map, &to))
            && !(is_test && other.starts_with("engines"))
            && room != other
            && let Some((uses, _)) = rows.get_mut(room)
        {
            uses.insert(format!("`{other}`"));
        }
    }
    for (file, name) in graph.crates() {
        if let Some((_, crates)) = room_of(map, &file).and_then(|room| rows.get_mut(room)) {
            crates.insert(format!("`{name}`"));
        }
    }
    let join = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(", ");
    let rows = rows.into_iter().map(|(room, (uses, crates))| {
        format!("| `{room}` | ... | {} | {} |\n", join(uses), join(crates))
    });
    rows.collect()
}

/// Circles of Rust files, their tests left out.
pub fn circles_of_files(graph: &Graph) -> Vec<Finding> {
    let arrows = graph.arrows().into_iter();
    let arrows = arrows.filter(|arrow| arrow.is_item && !arrow.is_test);
    circle_findings(arrows.map(|arrow| (arrow.from, arrow.to)))
}

/// Circles of scripts.
pub fn circles_of_scripts(scripts: &Sources) -> Vec<Finding> {
    circle_findings(circles::script_arrows(scripts))
}

fn circle_findings(arrows: impl IntoIterator<Item = (String, String)>) -> Vec<Finding> {
    let found = circles::circles(arrows).into_iter();
    found
        .map(|circle| {
            let way = circle.way_round.join(" > ");
            let fault = format!("{} files use each other: {way}", circle.files.len());
            Finding::new(circle.way_round[0].clone(), fault)
        })
        .collect()
}

/// `impl Investigation` outside of the machine's file.
pub fn foreign_methods(sources: &Sources) -> Vec<Finding> {
    in_each_file(&without_machine(sources), "src/", |tokens, at| {
        let is_impl = tokens[at].text == "impl";
        let head = tokens[at..].iter().take_while(|token| token.text != "{");
        let last = head.filter(|token| token.is_word()).last();
        let is_machine = is_impl && last.is_some_and(|token| token.text == "Investigation");
        is_machine.then(|| "has methods of the machine's struct".to_owned())
    })
}

/// Fields of the search's machine that others may reach past their owner's methods.
pub fn half_open_fields(sources: &Sources) -> Vec<Finding> {
    in_each_file(sources, HEART, |tokens, at| {
        if tokens[at].text != "struct" {
            return None;
        }
        let open = tokens[at..]
            .iter()
            .position(|token| "{(;".contains(token.text))?;
        let body = &tokens[at + open..closing(tokens, at + open)];
        let mut words = body.windows(3).map(texts);
        let found = words.find(|words| matches!(words, ["pub", "(", "super" | "crate" | "in"]))?;
        Some(format!("has a field that is pub({})", found[2]))
    })
}

/// Writes of the search's state outside of the machine's file.
pub fn foreign_state_writes(sources: &Sources) -> Vec<Finding> {
    in_each_file(&without_machine(sources), HEART, |tokens, at| {
        let words = tokens.get(at..at + 3).map(texts)?;
        (words == [".", "state", "="]).then(|| "writes the state".to_owned())
    })
}

/// Where the bracket that stands at a place is closed; the place itself if none stands there.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_u32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

fn texts<'a>(tokens: &[Token<'a>]) -> [&'a str; 3] {
    [0, 1, 2].map(|at| tokens[at].text)
}

fn without_machine(sources: &Sources) -> Sources {
    let mut others = sources.clone();
    others.remove(MACHINE);
    others
}

/// What a look at each token of each file of a folder finds.
fn in_each_file(
    sources: &Sources,
    folder: &str,
    look: impl Fn(&[Token<'_>], usize) -> Option<String>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let files = sources.iter().filter(|(file, _)| file.starts_with(folder));
    for (file, source) in files {
        let tokens = tokens(source);
        for at in 0..tokens.len() {
            if let Some(fault) = look(&tokens, at) {
                let fault = format!("line {} {fault}", tokens[at].line);
                found.push(Finding::new(file, fault));
            }
        }
    }
    found
}

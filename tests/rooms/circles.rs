//! Circles of files: those that use each other, directly or round about.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::Sources;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Files that all use each other.
#[derive(Debug, PartialEq, Eq)]
pub struct Circle {
    pub files: BTreeSet<String>,
    /// A shortest way from its first file back to that.
    pub way_round: Vec<String>,
}

/// The circles among files that use each other: `(from, to)`.
pub fn circles(arrows: impl IntoIterator<Item = (String, String)>) -> Vec<Circle> {
    let mut edges = Edges::new();
    for (from, to) in arrows {
        edges.entry(from).or_default().insert(to);
    }
    let reached: Edges = edges
        .keys()
        .map(|file| (file.clone(), reachable(&edges, file)))
        .collect();
    let mut found: Vec<Circle> = Vec::new();
    for (file, reach) in &reached {
        if !reach.contains(file) || found.iter().any(|circle| circle.files.contains(file)) {
            continue;
        }
        let leads_back = |other: &&String| reached.get(*other).is_some_and(|r| r.contains(file));
        found.push(Circle {
            files: reach.iter().filter(leads_back).cloned().collect(),
            way_round: shortest_way_round(&edges, file),
        });
    }
    found
}

fn reachable(edges: &Edges, from: &String) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in edges.get(file).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

fn shortest_way_round(edges: &Edges, from: &String) -> Vec<String> {
    let mut came_from: BTreeMap<&String, &String> = BTreeMap::new();
    let mut open = VecDeque::from([from]);
    while let Some(file) = open.pop_front() {
        for next in edges.get(file).into_iter().flatten() {
            if next == from {
                let before = |file: &&String| came_from.get(*file).copied();
                let back = std::iter::successors(Some(file), before);
                let mut way: Vec<String> = back.cloned().collect();
                way.reverse();
                way.push(from.clone());
                return way;
            }
            if !came_from.contains_key(next) {
                came_from.insert(next, file);
                open.push_back(next);
            }
        }
    }
    Vec::new()
}

/// Which script imports which: `import ... from './x.js'`, `export ... from`, `import('./x.js')`.
pub fn script_arrows(scripts: &Sources) -> Vec<(String, String)> {
    let mut arrows = Vec::new();
    for (file, source) in scripts {
        let code = without_comments(source);
        for word in ["from", "import"] {
            for (at, _) in code.match_indices(word) {
                let is_part = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let address = code[at + word.len()..].trim_start_matches([' ', '\n', '(']);
                if let Some(address) = quoted(address).filter(|_| !is_part) {
                    arrows.extend(address_of(file, address).map(|to| (file.clone(), to)));
                }
            }
        }
    }
    arrows
}

fn without_comments(source: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with(['/', '*']);
    let lines: Vec<&str> = source.lines().filter(is_code).collect();
    lines.join("\n")
}

fn quoted(text: &str) -> Option<&str> {
    let quote = text
        .chars()
        .next()
        .filter(|c| ['\'', '"', '`'].contains(c))?;
    text[1..].split(quote).next()
}

/// The file that a relative address in a file leads to.
fn address_of(file: &str, address: &str) -> Option<String> {
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    if !address.starts_with('.') {
        return None;
    }
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

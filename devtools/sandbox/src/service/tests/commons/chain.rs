//! Tests that Commons alone suffices to find the chain of the built-in world's example, within the limits of a run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;

/// The default limits of a run: searches, recognitions, and results examined per search. Photos seen before do not
/// count as examined. They come first in every further search, because all queries have the same order of results.
const SEARCHES_MAX: usize = 20;
const RECOGNITIONS_MAX: usize = 100;
const IMAGES: usize = 5;

/// Explores the world from both ends in turn. At each end, it begins with the people seen most often.
#[derive(Default)]
struct Explorer {
    seen: BTreeSet<usize>,
    beside: BTreeMap<usize, Vec<usize>>,
    searches: usize,
}

impl Explorer {
    fn search(&mut self, sandbox: &mut Sandbox, query: &str) {
        self.searches += 1;
        let found = photos(sandbox, query).into_iter();
        let unseen: Vec<usize> = found.filter(|photo| !self.seen.contains(photo)).collect();
        for photo in unseen.into_iter().take(IMAGES) {
            self.seen.insert(photo);
            let faces = sandbox.world().recognise(photo, Rules::default());
            let known: Vec<usize> = faces
                .iter()
                .filter(|face| !face.missed && face.match_confidence >= 80.0)
                .map(|face| face.person)
                .collect();
            for one in &known {
                let others = known.iter().filter(|other| *other != one);
                self.beside.entry(*one).or_default().extend(others);
            }
        }
    }

    /// Returns everybody whom the recognised photos connect with a person.
    fn reached(&self, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([from]);
        let mut open = VecDeque::from([from]);
        while let Some(person) = open.pop_front() {
            for other in self.beside.get(&person).into_iter().flatten() {
                if reached.insert(*other) {
                    open.push_back(*other);
                }
            }
        }
        reached
    }
}

#[test]
fn the_example_can_be_connected_within_the_budgets() {
    let world = crate::own_world().unwrap();
    let ends = world.example_pair().unwrap();
    let mut sandbox = Sandbox::new(world, SandboxOptions::default());
    let name = |sandbox: &Sandbox, person: usize| sandbox.world().people[person].name.clone();
    let mut explorer = Explorer::default();
    let mut asked = BTreeSet::new();
    while explorer.searches < SEARCHES_MAX && !explorer.reached(ends.from).contains(&ends.to) {
        let end = if explorer.searches % 2 == 0 {
            ends.from
        } else {
            ends.to
        };
        let count = |person: &usize| explorer.beside.get(person).map_or(0, Vec::len);
        let next = explorer
            .reached(end)
            .into_iter()
            .filter(|person| !asked.contains(person))
            .max_by_key(|person| (*person == end, count(person)));
        let Some(person) = next else { break };
        asked.insert(person);
        let query = format!("\"{}\" filetype:bitmap", name(&sandbox, person));
        explorer.search(&mut sandbox, &query);
    }
    assert!(
        explorer.reached(ends.from).contains(&ends.to),
        "{} searches",
        explorer.searches
    );
    assert!(explorer.seen.len() <= RECOGNITIONS_MAX);
}

//! The bands of the picture: where each room of the map stands, by what it may use.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::rooms::map::Map;

/// The rooms that divide the map: where a request comes in, the registry, the contract.
pub const ENTRY: &str = "edge";
pub const REGISTRY: &str = "engines";
pub const CONTRACT: &str = "engine";

/// An engine with the rooms inside it.
#[derive(Debug, PartialEq, Eq)]
pub struct Wing<'a> {
    pub room: &'a str,
    /// Users first.
    pub inner: Vec<&'a str>,
    /// The other engines that it may use.
    pub others: Vec<&'a str>,
}

/// All rooms of a map, each once. In a band, a room stands before those that it may use.
pub struct Bands<'a> {
    pub entry: Vec<&'a str>,
    /// What the entry may use, and no engine, nor the registry.
    pub conducting: Vec<&'a str>,
    /// The registry, and what it may use, and no engine.
    pub registry: Vec<&'a str>,
    /// The engines in the order of the map.
    pub wings: Vec<Wing<'a>>,
    /// The contract, and what an engine may use that the contract does not.
    pub contract: Vec<&'a str>,
    /// All that the contract stands on.
    pub foundation: Vec<&'a str>,
    /// What the entry does not use, even through others.
    pub beside: Vec<&'a str>,
    standing: Standing<'a>,
}

impl<'a> Bands<'a> {
    /// Sorts the rooms of a map into bands.
    pub fn of(map: &'a Map) -> Self {
        let standing = Standing::of(map);
        let wings: BTreeSet<&str> = standing.rooms().filter(|room| is_wing(room)).collect();
        let mut placed = BTreeSet::from([ENTRY, REGISTRY, CONTRACT]);
        placed.extend(&wings);
        let mut place = |below: &mut dyn Iterator<Item = &'a str>| {
            let new: BTreeSet<&str> = below.filter(|room| placed.insert(room)).collect();
            new
        };
        let foundation = place(&mut standing.below(CONTRACT).into_iter());
        let of_wings = wings.iter().flat_map(|wing| standing.below(wing));
        let mut contract = place(&mut of_wings.collect::<Vec<_>>().into_iter());
        let mut registry = place(&mut standing.below(REGISTRY).into_iter());
        let conducting = place(&mut standing.below(ENTRY).into_iter());
        let beside = place(&mut standing.rooms());
        contract.insert(CONTRACT);
        registry.insert(REGISTRY);
        let here = |band: BTreeSet<&'a str>| standing.sorted(map, &band);
        Self {
            entry: here(BTreeSet::from([ENTRY])),
            conducting: here(conducting),
            registry: here(registry),
            wings: wings_of(map),
            contract: here(contract),
            foundation: here(foundation),
            beside: standing.chained(here(beside)),
            standing,
        }
    }

    /// Returns whether one of some rooms may use one of others; an engine is one room.
    pub fn may_use(&self, users: &[&str], used: &[&str]) -> bool {
        let mut all = users.iter().flat_map(|user| self.standing.used_by(user));
        all.any(|room| used.contains(&room))
    }
}

/// Returns the engine that a room is in, or the room itself: `engines/workflow` for
/// `engines/workflow/told`.
pub fn outermost(room: &str) -> &str {
    let mut slashes = room.match_indices('/').skip(1);
    slashes.next().map_or(room, |(at, _)| &room[..at])
}

fn is_wing(room: &str) -> bool {
    room.starts_with("engines/")
}

fn wings_of(map: &Map) -> Vec<Wing<'_>> {
    let mut wings: Vec<Wing> = Vec::new();
    let inside = Standing::from(uses(map, |room| room));
    let rooms = map.rooms.iter().map(|(room, _)| room.as_str());
    for room in rooms.filter(|room| is_wing(room)).map(outermost) {
        if wings.iter().any(|wing| wing.room == room) {
            continue;
        }
        let own = |other: &&str| outermost(other) == room;
        let inner: BTreeSet<&str> = inside.rooms().filter(own).collect();
        let used = inner.iter().flat_map(|room| inside.used_by(room));
        let others = used
            .map(outermost)
            .filter(|other| is_wing(other) && *other != room);
        wings.push(Wing {
            room,
            others: others.collect::<BTreeSet<_>>().into_iter().collect(),
            inner: inside.sorted(
                map,
                &inner.into_iter().filter(|inner| *inner != room).collect(),
            ),
        });
    }
    wings
}

/// What each room may use, each room taken for another one.
fn uses(map: &Map, taken: fn(&str) -> &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (room, used) in &map.rooms {
        let room = taken(room);
        let others = used.iter().map(|other| taken(other));
        let others = others.filter(|other| *other != room);
        uses.entry(room).or_default().extend(others);
    }
    uses
}

/// How high each room stands: above all that it may use.
struct Standing<'a> {
    uses: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// How many uses the longest way down has.
    heights: BTreeMap<&'a str, usize>,
}

impl<'a> Standing<'a> {
    /// Each engine as one room; engines stand side by side, whatever one uses of another.
    fn of(map: &'a Map) -> Self {
        let mut uses = uses(map, outermost);
        for (_, used) in uses.iter_mut().filter(|(room, _)| is_wing(room)) {
            used.retain(|used| !is_wing(used));
        }
        Self::from(uses)
    }

    fn from(uses: BTreeMap<&'a str, BTreeSet<&'a str>>) -> Self {
        let mut heights: BTreeMap<&str, usize> = uses.keys().map(|room| (*room, 0)).collect();
        // No way is longer than there are rooms; a map with a circle ends here too.
        for _ in 0..uses.len() {
            for (room, used) in &uses {
                let below = used.iter().filter_map(|used| heights.get(used)).max();
                let height = below.map_or(0, |below| (below + 1).min(uses.len()));
                heights.insert(room, height);
            }
        }
        Self { uses, heights }
    }

    fn rooms(&self) -> impl Iterator<Item = &'a str> + use<'_, 'a> {
        self.uses.keys().copied()
    }

    fn used_by(&self, room: &str) -> impl Iterator<Item = &'a str> + use<'_, 'a> {
        self.uses.get(room).into_iter().flatten().copied()
    }

    /// All that a room uses, even through others.
    fn below(&self, room: &str) -> BTreeSet<&'a str> {
        let mut below = BTreeSet::new();
        let mut next: Vec<&str> = self.used_by(room).collect();
        while let Some(room) = next.pop() {
            if below.insert(room) {
                next.extend(self.used_by(room));
            }
        }
        below
    }

    /// The highest first; the most used of one height last; then in the order of the map.
    fn sorted(&self, map: &'a Map, band: &BTreeSet<&'a str>) -> Vec<&'a str> {
        let rooms = map.rooms.iter().map(|(room, _)| room.as_str());
        let mut rooms: Vec<&str> = rooms.filter(|room| band.contains(room)).collect();
        let users = |room: &str| {
            self.uses
                .values()
                .filter(|used| used.contains(room))
                .count()
        };
        rooms.sort_by_key(|room| (Reverse(self.heights.get(room).copied()), users(room)));
        rooms
    }

    /// Each room right before one that it uses, as far as can be, and before all that it uses.
    fn chained(&self, mut rooms: Vec<&'a str>) -> Vec<&'a str> {
        let mut chain: Vec<&str> = Vec::new();
        while !rooms.is_empty() {
            let is_free = |room: &&str| {
                !rooms
                    .iter()
                    .any(|user| self.used_by(user).any(|used| used == *room))
            };
            let used: BTreeSet<&str> = chain
                .last()
                .into_iter()
                .flat_map(|last| self.used_by(last))
                .collect();
            let mut free = rooms.iter().copied().filter(is_free);
            let first = free.clone().next();
            let next = free
                .find(|room| used.contains(room))
                .or(first)
                .unwrap_or(rooms[0]);
            rooms.retain(|room| *room != next);
            chain.push(next);
        }
        chain
    }
}

#[test]
fn a_room_stands_where_its_uses_put_it() {
    let map = Map::read(
        "## The rooms\n\
         | `base` | | nothing |\n\
         | `words` | | `base` |\n\
         | `numbers` | | `base` |\n\
         | `engine` | | `words`, `numbers` |\n\
         | `journal` | | `engine`, `words` |\n\
         | `engines` | | `engines/one/stored`, `engines/two/stored`, `journal` |\n\
         | `engines/one/machine` | | `words` |\n\
         | `engines/one/stored` | | `engine`, `engines/one/machine` |\n\
         | `engines/two` | | nothing |\n\
         | `engines/two/stored` | | `engine`, `engines/one/stored`, `tools` |\n\
         | `tools` | | `base` |\n\
         | `run` | | `engines` |\n\
         | `edge` | | `run` |\n\
         | `world` | | nothing |\n\
         | `lone` | | `words` |\n\
         | `program` | | `run`, `world` |\n",
    );
    let bands = Bands::of(&map);
    assert_eq!(bands.entry, ["edge"]);
    assert_eq!(bands.conducting, ["run"]);
    assert_eq!(bands.registry, ["engines", "journal"]);
    let wing = |room, inner: &[&'static str], others: &[&'static str]| Wing {
        room,
        inner: inner.to_vec(),
        others: others.to_vec(),
    };
    let one = ["engines/one/stored", "engines/one/machine"];
    let two = wing("engines/two", &["engines/two/stored"], &["engines/one"]);
    assert_eq!(bands.wings, [wing("engines/one", &one, &[]), two]);
    assert_eq!(bands.contract, ["engine", "tools"]);
    // The most used of one height is the last.
    assert_eq!(bands.foundation, ["numbers", "words", "base"]);
    assert_eq!(bands.beside, ["program", "world", "lone"]);
    assert!(bands.may_use(&["engines"], &["engines/two"]));
    assert!(!bands.may_use(&bands.entry, &bands.registry));
}

#[test]
fn a_circle_of_the_map_ends() {
    let map = Map::read(
        "## The rooms\n\
         | `one` | | `two` |\n\
         | `two` | | `one` |\n",
    );
    let bands = Bands::of(&map);
    assert_eq!(bands.beside, ["one", "two"]);
}

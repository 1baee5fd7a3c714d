//! Examples: pairs of people worth trying first.

use crate::name_folding;

use super::definition::World;
use super::distance::ConnectedPair;
use super::rules::Rules;

/// The most people tried as the start of an example.
const EXAMPLE_SOURCES_MAX: usize = 2_000;
/// The number of further people tried as the start after an ideal example is found. Their examples may be ideal as
/// well, and have people in more photos.
const EXAMPLE_IMPROVEMENTS_MAX: usize = 24;
/// The number of examples besides the first one.
const MORE_EXAMPLES: usize = 5;
/// The preferred number of hops of an example, which is enough to be interesting and few enough to be quick.
const EXAMPLE_HOPS: usize = 3;

impl World {
    /// Returns two names worth trying first. The people are exactly three hops apart, also as the recogniser sees them;
    /// both are in many photos and have unique names. Without such a pair, returns the connected people who are
    /// farthest apart. If the world's file recommends a pair, returns that one.
    #[must_use]
    pub fn example(&self) -> Option<(String, String)> {
        let pair = self.example_pair()?;
        let name = |person: usize| self.people.get(person).map(|person| person.name.clone());
        Some((name(pair.from)?, name(pair.to)?))
    }

    /// Returns more pairs worth trying, in which nobody of the first example occurs.
    #[must_use]
    pub fn more_examples(&self) -> Vec<(String, String)> {
        let first = self.example_pair();
        let mut left = self.by_photo_count();
        left.retain(|person| {
            first
                .as_ref()
                .is_none_or(|pair| *person != pair.from && *person != pair.to)
        });
        left.truncate(EXAMPLE_SOURCES_MAX);
        let mut pairs = Vec::new();
        let mut sources = left.clone().into_iter();
        while pairs.len() < MORE_EXAMPLES {
            let Some(from) = sources.next() else { break };
            if !left.contains(&from) {
                continue;
            }
            let Some((_, pair)) = self.best_partner(from, &left) else {
                continue;
            };
            left.retain(|person| *person != pair.from && *person != pair.to);
            let name = |person: usize| self.people.get(person).map(|person| person.name.clone());
            pairs.extend(name(pair.from).zip(name(pair.to)));
        }
        pairs
    }

    /// Returns the pair behind [`World::example`].
    #[must_use]
    pub fn example_pair(&self) -> Option<ConnectedPair> {
        if let Some([from, to]) = self.recommended() {
            let hops = self.shortest(from, to)?;
            return Some(ConnectedPair { from, to, hops });
        }
        let sources = self.by_photo_count();
        let mut best: Option<(Merit, ConnectedPair)> = None;
        let mut improvements = 0;
        for from in sources.iter().take(EXAMPLE_SOURCES_MAX) {
            let candidate = self.best_partner(*from, &sources);
            if let Some((merit, pair)) = candidate
                && best.as_ref().is_none_or(|(known, _)| merit > *known)
            {
                best = Some((merit, pair));
            }
            if best.as_ref().is_some_and(|(merit, _)| merit.ideal()) {
                improvements += 1;
                if improvements > EXAMPLE_IMPROVEMENTS_MAX {
                    break;
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// Returns everybody who is in a photo and has a unique name, those in most photos first.
    fn by_photo_count(&self) -> Vec<usize> {
        let mut people: Vec<usize> = (0..self.people.len())
            .filter(|person| {
                !self.photos_of(*person).is_empty()
                    && self.people.get(*person).is_some_and(|found| {
                        self.index().bearers(&name_folding::words(&found.name)) == [*person]
                    })
            })
            .collect();
        people.sort_by_key(|person| (std::cmp::Reverse(self.photos_of(*person).len()), *person));
        people
    }

    fn best_partner(&self, from: usize, sources: &[usize]) -> Option<(Merit, ConnectedPair)> {
        let hops = self.hops_from(from, None);
        let seen = self.hops_from(from, Some(Rules::default()));
        let mut best: Option<(Merit, ConnectedPair)> = None;
        for to in sources.iter().copied().filter(|to| *to != from) {
            let Some(distance) = hops.get(to).copied().flatten() else {
                continue;
            };
            let proven = seen.get(to).copied().flatten() == Some(distance);
            let photos = self.photos_of(from).len().min(self.photos_of(to).len());
            let merit = Merit::new(distance, proven, photos);
            if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                best = Some((
                    merit,
                    ConnectedPair {
                        from,
                        to,
                        hops: distance,
                    },
                ));
            }
        }
        best
    }
}

/// The merits of an example, the most important one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    wanted: bool,
    /// The merit of the distance. All pairs at the preferred distance are equal; for all others, more hops are better.
    hops: usize,
    proven: bool,
    photos: usize,
}

impl Merit {
    fn new(hops: usize, proven: bool, photos: usize) -> Self {
        Self {
            wanted: hops == EXAMPLE_HOPS,
            hops,
            proven,
            photos,
        }
    }

    fn ideal(self) -> bool {
        self.wanted && self.proven
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(photos: &str) -> World {
        let json = format!(r#"{{"name":"n","source":"s","license":"l","photos":{photos}}}"#);
        World::parse(&json).unwrap()
    }

    #[test]
    fn the_example_is_three_hops_apart() {
        let world = world(
            r#"[["A","B"],["A","B"],["B","C"],["B","C"],["C","D"],["C","D"],["D","E"],["Lone"]]"#,
        );
        let pair = world.example_pair().unwrap();
        assert_eq!(pair.hops, 3);
        assert_eq!(world.shortest(pair.from, pair.to), Some(3));
    }

    #[test]
    fn without_three_hops_the_farthest_pair_is_taken() {
        let world = world(r#"[["A","B"],["B","C"],["X","Y"]]"#);
        assert_eq!(world.example_pair().map(|pair| pair.hops), Some(2));
        let (from, to) = world.example().unwrap();
        assert_eq!([from.as_str(), to.as_str()], ["A", "C"]);
    }

    #[test]
    fn further_examples_are_of_other_people() {
        let world = world(r#"[["A","B"],["B","C"],["C","D"],["E","F"],["F","G"],["H"]]"#);
        assert_eq!(world.example(), Some(("A".into(), "D".into())));
        // Each further pair consists of the person in most photos and the person farthest from there. People in earlier
        // examples are left out.
        let more: Vec<String> = world
            .more_examples()
            .iter()
            .map(|(a, b)| format!("{a}{b}"))
            .collect();
        assert_eq!(more, ["BC", "FE"]);
    }

    #[test]
    fn a_world_without_a_pair_has_no_example() {
        assert_eq!(world(r#"[["A"],["B"],[]]"#).example(), None);
        assert_eq!(world("[]").example(), None);
    }
}

//! How far apart two people of a world are: the measure that a found chain is held against.

use super::fold;
use super::rules::Rules;
use super::world::World;

/// Two people and the hops between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One end: an index into [`World::people`].
    pub from: usize,
    /// The other end.
    pub to: usize,
    /// The fewest photos that connect them.
    pub hops: usize,
}

/// Past this many starting points the search for an example takes what it has.
const EXAMPLE_SOURCES_MAX: usize = 2_000;
/// How many more starting points may improve on the first example found.
const EXAMPLE_IMPROVEMENTS_MAX: usize = 24;
/// What an example's hops should be: more than a trick, less than a wait.
const EXAMPLE_HOPS: usize = 3;

impl World {
    /// The fewest hops between two people; `None` where no chain of photos connects them.
    #[must_use]
    pub fn shortest(&self, from: usize, to: usize) -> Option<usize> {
        self.hops_from(from, None).get(to).copied().flatten()
    }

    /// The fewest hops that the recogniser can prove: photos count only for the faces it sees, at
    /// 80 or more.
    #[must_use]
    pub fn shortest_seen(&self, from: usize, to: usize, rules: Rules) -> Option<usize> {
        self.hops_from(from, Some(rules)).get(to).copied().flatten()
    }

    /// The hops from one person to everybody, breadth first; each photo is opened once.
    #[must_use]
    pub fn hops_from(&self, from: usize, seen_by: Option<Rules>) -> Vec<Option<usize>> {
        let mut hops: Vec<Option<usize>> = vec![None; self.people.len()];
        let Some(start) = hops.get_mut(from) else {
            return hops;
        };
        *start = Some(0);
        let mut opened = vec![false; self.photos.len()];
        let mut ring = vec![from];
        let mut distance = 0;
        while !ring.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for person in ring {
                for photo in self.photos_of(person) {
                    if !self.shows(*photo, person, seen_by) {
                        continue;
                    }
                    // Opened only now: a photo that misses this person may still show another.
                    match opened.get_mut(*photo) {
                        Some(open) if !*open => *open = true,
                        _ => continue,
                    }
                    for other in self.people_in(*photo) {
                        if let Some(unset @ None) = hops.get_mut(*other)
                            && self.shows(*photo, *other, seen_by)
                        {
                            *unset = Some(distance);
                            next.push(*other);
                        }
                    }
                }
            }
            ring = next;
        }
        hops
    }

    fn shows(&self, photo: usize, person: usize, seen_by: Option<Rules>) -> bool {
        seen_by.is_none_or(|rules| {
            self.see(photo, person, rules).is_some_and(|seen| {
                let is_right = seen.person == seen.is_really && !seen.missed;
                is_right && seen.match_confidence >= 80.0
            })
        })
    }

    /// Two names worth trying first: exactly three hops apart, also for the recogniser's eyes, both
    /// in many photos, both names unique. Where no pair is at three, the farthest connected one.
    /// A pair that the world's file recommends comes before all that.
    #[must_use]
    pub fn example(&self) -> Option<(String, String)> {
        let pair = self.example_pair()?;
        let name = |person: usize| self.people.get(person).map(|person| person.name.clone());
        Some((name(pair.from)?, name(pair.to)?))
    }

    /// The pair behind [`World::example`].
    #[must_use]
    pub fn example_pair(&self) -> Option<Pair> {
        if let Some([from, to]) = self.own_example {
            let hops = self.shortest(from, to)?;
            return Some(Pair { from, to, hops });
        }
        let sources = self.by_renown();
        let mut best: Option<(Merit, Pair)> = None;
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

    /// Everybody with photos and a name of their own, those in most photos first.
    fn by_renown(&self) -> Vec<usize> {
        let mut people: Vec<usize> = (0..self.people.len())
            .filter(|person| {
                !self.photos_of(*person).is_empty()
                    && self.people.get(*person).is_some_and(|found| {
                        self.index.bearers(&fold::words(&found.name)) == [*person]
                    })
            })
            .collect();
        people.sort_by_key(|person| (std::cmp::Reverse(self.photos_of(*person).len()), *person));
        people
    }

    fn best_partner(&self, from: usize, sources: &[usize]) -> Option<(Merit, Pair)> {
        let hops = self.hops_from(from, None);
        let seen = self.hops_from(from, Some(Rules::default()));
        let mut best: Option<(Merit, Pair)> = None;
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
                    Pair {
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

/// What makes an example good, in order of weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    wanted: bool,
    /// Beyond the wanted distance: the farther the better. The same for all at that distance.
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
    fn hops_are_counted_in_photos() {
        let world = world(r#"[["A","B"],["B","C"],["C","D"],["X","Y"],["Z"],[]]"#);
        let number = |name: &str| world.bearers(name)[0];
        let check = |from: &str, to: &str, expect: Option<usize>| {
            assert_eq!(
                world.shortest(number(from), number(to)),
                expect,
                "{from} to {to}"
            );
        };
        check("A", "A", Some(0));
        check("A", "B", Some(1));
        check("A", "D", Some(3));
        check("D", "A", Some(3));
        check("A", "X", None);
        check("A", "Z", None);
        assert_eq!(world.shortest(99, 0), None);
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
    fn a_world_without_a_pair_has_no_example() {
        assert_eq!(world(r#"[["A"],["B"],[]]"#).example(), None);
        assert_eq!(world("[]").example(), None);
    }

    #[test]
    fn what_the_recogniser_can_prove_is_never_nearer() {
        let world = World::generate(11, 40, 90);
        for from in 0..world.people.len() {
            let real = world.hops_from(from, None);
            let seen = world.hops_from(from, Some(Rules::default()));
            for (real, seen) in real.into_iter().zip(seen) {
                assert!(seen.is_none() || (real.is_some() && seen >= real));
            }
        }
    }
}

//! The true distance between two people of a world, which tests compare with the length of found chains.

use super::definition::World;
use super::rules::Rules;

/// Two people, and the number of hops between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectedPair {
    /// The person at one end, as an index into [`World::people`].
    pub from: usize,
    /// The person at the other end, as an index into [`World::people`].
    pub to: usize,
    /// The fewest photos that connect the two people.
    pub hops: usize,
}

impl World {
    /// Returns the fewest hops between two people, or `None` if no photos connect them.
    #[must_use]
    pub fn shortest(&self, from: usize, to: usize) -> Option<usize> {
        self.hops_from(from, None).get(to).copied().flatten()
    }

    /// Returns the fewest hops that the recogniser can prove. A face in a photo only counts if it is recognised with a
    /// confidence of 80 or more.
    #[must_use]
    pub fn shortest_seen(&self, from: usize, to: usize, rules: Rules) -> Option<usize> {
        self.hops_from(from, Some(rules)).get(to).copied().flatten()
    }

    /// Returns the number of hops from one person to each person, or `None` if no photos connect the two. With
    /// `seen_by`, a face only counts if the recogniser names the right person with a confidence of 80 or more. The
    /// breadth-first search opens each photo once.
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
                    // A photo in which this person is not recognised stays closed, so that somebody else in it can open
                    // it later.
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
                let is_right = seen.person == seen.owner && !seen.missed;
                is_right && seen.match_confidence >= 80.0
            })
        })
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

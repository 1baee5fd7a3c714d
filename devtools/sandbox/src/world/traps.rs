//! Traps: photos that are collages of people who never met, and faces that are mistaken for somebody else's. Both
//! follow from the rules, so that the world file still says who really met.

use std::collections::BTreeSet;

use crate::hash::{below, hash, unit};

use super::definition::World;
use super::rules::Rules;

/// The most photos tried as the other half of a collage. In a world of a single circle, perhaps no photo fits.
const TRIES: usize = 24;
/// The lowest confidence in a mistaken face, in percent, and the most that is added to it.
const LOOKALIKE_CONFIDENCE: (f64, f64) = (80.0, 15.0);

/// A face mistaken for somebody else's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lookalike {
    /// The person for whom the recogniser takes the face.
    pub(super) person: usize,
    /// The confidence of the recogniser, in percent.
    pub(super) match_confidence: f64,
}

impl World {
    /// Returns the photo with which this one is combined in a collage, or `None` if this one is genuine. Nobody in one
    /// of the two was ever in a photo with anybody in the other.
    ///
    /// A search only finds a collage by the people of this photo, so those of the other one are unexpected.
    #[must_use]
    pub fn trap_in(&self, photo: usize, rules: Rules) -> Option<usize> {
        let own = self.people_in(photo);
        let draw = |what: &str, attempt: usize| hash(&[what.into(), photo.into(), attempt.into()]);
        if rules.traps <= 0.0 || own.is_empty() || unit(draw("trap", 0)) >= rules.traps {
            return None;
        }
        let met = self.met_by(own);
        (0..TRIES)
            .map(|attempt| below(draw("trap with", attempt), self.photos.len()))
            .find(|other| {
                let people = self.people_in(*other);
                !people.is_empty() && people.iter().all(|person| !met.contains(person))
            })
    }

    /// Returns everybody whom a picture shows: the people of the photo, then those of the other half of a collage.
    #[must_use]
    pub fn people_shown(&self, photo: usize, rules: Rules) -> Vec<usize> {
        let trap = self.trap_in(photo, rules);
        let other = trap.map_or(&[][..], |other| self.people_in(other));
        self.people_in(photo).iter().chain(other).copied().collect()
    }

    /// Returns these people and everybody in a photo with one of them.
    fn met_by(&self, people: &[usize]) -> BTreeSet<usize> {
        let photos = people.iter().flat_map(|person| self.photos_of(*person));
        let met = photos.flat_map(|photo| self.people_in(*photo)).copied();
        met.chain(people.iter().copied()).collect()
    }

    /// Returns the person for whom the recogniser mistakes this face, or `None` if the face is not mistaken.
    pub(super) fn lookalike(&self, photo: usize, person: usize, rules: Rules) -> Option<Lookalike> {
        let key = self.people.get(person)?.key.as_str();
        let draw = |what: &str| hash(&[what.into(), photo.into(), key.into()]);
        if unit(draw("lookalike")) >= rules.lookalikes {
            return None;
        }
        let others = self.people.len().checked_sub(1)?;
        let other = below(draw("lookalike of"), others);
        let (least, more) = LOOKALIKE_CONFIDENCE;
        (others > 0).then(|| Lookalike {
            person: if other < person { other } else { other + 1 },
            match_confidence: least + more * unit(draw("lookalike confidence")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        World::generate(5, 150, 3_000)
    }

    fn rules(traps: f64, lookalikes: f64) -> Rules {
        Rules {
            miss: 0.0,
            traps,
            lookalikes,
            ..Rules::default()
        }
    }

    #[test]
    fn a_collage_brings_only_people_together_who_never_met() {
        let world = world();
        let rules = rules(0.2, 0.0);
        let mut traps = 0;
        for photo in 0..world.photos.len() {
            let Some(other) = world.trap_in(photo, rules) else {
                assert_eq!(world.people_shown(photo, rules), world.people_in(photo));
                continue;
            };
            traps += 1;
            assert!(!world.people_in(other).is_empty());
            for one in world.people_in(photo) {
                for two in world.people_in(other) {
                    let photos = world.photos_of(*one).iter();
                    let together = photos.filter(|photo| world.people_in(**photo).contains(two));
                    assert_eq!(together.count(), 0, "{photo} with {other}");
                }
            }
            let shown = [world.people_in(photo), world.people_in(other)].concat();
            assert_eq!(world.people_shown(photo, rules), shown);
            let seen = world.recognise(photo, rules).into_iter();
            assert_eq!(seen.map(|seen| seen.person).collect::<Vec<_>>(), shown);
        }
        assert!((300..=700).contains(&traps), "{traps} of 3,000");
    }

    #[test]
    fn lookalikes_come_at_the_given_rate_and_are_somebody_else() {
        let world = world();
        let rules = rules(0.0, 0.1);
        let photos = 0..world.photos.len();
        let seen: Vec<_> = photos
            .flat_map(|photo| world.recognise(photo, rules))
            .collect();
        let mistaken = seen.iter().filter(|seen| seen.person != seen.owner);
        let sure = |confidence: f64| (80.0..=95.0).contains(&confidence);
        assert!(mistaken.clone().all(|seen| sure(seen.match_confidence)));
        let share = mistaken.count() as f64 / seen.len() as f64;
        assert!((0.08..0.12).contains(&share), "{share}");
    }

    #[test]
    fn without_traps_a_world_is_as_it_was() {
        let world = world();
        for photo in 0..world.photos.len() {
            assert_eq!(world.trap_in(photo, Rules::default()), None);
            let seen = world.recognise(photo, Rules::default());
            assert!(seen.iter().all(|seen| seen.person == seen.owner));
        }
    }
}

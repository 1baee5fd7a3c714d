//! Traps: photos that show people together who never met, and faces that are mistaken for somebody else's. Both follow
//! from the rules, so that the world file still says who really met.

use std::collections::BTreeSet;

use crate::hash::{below, hash, unit};

use super::definition::World;
use super::rules::Rules;

/// The most photos tried as the other photo of a trap. In a world of a single circle, perhaps no photo fits.
const TRIES: usize = 24;
/// The lowest confidence in a mistaken face, in percent, and the most that is added to it.
const LOOKALIKE_CONFIDENCE: (f64, f64) = (80.0, 15.0);

/// How a photo shows people together who never met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrapKind {
    /// Two photos, put together. The pixels show it.
    Collage,
    /// One scene with the people of two photos. Its file says that it was generated.
    Generated,
    /// One scene with the people of two photos. The words beside it say that they are wax figures, lookalikes or
    /// montages.
    Wax,
    /// One scene with the people of two photos that have one person in common, who is in it twice.
    Twice {
        /// The person whom both photos show, as an index into [`World::people`].
        person: usize,
    },
}

/// A photo that is combined with another one. Nobody who is in one of the two alone was ever in a photo with anybody
/// who is in the other one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trap {
    /// How the two photos are combined.
    pub kind: TrapKind,
    /// The other photo.
    pub other: usize,
}

/// The words beside a trap of the kind [`TrapKind::Wax`], as each place has them. Any one of them tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TellingWords {
    /// The end of a title, after the names.
    pub title: &'static str,
    /// A category of Commons.
    pub category: &'static str,
    /// The beginning of a description, before the names.
    pub description: &'static str,
}

/// The words of all traps. They tell of no event: where somebody arrives, their wax figure may stand beside them.
const TELLING_WORDS: [TellingWords; 6] = [
    TellingWords {
        title: "at Madame Tussauds, London",
        category: "Madame Tussauds London",
        description: "Wax figures at Madame Tussauds in London:",
    },
    TellingWords {
        title: "as wax figures",
        category: "Wax figures in the United Kingdom",
        description: "Waxworks of",
    },
    TellingWords {
        title: "at a lookalike contest",
        category: "Celebrity impersonators",
        description: "Lookalikes of",
    },
    TellingWords {
        title: "in a photomontage",
        category: "Photomontages",
        description: "A montage of two photographs:",
    },
    TellingWords {
        title: "im Wachsfigurenkabinett",
        category: "Wax museums in Germany",
        description: "Wachsfiguren von",
    },
    TellingWords {
        title: "(photoshopped)",
        category: "Photo collages",
        description: "A composite of several photos:",
    },
];

/// A face mistaken for somebody else's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lookalike {
    /// The person for whom the recogniser takes the face.
    pub(super) person: usize,
    /// The confidence of the recogniser, in percent.
    pub(super) match_confidence: f64,
}

impl World {
    /// Returns how this photo is combined with another one, or `None` if it is genuine.
    ///
    /// A search only finds a trap by the people of this photo, so those of the other one are unexpected.
    #[must_use]
    pub fn trap_in(&self, photo: usize, rules: Rules) -> Option<Trap> {
        const OF_STRANGERS: [TrapKind; 3] = [TrapKind::Collage, TrapKind::Generated, TrapKind::Wax];
        let own = self.people_in(photo);
        let is_trap = || unit(hash(&["trap".into(), photo.into(), 0_usize.into()])) < rules.traps;
        if rules.traps <= 0.0 || own.is_empty() || !is_trap() {
            return None;
        }
        let draw = |what: &str, count| below(hash(&[what.into(), photo.into()]), count);
        let kind = draw("trap kind", OF_STRANGERS.len() + 1);
        if kind == OF_STRANGERS.len()
            && let Some(trap) = self.twice_in(photo)
        {
            return Some(trap);
        }
        let instead = || OF_STRANGERS.get(draw("trap kind instead", OF_STRANGERS.len()));
        Some(Trap {
            kind: *OF_STRANGERS.get(kind).or_else(instead)?,
            other: self.strangers_to(photo)?,
        })
    }

    /// Returns a photo of people none of whom was ever in a photo with anybody in this one.
    fn strangers_to(&self, photo: usize) -> Option<usize> {
        let met = self.met_by(self.people_in(photo));
        let draw = |attempt: usize| hash(&["trap with".into(), photo.into(), attempt.into()]);
        (0..TRIES)
            .map(|attempt| below(draw(attempt), self.photos.len()))
            .find(|other| {
                let people = self.people_in(*other);
                !people.is_empty() && people.iter().all(|person| !met.contains(person))
            })
    }

    /// Returns the trap that shows somebody in this photo twice: once with those in this photo, and once with those in
    /// another one.
    fn twice_in(&self, photo: usize) -> Option<Trap> {
        let own = self.people_in(photo);
        let draw = |what: &str, count| below(hash(&[what.into(), photo.into()]), count);
        let mut people = in_turn(own, draw("trap twice", own.len()));
        people.find_map(|person| {
            let beside: Vec<usize> = own.iter().copied().filter(|one| *one != person).collect();
            if beside.is_empty() {
                return None;
            }
            let met = self.met_by(&beside);
            let photos = self.photos_of(person);
            let mut photos = in_turn(photos, draw("trap twice with", photos.len()));
            let other = photos.find(|other| {
                let people = self.people_in(*other);
                let is_stranger = |one: &usize| *one == person || !met.contains(one);
                people.len() > 1 && people.iter().all(is_stranger)
            })?;
            Some(Trap {
                kind: TrapKind::Twice { person },
                other,
            })
        })
    }

    /// Returns everybody whom a picture shows: the people of the photo, then those of the other photo of a trap. The
    /// person who is in a trap twice is first and last, because those two places are far apart.
    #[must_use]
    pub fn people_shown(&self, photo: usize, rules: Rules) -> Vec<usize> {
        let trap = self.trap_in(photo, rules);
        let other = trap.map_or(&[][..], |trap| self.people_in(trap.other));
        let all = self.people_in(photo).iter().chain(other).copied();
        let Some(person) = trap.and_then(Trap::twice) else {
            return all.collect();
        };
        let others = all.filter(|one| *one != person);
        let person = std::iter::once(person);
        person.clone().chain(others).chain(person).collect()
    }

    /// Returns the words that tell of a trap; `None` if words say nothing against the photo.
    #[must_use]
    pub fn telling_words(&self, photo: usize, rules: Rules) -> Option<TellingWords> {
        self.trap_in(photo, rules)
            .filter(|trap| trap.kind == TrapKind::Wax)?;
        let number = below(
            hash(&["trap words".into(), photo.into()]),
            TELLING_WORDS.len(),
        );
        TELLING_WORDS.get(number).copied()
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

impl Trap {
    /// Returns the person who is in the picture twice, if there is one.
    #[must_use]
    pub fn twice(self) -> Option<usize> {
        match self.kind {
            TrapKind::Twice { person } => Some(person),
            TrapKind::Collage | TrapKind::Generated | TrapKind::Wax => None,
        }
    }
}

/// Returns all items of a list, beginning with the one at this place.
fn in_turn(list: &[usize], first: usize) -> impl Iterator<Item = usize> {
    let items = list.iter().cycle().skip(first).take(list.len());
    items.copied()
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

    /// Returns whether two people are together in a photo of the world.
    fn have_met(world: &World, one: usize, other: usize) -> bool {
        let mut photos = world.photos_of(one).iter();
        photos.any(|photo| world.people_in(*photo).contains(&other))
    }

    #[test]
    fn a_trap_brings_only_people_together_who_never_met() {
        let world = world();
        let rules = rules(0.2, 0.0);
        let mut kinds = [0; 4];
        for photo in 0..world.photos.len() {
            let Some(trap) = world.trap_in(photo, rules) else {
                assert_eq!(world.people_shown(photo, rules), world.people_in(photo));
                continue;
            };
            let kind = match trap.kind {
                TrapKind::Collage => 0,
                TrapKind::Generated => 1,
                TrapKind::Wax => 2,
                TrapKind::Twice { .. } => 3,
            };
            kinds[kind] += 1;
            let others = |photo: usize| {
                let people = world.people_in(photo).iter().copied();
                let others = people.filter(|one| trap.twice() != Some(*one));
                others.collect::<Vec<_>>()
            };
            let (own, other) = (others(photo), others(trap.other));
            assert!(!own.is_empty() && !other.is_empty());
            for one in &own {
                for two in &other {
                    assert_ne!(one, two);
                    assert!(!have_met(&world, *one, *two), "{photo} with {trap:?}");
                }
            }
            let twice = trap.twice().into_iter();
            let shown: Vec<usize> = twice.clone().chain(own).chain(other).chain(twice).collect();
            assert_eq!(world.people_shown(photo, rules), shown);
            let seen = world.recognise(photo, rules).into_iter();
            assert_eq!(seen.map(|seen| seen.person).collect::<Vec<_>>(), shown);
            let tells = world.telling_words(photo, rules).is_some();
            assert_eq!(tells, trap.kind == TrapKind::Wax);
        }
        let traps: usize = kinds.iter().sum();
        assert!((300..=700).contains(&traps), "{traps} of 3,000");
        assert!(kinds.iter().all(|kind| *kind > 80), "{kinds:?}");
    }

    #[test]
    fn whoever_is_there_twice_is_always_recognised() {
        let world = world();
        let rules = Rules {
            miss: 1.0,
            weak: 1.0,
            ..rules(0.2, 0.0)
        };
        let mut count = 0;
        for photo in 0..world.photos.len() {
            let person = world.trap_in(photo, rules).and_then(Trap::twice);
            let seen = world.recognise(photo, rules).into_iter();
            let seen: Vec<_> = seen.filter(|seen| !seen.missed).collect();
            assert!(seen.iter().all(|seen| Some(seen.person) == person));
            assert!(seen.iter().all(|seen| seen.match_confidence > 95.0));
            assert_eq!(seen.len(), if person.is_some() { 2 } else { 0 });
            count += seen.len();
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn where_nobody_can_be_there_twice_another_kind_takes_its_place() {
        let photos = r#"["Ann","Bea"],["Cid","Dan"],"#.repeat(100);
        let world = World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","photos":[{}]}}"#,
            photos.trim_end_matches(',')
        ))
        .unwrap();
        let traps = (0..200).map(|photo| world.trap_in(photo, rules(1.0, 0.0)));
        let traps: Vec<Trap> = traps.flatten().collect();
        assert_eq!(traps.len(), 200);
        assert!(traps.iter().all(|trap| trap.twice().is_none()));
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

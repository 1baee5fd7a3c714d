//! Random social worlds for property tests. A few people are everywhere, most stay in one circle, and some know nobody.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::definition::World;
use super::people::PersonDetails;

const ONSETS: [&str; 16] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "é", "ø"];
const CODAS: [&str; 8] = ["", "", "", "n", "r", "l", "s", "nd"];

/// The percentage of people whom no photo connects with anybody else.
const LONERS_PERCENT: u64 = 4;
/// The percentage of people whose successor has the same name.
const NAMESAKES_PERCENT: u64 = 3;
/// The percentage of the people in a photo who do not belong to its circle.
const OUTSIDERS_PERCENT: u64 = 14;
/// The number of photos in twenty that have 0, 1, 2, ... 6 people.
const SIZES: [u64; 7] = [1, 4, 6, 4, 3, 1, 1];

impl World {
    /// Makes a random world with this many people and photos. Equal seeds make equal worlds on every target, because
    /// all draws are integers of fixed width.
    #[must_use]
    pub fn generate(seed: u64, people: usize, photos: usize) -> Self {
        let mut rng = Rng::with_seed(seed);
        let cast = Cast::draw(&mut rng, people);
        let shots: Vec<Vec<usize>> = (0..photos).map(|_| cast.shoot(&mut rng)).collect();
        let keys: Vec<Vec<&str>> = shots
            .iter()
            .map(|shot| shot.iter().filter_map(|person| cast.key(*person)).collect())
            .collect();
        let title = format!("generated world {seed}");
        let made = "generated".to_owned();
        Self::assemble([title, made, "CC0-1.0".to_owned()], &keys, &cast.details())
    }
}

/// The people who may be photographed, and their circles.
struct Cast {
    keys: Vec<String>,
    displayed: BTreeMap<String, String>,
    /// The members of each circle, who do not include the loners.
    members: Vec<Vec<usize>>,
    loners: Vec<usize>,
}

impl Cast {
    fn draw(rng: &mut Rng, people: usize) -> Self {
        let (keys, displayed) = draw_names(rng, people);
        // A circle has nine people on average, but may also have only one.
        let circles = people.div_ceil(9).max(1);
        let mut members = vec![Vec::new(); circles];
        let mut loners = Vec::new();
        for person in 0..people {
            if rng.u64(0..100) < LONERS_PERCENT {
                loners.push(person);
            } else if let Some(circle) = members.get_mut(draw_below(rng, circles)) {
                circle.push(person);
            }
        }
        members.retain(|circle| !circle.is_empty());
        Self {
            keys,
            displayed,
            members,
            loners,
        }
    }

    fn key(&self, person: usize) -> Option<&str> {
        self.keys.get(person).map(String::as_str)
    }

    fn details(&self) -> BTreeMap<String, PersonDetails> {
        let details = |(key, name): (&String, &String)| (key.clone(), PersonDetails::named(name));
        self.displayed.iter().map(details).collect()
    }

    /// Draws the people of the next photo.
    fn shoot(&self, rng: &mut Rng) -> Vec<usize> {
        if rng.u64(0..100) < LONERS_PERCENT
            && let Some(loner) = self.loners.get(draw_below(rng, self.loners.len()))
        {
            return vec![*loner];
        }
        let Some(circle) = self.members.get(draw_skewed(rng, self.members.len())) else {
            return Vec::new();
        };
        let mut shot: Vec<usize> = Vec::new();
        for _ in 0..draw_size(rng) {
            let outside = rng.u64(0..100) < OUTSIDERS_PERCENT;
            let pool = if outside {
                self.members
                    .get(draw_skewed(rng, self.members.len()))
                    .unwrap_or(circle)
            } else {
                circle
            };
            if let Some(person) = pool.get(draw_skewed(rng, pool.len()))
                && !shot.contains(person)
            {
                shot.push(*person);
            }
        }
        shot
    }
}

fn draw_names(rng: &mut Rng, people: usize) -> (Vec<String>, BTreeMap<String, String>) {
    let mut keys: Vec<String> = Vec::with_capacity(people);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut displayed = BTreeMap::new();
    for person in 0..people {
        let namesake = (rng.u64(0..100) < NAMESAKES_PERCENT)
            .then(|| keys.get(draw_below(rng, keys.len())).cloned())
            .flatten();
        let (key, name) = if let Some(other) = namesake {
            let name = displayed.get(&other).cloned().unwrap_or(other);
            (format!("{name} ({person})"), name)
        } else {
            let name = draw_free_name(rng, &taken, person);
            (name.clone(), name)
        };
        taken.insert(key.clone());
        // The world describes everybody, so that people whom no photo shows exist, too.
        displayed.insert(key.clone(), name);
        keys.push(key);
    }
    (keys, displayed)
}

pub(super) fn draw_free_name(rng: &mut Rng, taken: &BTreeSet<String>, person: usize) -> String {
    for _ in 0..8 {
        let name = format!("{} {}", draw_word(rng, 2), draw_word(rng, 2));
        if !taken.contains(&name) {
            return name;
        }
    }
    // If no combination of words is unused, the person's number makes the name unique, because no word has a digit.
    format!("{} {} {person}", draw_word(rng, 2), draw_word(rng, 2))
}

fn draw_word(rng: &mut Rng, syllables: usize) -> String {
    let mut word = String::new();
    for _ in 0..syllables {
        for part in [&ONSETS[..], &VOWELS[..], &CODAS[..]] {
            word.push_str(
                part.get(draw_below(rng, part.len()))
                    .copied()
                    .unwrap_or_default(),
            );
        }
    }
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// Draws uniformly from `0..count`; returns 0 if `count` is 0. It draws a `u64`, because draws of a `usize` differ
/// between 32 and 64 bits.
fn draw_below(rng: &mut Rng, count: usize) -> usize {
    usize::try_from(rng.u64(0..(count as u64).max(1))).unwrap_or(0)
}

/// Draws from `0..count` with a preference for low numbers, by taking the smallest of three draws.
fn draw_skewed(rng: &mut Rng, count: usize) -> usize {
    draw_below(rng, count)
        .min(draw_below(rng, count))
        .min(draw_below(rng, count))
}

fn draw_size(rng: &mut Rng) -> usize {
    let mut ticket = rng.u64(0..SIZES.iter().sum());
    for (size, share) in SIZES.iter().enumerate() {
        match ticket.checked_sub(*share) {
            None => return size,
            Some(rest) => ticket = rest,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash;
    use crate::world::WorldPerson;

    #[test]
    fn a_seed_gives_one_world_for_ever() {
        let world = World::generate(42, 50, 80);
        assert_eq!(World::generate(42, 50, 80).photos, world.photos);
        assert_ne!(World::generate(43, 50, 80).photos, world.photos);
        let known = |person: &WorldPerson| format!("{} {}", person.key, person.name);
        let people: Vec<String> = world.people.iter().map(known).collect();
        let whole = format!("{people:?} {:?}", world.photos);
        assert_eq!(
            hash(&[whole.as_str().into()]),
            15_577_302_423_471_259_121,
            "also on other targets"
        );
    }

    #[test]
    fn it_has_the_size_asked_for() {
        for (people, photos) in [(0, 0), (0, 5), (1, 1), (2, 9), (300, 700)] {
            let world = World::generate(5, people, photos);
            assert_eq!((world.people.len(), world.photos.len()), (people, photos));
        }
    }

    #[test]
    fn it_has_everything_that_the_real_world_has() {
        let world = World::generate(3, 300, 700);
        let sizes: BTreeSet<usize> = world
            .photos
            .iter()
            .map(|photo| photo.people.len())
            .collect();
        assert!(
            sizes.contains(&0) && sizes.contains(&1) && sizes.contains(&5),
            "{sizes:?}"
        );
        assert!(sizes.iter().all(|size| *size <= 6));
        let count = |person: usize| world.photos_of(person).len();
        let most = (0..300).map(count).max().unwrap();
        let none = (0..300).filter(|person| count(*person) == 0).count();
        assert!(most > 25, "nobody is famous: {most}");
        assert!(none > 0, "nobody is unknown");
        let names: BTreeSet<&str> = world
            .people
            .iter()
            .map(|person| person.name.as_str())
            .collect();
        assert!(names.len() < 300, "no namesakes");
        let keys: BTreeSet<&str> = world
            .people
            .iter()
            .map(|person| person.key.as_str())
            .collect();
        assert_eq!(keys.len(), 300);
        assert!(world.example_pair().is_some_and(|pair| pair.hops == 3));
        assert_eq!(World::parse(&world.to_json()).unwrap().photos.len(), 700);
    }
}

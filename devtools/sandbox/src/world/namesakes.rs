//! Worlds for tests of namesakes: pairs of people who share a name and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::definition::World;
use super::people::PersonDetails;
use super::random_world::draw_free_name;

/// The number of people whom each namesake knows. No other namesake knows them.
const ACQUAINTANCES: usize = 3;

impl World {
    /// Makes a connected world with this many pairs of namesakes. Each namesake is in photos with three acquaintances
    /// and in one photo alone. Photos connect the acquaintances in a ring. All Wikidata numbers are unique.
    #[must_use]
    pub fn with_namesakes(seed: u64, pairs: usize) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut taken = BTreeSet::new();
        let mut fresh_name = |person: usize| {
            let name = draw_free_name(&mut rng, &taken, person);
            taken.insert(name.clone());
            name
        };
        let namesakes: Vec<[String; 2]> = (0..pairs)
            .map(|pair| {
                let name = fresh_name(pair);
                [name.clone(), format!("{name} (2)")]
            })
            .collect();
        let friends: Vec<String> = (0..pairs * 2 * ACQUAINTANCES)
            .map(|friend| fresh_name(pairs + friend))
            .collect();
        let photos = photos(&namesakes, &friends);
        let details: BTreeMap<String, PersonDetails> = namesakes
            .iter()
            .map(|[name, second]| (second.clone(), PersonDetails::named(name)))
            .collect();
        let title = format!("world of namesakes {seed}");
        let made = "generated".to_owned();
        Self::assemble([title, made, "CC0-1.0".to_owned()], &photos, &details)
    }
}

/// Returns the photos of each namesake with the acquaintances, and of each acquaintance with two others farther on in
/// the ring.
fn photos<'a>(namesakes: &'a [[String; 2]], friends: &'a [String]) -> Vec<Vec<&'a str>> {
    let mut photos: Vec<Vec<&str>> = Vec::new();
    let all = namesakes.iter().flatten();
    for (namesake, own) in all.zip(friends.chunks(ACQUAINTANCES)) {
        photos.extend(own.iter().map(|friend| vec![namesake.as_str(), friend]));
        photos.push(vec![namesake]);
    }
    // Seven positions lead past the acquaintances of both neighbouring namesakes, which keeps chains short.
    for step in [1, 2 * ACQUAINTANCES + 1] {
        let next = friends.iter().cycle().skip(step);
        photos.extend(
            friends
                .iter()
                .zip(next)
                .map(|(one, other)| vec![one.as_str(), other.as_str()]),
        );
    }
    photos
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_pairs_share_a_name_and_nothing_else() {
        let world = World::with_namesakes(3, 20);
        let names: BTreeSet<&str> = world.people.iter().map(|person| &*person.name).collect();
        let pairs: Vec<&[usize]> = names
            .iter()
            .map(|name| world.bearers(name))
            .filter(|bearers| bearers.len() == 2)
            .collect();
        assert_eq!(pairs.len(), 20);
        let beside = |person: usize| -> BTreeSet<usize> {
            let photos = world.photos_of(person).iter();
            let people = photos.flat_map(|photo| world.people_in(*photo).iter().copied());
            people.filter(|other| *other != person).collect()
        };
        for pair in pairs {
            let [one, other] = [beside(pair[0]), beside(pair[1])];
            assert_eq!((one.len(), other.len()), (3, 3));
            assert!(one.is_disjoint(&other), "{pair:?}");
        }
        let numbers: BTreeSet<&str> = world
            .people
            .iter()
            .map(|person| &*person.wikidata_number)
            .collect();
        assert_eq!(numbers.len(), world.people.len());
    }

    #[test]
    fn everybody_is_connected_with_everybody() {
        let world = World::with_namesakes(3, 20);
        let hops = world.hops_from(0, None);
        assert!(hops.iter().all(Option::is_some));
        assert_eq!(World::with_namesakes(3, 20).photos, world.photos);
    }
}

//! A world of large casts: a few thousand people who appear together again and again, like characters of comics.
//!
//! The world is dense: a photo shows seven people on average, the most popular people are in hundreds of photos, and
//! most people in a photo belong to one company, a group that keeps appearing together. No other world makes the
//! machine compute as much.

use std::collections::BTreeMap;

use super::definition::World;
use super::draw::Draw;

/// The number of people in [`World::casts`].
pub const CASTS_PEOPLE: usize = 5_000;
/// The number of photos in [`World::casts`].
pub const CASTS_PHOTOS: usize = 10_000;

/// The number of companies.
const COMPANIES: usize = 120;
/// The share of the people in a photo who are drawn from the photo's company, in thousandths.
const OF_COMPANY: usize = 700;
/// The most people in a photo that is not a crowd.
const USUAL_SIZE_MAX: usize = 14;
/// The share of photos that are crowds, in thousandths, and the most people in a crowd.
const CROWDS: usize = 50;
const CROWD_MAX: usize = 40;
/// The scale of popularity weights. The higher a person's number, the lower the person's weight.
const POPULARITY: usize = 1_000_000;
/// The number of people who are about as popular as the first one.
const STARS: usize = 5;

impl World {
    /// Makes the world of casts, with [`CASTS_PEOPLE`] people and [`CASTS_PHOTOS`] photos. Equal seeds make equal
    /// worlds on every target.
    #[must_use]
    pub fn casts(seed: u64) -> Self {
        let mut draw = Draw::new("casts", seed);
        let everybody = Popularity::of((0..CASTS_PEOPLE).collect());
        let companies: Vec<Popularity> = (0..COMPANIES)
            .map(|company| Popularity::of((company..CASTS_PEOPLE).step_by(COMPANIES).collect()))
            .collect();
        let keys: Vec<String> = (0..CASTS_PEOPLE)
            .map(|at| format!("Member {at:04}"))
            .collect();
        let shots: Vec<Vec<&str>> = (0..CASTS_PHOTOS)
            .map(|number| {
                // The first photos go through all people, so that everybody is in at least one photo.
                let lead = if number < CASTS_PEOPLE {
                    number
                } else {
                    everybody.draw(&mut draw)
                };
                let company = companies.get(lead % COMPANIES).unwrap_or(&everybody);
                let mut people = vec![lead];
                for _ in 1..drawn_size(&mut draw) {
                    let from = if draw.happens(OF_COMPANY) {
                        company
                    } else {
                        &everybody
                    };
                    people.push(from.draw(&mut draw));
                }
                let key = |person: &usize| keys.get(*person).map(String::as_str);
                people.iter().filter_map(key).collect()
            })
            .collect();
        let title = format!("Large casts, drawn by seed {seed}");
        let made = "generated".to_owned();
        Self::assemble(
            [title, made, "CC0-1.0".to_owned()],
            &shots,
            &BTreeMap::new(),
        )
    }
}

/// The likelihood of each person to be in a photo.
struct Popularity {
    people: Vec<usize>,
    /// For each person, the sum of the weights up to and including that person.
    sums: Vec<usize>,
}

impl Popularity {
    fn of(people: Vec<usize>) -> Self {
        let mut sum = 0;
        let sums = people
            .iter()
            .map(|person| {
                sum += POPULARITY / (person + STARS);
                sum
            })
            .collect();
        Self { people, sums }
    }

    fn draw(&self, draw: &mut Draw) -> usize {
        let all = self.sums.last().copied().unwrap_or(1);
        let drawn = draw.below(all);
        let at = self.sums.partition_point(|sum| *sum <= drawn);
        self.people.get(at).copied().unwrap_or_default()
    }
}

/// Draws the number of people in a photo.
fn drawn_size(draw: &mut Draw) -> usize {
    let max = if draw.happens(CROWDS) {
        CROWD_MAX
    } else {
        USUAL_SIZE_MAX
    };
    1 + draw.below(max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_dense_and_always_the_same() {
        let world = World::casts(1);
        assert_eq!(world.people.len(), CASTS_PEOPLE);
        assert_eq!(world.photos.len(), CASTS_PHOTOS);
        let shown: usize = world.photos.iter().map(|photo| photo.people.len()).sum();
        let mean = shown as f64 / CASTS_PHOTOS as f64;
        assert!((5.0..8.0).contains(&mean), "{mean}");
        let most = (0..CASTS_PEOPLE).map(|person| world.photos_of(person).len());
        let most = most.max().unwrap_or_default();
        assert!((500..2_500).contains(&most), "{most}");
        assert_eq!(world.fingerprint(), World::casts(1).fingerprint());
        assert_ne!(world.fingerprint(), World::casts(2).fingerprint());
    }
}

//! A sparse world: tens of thousands of strangers, most of whom are in a single photo of one party.
//!
//! Unlike the casts of other worlds, its people resemble those in the photo archive of a society page: few of them are
//! in many photos, and most pairs who share a photo share only one. The distributions of appearances and of photo sizes
//! are exact, and only the meetings are random.
//!
//! The famous meet the famous: people in many photos are seen at the parties of a society, where nobody else goes, as
//! well as among strangers at home and abroad. So chains lead from society to society, through the few people seen in
//! several of them or at the same parties abroad.

use std::collections::{BTreeMap, VecDeque};

use super::definition::World;
use super::draw::{Draw, name};
use super::people::PersonDetails;

/// The number of people in [`World::sparse`].
pub const SPARSE_PEOPLE: usize = 72_000;
/// The number of photos in [`World::sparse`].
pub const SPARSE_PHOTOS: usize = 69_000;

/// The distribution of appearances. A row has the share of people in this row and all rows before it, in
/// ten-thousandths, and the fewest and the most photos of a person in this row.
const APPEARANCES: [(usize, usize, usize); 6] = [
    (7_085, 1, 1),
    (8_485, 2, 2),
    (9_485, 3, 5),
    (9_785, 6, 10),
    (9_965, 11, 30),
    (10_000, 31, APPEARANCES_MAX),
];
/// The number of photos of the most famous person.
const APPEARANCES_MAX: usize = 230;
/// The distribution of photo sizes. A row has the share of photos in this row and all rows before it, in hundredths,
/// and the number of people in each photo of this row. All remaining photos are crowds.
const SIZES: [(usize, usize); 6] = [(31, 1), (71, 2), (88, 3), (95, 4), (97, 5), (98, 6)];
/// The fewest people in a crowd.
const CROWD_MIN: usize = 7;
/// The number of different sizes of crowds, before the sizes are adjusted to the number of appearances.
const CROWD_SIZES: usize = 6;

/// The average number of people whose home is the same circle.
const CIRCLE: usize = 24;
/// The share of appearances in random circles, in thousandths, for everybody who is not a traveller.
const ABROAD: usize = 20;
/// The share of appearances in a circle near the home, in thousandths.
const NEARBY: usize = 30;
/// The number of circles on each side of the home that count as near.
const NEARBY_CIRCLES: usize = 2;
/// The share of appearances in random circles, in thousandths, for travellers.
const ABROAD_OF_TRAVELLERS: usize = 400;
/// The share of people who are travellers, in thousandths. Everybody in more than [`LOCAL_APPEARANCES_MAX`] photos is a
/// traveller as well.
const TRAVELLERS: usize = 80;
/// The number of photos above which a person is a traveller.
const LOCAL_APPEARANCES_MAX: usize = 30;

/// The fewest photos of a famous person, who belongs to a society.
const FAMOUS_APPEARANCES: usize = 11;
/// The average number of famous people in a society.
const SOCIETY: usize = 30;
/// The share of a famous person's appearances at parties of the famous, in thousandths.
const AMONG_FAMOUS: usize = 300;
/// The share of a famous person's appearances among the famous that are in a random society, in thousandths.
const OTHER_SOCIETY: usize = 20;
/// The number of cards at the top of the deck from which a photo may take its people. A photo prefers people of the
/// previous photo, as if the same group were photographed repeatedly.
const REACH: usize = 60;

impl World {
    /// Makes the sparse world, with [`SPARSE_PEOPLE`] people and [`SPARSE_PHOTOS`] photos. Equal seeds make equal
    /// worlds on every target.
    #[must_use]
    pub fn sparse(seed: u64) -> Self {
        Self::sparse_of(seed, SPARSE_PEOPLE, SPARSE_PHOTOS)
    }

    /// Makes a sparse world of another size. Its statistics only hold if there are about as many photos as people.
    #[must_use]
    pub fn sparse_of(seed: u64, people: usize, photos: usize) -> Self {
        let mut draw = Draw::new("sparse", seed);
        let deck = shuffled_deck(&mut draw, people);
        let sizes = shuffled_sizes(&mut draw, photos, deck.len());
        let shots = deal(deck, &sizes);
        let keys: Vec<String> = (0..people).map(name).collect();
        let shots: Vec<Vec<&str>> = shots
            .iter()
            .map(|shot| {
                let key = |person: &usize| keys.get(*person).map(String::as_str);
                shot.iter().filter_map(key).collect()
            })
            .collect();
        // The world describes everybody, so that people whom no photo shows exist, too.
        let details: BTreeMap<String, PersonDetails> = keys
            .iter()
            .map(|key| (key.clone(), PersonDetails::named(key)))
            .collect();
        let title = format!("Strangers' parties, drawn by seed {seed}");
        let made = "generated".to_owned();
        Self::assemble([title, made, "CC0-1.0".to_owned()], &shots, &details)
    }
}

/// Returns a deck with one card per appearance of a person. The parties follow one another, and the cards of each party
/// are shuffled.
fn shuffled_deck(draw: &mut Draw, people: usize) -> VecDeque<usize> {
    let places = Places::of(people);
    let mut cards: Vec<(usize, u64, usize)> = Vec::new();
    for person in 0..people {
        let appearances = appearances(person, people);
        let guest = Guest::drawn(draw, &places, appearances);
        for _ in 0..appearances {
            let place = guest.goes_to(draw, &places);
            cards.push((place, draw.number(), person));
        }
    }
    cards.sort_unstable();
    cards.into_iter().map(|(_, _, person)| person).collect()
}

/// The places of parties: first the circles, then the societies.
struct Places {
    circles: usize,
    societies: usize,
}

impl Places {
    fn of(people: usize) -> Self {
        let is_famous = |person: &usize| appearances(*person, people) >= FAMOUS_APPEARANCES;
        Self {
            circles: (people / CIRCLE).max(1),
            societies: ((0..people).filter(is_famous).count() / SOCIETY).max(1),
        }
    }
}

/// The circle and the society of a person, and whether the person travels.
struct Guest {
    home: usize,
    society: usize,
    famous: bool,
    travels: bool,
}

impl Guest {
    fn drawn(draw: &mut Draw, places: &Places, appearances: usize) -> Self {
        Self {
            home: draw.below(places.circles),
            travels: appearances > LOCAL_APPEARANCES_MAX || draw.happens(TRAVELLERS),
            society: draw.below(places.societies),
            famous: appearances >= FAMOUS_APPEARANCES,
        }
    }

    /// Draws the place of one appearance of this person.
    fn goes_to(&self, draw: &mut Draw, places: &Places) -> usize {
        if !self.famous || !draw.happens(AMONG_FAMOUS) {
            return self.circle(draw, places.circles);
        }
        let society = if draw.happens(OTHER_SOCIETY) {
            draw.below(places.societies)
        } else {
            self.society
        };
        places.circles + society
    }

    fn circle(&self, draw: &mut Draw, circles: usize) -> usize {
        let abroad = if self.travels {
            ABROAD_OF_TRAVELLERS
        } else {
            ABROAD
        };
        let ticket = draw.below(1_000);
        if ticket < abroad {
            draw.below(circles)
        } else if ticket < abroad + NEARBY {
            // The circles form a ring, so every circle has neighbours on both sides.
            let step = draw.below(2 * NEARBY_CIRCLES + 1);
            (self.home + circles.saturating_sub(NEARBY_CIRCLES) + step) % circles
        } else {
            self.home
        }
    }
}

/// Returns the number of appearances of the person with this rank. Within a row of `APPEARANCES`, the share of people
/// with `n` appearances falls with the square of `n`.
fn appearances(rank: usize, people: usize) -> usize {
    if rank + 1 == people {
        return APPEARANCES_MAX.min(people);
    }
    let mut start = 0;
    for (share, from, to) in APPEARANCES {
        let end = people * share / 10_000;
        if rank < end {
            let (all, place, above) = (end - start, rank - start, to + 1);
            return from * above * all / (above * all - place * (above - from));
        }
        start = end;
    }
    1
}

/// Returns the sizes of all photos in random order. Crowds are adjusted so that the sizes add up to `cards`.
fn shuffled_sizes(draw: &mut Draw, photos: usize, cards: usize) -> Vec<usize> {
    let size = |rank: usize| {
        let of_share = SIZES.iter().find(|(share, _)| rank * 100 < share * photos);
        of_share.map_or(CROWD_MIN + rank % CROWD_SIZES, |(_, size)| *size)
    };
    let mut sizes: Vec<usize> = (0..photos).map(size).collect();
    let planned: usize = sizes.iter().sum();
    let crowds = sizes.iter_mut().filter(|size| **size >= CROWD_MIN);
    let mut crowds: Vec<&mut usize> = crowds.collect();
    let count = crowds.len();
    for (number, crowd) in crowds.iter_mut().enumerate() {
        // The difference is spread evenly over the crowds.
        let share = |all: usize| (all * (number + 1) / count) - (all * number / count);
        **crowd += share(cards.saturating_sub(planned));
        **crowd = crowd
            .saturating_sub(share(planned.saturating_sub(cards)))
            .max(CROWD_MIN);
    }
    let mut order: Vec<(u64, usize)> = sizes
        .into_iter()
        .map(|size| (draw.number(), size))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, size)| size).collect()
}

/// Deals the cards from the top of the deck to the photos, so that nobody is in a photo twice.
fn deal(mut deck: VecDeque<usize>, sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut shots: Vec<Vec<usize>> = Vec::with_capacity(sizes.len());
    for size in sizes {
        let before = shots.last().map_or(&[][..], Vec::as_slice);
        let mut shot: Vec<usize> = Vec::with_capacity(*size);
        for _ in 0..*size {
            let near = || deck.iter().take(REACH);
            let again = near().position(|card| before.contains(card) && !shot.contains(card));
            let place = again.or_else(|| near().position(|card| !shot.contains(card)));
            shot.extend(place.and_then(|place| deck.remove(place)));
        }
        shots.push(shot);
    }
    shots
}

#[cfg(test)]
mod tests;

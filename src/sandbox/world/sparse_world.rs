//! A sparse world: tens of thousands of strangers, most of them in one photo of one party.
//!
//! Where the other worlds are casts, this one is like the photo archive of a society page: few
//! people stand in many photos, and two who stand together mostly do so once. How often people and
//! sizes of photos occur is laid down exactly; only who meets whom is drawn.
//!
//! The famous meet the famous: who is in many photos is seen at the parties of a society, where
//! nobody else goes, as well as among strangers at home and abroad. So chains lead from society to
//! society, through the few who are seen in several or at the same parties abroad.

use std::collections::{BTreeMap, VecDeque};

use crate::hash::{below, hash};

use super::definition::World;
use super::people::PersonDetails;

/// How many people [`World::sparse`] has.
pub const SPARSE_PEOPLE: usize = 72_000;
/// How many photos [`World::sparse`] has.
pub const SPARSE_PHOTOS: usize = 69_000;

/// In how many photos people are: up to this share of them in ten thousand, from, to.
const APPEARANCES: [(usize, usize, usize); 6] = [
    (7_085, 1, 1),
    (8_485, 2, 2),
    (9_485, 3, 5),
    (9_785, 6, 10),
    (9_965, 11, 30),
    (10_000, 31, APPEARANCES_MAX),
];
/// In how many photos the most famous person is.
const APPEARANCES_MAX: usize = 230;
/// How many people photos show: up to this share of them in a hundred. The rest are crowds.
const SIZES: [(usize, usize); 6] = [(31, 1), (71, 2), (88, 3), (95, 4), (97, 5), (98, 6)];
/// The fewest people of a crowd.
const CROWD_MIN: usize = 7;
/// Crowds are of so many sizes before they are fitted to the people there are.
const CROWD_SIZES: usize = 6;

/// People who have one circle for their home, on average.
const CIRCLE: usize = 24;
/// Of a thousand appearances of most people, so many are in any circle of the world...
const ABROAD: usize = 20;
/// ...and so many beside the home.
const NEARBY: usize = 30;
/// Circles to both sides that are beside the home.
const NEARBY_CIRCLES: usize = 2;
/// Of a thousand appearances of those who go everywhere, so many are in any circle.
const ABROAD_OF_TRAVELLERS: usize = 400;
/// Of a thousand people, so many go everywhere; beside them all who are in more than
/// [`LOCAL_APPEARANCES_MAX`] photos.
const TRAVELLERS: usize = 80;
/// Who is in more photos than this has no home.
const LOCAL_APPEARANCES_MAX: usize = 30;

/// Who is in at least so many photos is famous, and belongs to a society.
const FAMOUS_APPEARANCES: usize = 11;
/// The famous people of a society, on average.
const SOCIETY: usize = 30;
/// Of a thousand appearances of the famous, so many are at parties where only the famous go...
const AMONG_FAMOUS: usize = 300;
/// ...and of a thousand of these, so many are in any society instead of their own.
const OTHER_SOCIETY: usize = 20;
/// So far along in its circle's party a photo may reach for its people: first for those of the
/// photo before it, which is taken again and again.
const REACH: usize = 60;

impl World {
    /// The sparse world: [`SPARSE_PEOPLE`] in [`SPARSE_PHOTOS`], the same on every target.
    #[must_use]
    pub fn sparse(seed: u64) -> Self {
        Self::sparse_of(seed, SPARSE_PEOPLE, SPARSE_PHOTOS)
    }

    /// A sparse world of another size; the statistics hold where there are about as many photos as
    /// people.
    #[must_use]
    pub fn sparse_of(seed: u64, people: usize, photos: usize) -> Self {
        let mut draw = Draw { seed, number: 0 };
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
        // Everybody is described, so that who found no place in a photo exists too.
        let details: BTreeMap<String, PersonDetails> = keys
            .iter()
            .map(|key| (key.clone(), PersonDetails::named(key)))
            .collect();
        let title = format!("Strangers' parties, drawn by seed {seed}");
        let made = "generated".to_owned();
        Self::assemble([title, made, "CC0-1.0".to_owned()], &shots, &details)
    }
}

/// Draws by number: the project's own hash, the same on every target for ever.
struct Draw {
    seed: u64,
    number: u64,
}

impl Draw {
    fn next(&mut self) -> u64 {
        self.number += 1;
        hash(&["sparse".into(), self.seed.into(), self.number.into()])
    }

    fn below(&mut self, count: usize) -> usize {
        below(self.next(), count)
    }

    /// True in so many of a thousand cases.
    fn happens(&mut self, share: usize) -> bool {
        self.below(1_000) < share
    }
}

/// Each appearance of a person as one card, party after party, shuffled inside each.
fn shuffled_deck(draw: &mut Draw, people: usize) -> VecDeque<usize> {
    let places = Places::of(people);
    let mut cards: Vec<(usize, u64, usize)> = Vec::new();
    for person in 0..people {
        let appearances = appearances(person, people);
        let guest = Guest::drawn(draw, &places, appearances);
        for _ in 0..appearances {
            let place = guest.goes_to(draw, &places);
            cards.push((place, draw.next(), person));
        }
    }
    cards.sort_unstable();
    cards.into_iter().map(|(_, _, person)| person).collect()
}

/// Where parties are: the circles are numbered first, after them the societies.
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

/// To which circle and society somebody belongs, and whether they leave it.
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

    /// The place of one appearance.
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
            // The circles lie in a ring.
            let step = draw.below(2 * NEARBY_CIRCLES + 1);
            (self.home + circles.saturating_sub(NEARBY_CIRCLES) + step) % circles
        } else {
            self.home
        }
    }
}

/// In how many photos the person of this rank is: rare ones fall off as the square.
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

/// The sizes of all photos in random order, crowds fitted so that they sum up to the cards.
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
        // Each takes its even share of what is too much or too little.
        let share = |all: usize| (all * (number + 1) / count) - (all * number / count);
        **crowd += share(cards.saturating_sub(planned));
        **crowd = crowd
            .saturating_sub(share(planned.saturating_sub(cards)))
            .max(CROWD_MIN);
    }
    let mut order: Vec<(u64, usize)> = sizes.into_iter().map(|size| (draw.next(), size)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, size)| size).collect()
}

/// Photo after photo takes its people from the top of the deck, nobody twice.
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

const ONSETS: [&str; 16] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

/// A first name that many bear and a last name of one's own.
fn name(person: usize) -> String {
    // Coprime with the 80 cubed words of three syllables: no two alike below half a million.
    let own = person * 7_919;
    format!("{} {}", word(own % 809, 2), word(own, 3))
}

fn word(number: usize, syllables: u32) -> String {
    let mut word = String::new();
    let mut rest = number;
    for _ in 0..syllables {
        let (vowel, more) = (rest % VOWELS.len(), rest / VOWELS.len());
        let (onset, more) = (more % ONSETS.len(), more / ONSETS.len());
        word.push_str(ONSETS.get(onset).copied().unwrap_or_default());
        word.push_str(VOWELS.get(vowel).copied().unwrap_or_default());
        rest = more;
    }
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests;

//! How far hints are believed: by what each ground for one has told that was seen.

use Ground::{
    Asked, AskedNamed, AskedUnnamed, Known, PairAsked, PairNamed, PairUnnamed, Remembered, Several,
    Single,
};

/// The weight of what is believed of a ground before anything was seen, in photos.
const PRIOR_PHOTOS: f64 = 4.0;
const GROUNDS: usize = 10;

/// The ground on which somebody is said to be in a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The words beside the photo name somebody who is typed or recognised.
    Known,
    /// They have a name of several words.
    Several,
    /// They have a name of one word.
    Single,
    /// The photo was found by a question about one person, and its words name nobody.
    Asked,
    /// It was found by a question about the person whom its words name.
    AskedNamed,
    /// It was found by a question about one person, and its words name others.
    AskedUnnamed,
    /// The photo was found by a question about two people, and its words name nobody.
    PairAsked,
    /// It was found by a question about two people, and its words name this one.
    PairNamed,
    /// It was found by a question about two people, and its words name others.
    PairUnnamed,
    /// An earlier run had recognised the person in the photo.
    Remembered,
}

impl Ground {
    /// Returns the ground of a name of so many words, of whom nothing is known.
    pub fn of_words(words: usize) -> Self {
        if words < 2 { Single } else { Several }
    }

    /// Returns the ground of a question about so many people.
    pub fn asked(people: usize, names_anybody: bool) -> Self {
        match (people, names_anybody) {
            (..=1, false) => Asked,
            (..=1, true) => AskedUnnamed,
            (_, false) => PairAsked,
            (_, true) => PairUnnamed,
        }
    }

    /// Returns whether the words beside the photo name the person.
    pub fn is_named(self) -> bool {
        matches!(self, Known | Several | Single | AskedNamed | PairNamed)
    }

    /// Returns the ground of two hints about one person.
    pub fn and(self, other: Self) -> Self {
        if self == Remembered || other == Remembered {
            return Remembered;
        }
        let named = self.is_named() || other.is_named();
        let is_asked = |one: Self| matches!(one, Asked | AskedNamed | AskedUnnamed);
        let is_pair = |one: Self| matches!(one, PairAsked | PairNamed | PairUnnamed);
        match (
            is_asked(self) || is_asked(other),
            is_pair(self) || is_pair(other),
        ) {
            (true, _) if named => AskedNamed,
            (true, _) => {
                if is_asked(self) {
                    self
                } else {
                    other
                }
            }
            (false, true) if named => PairNamed,
            _ => self,
        }
    }

    /// Returns the ground of a name, by whether its bearer is known by now.
    pub fn known(self, is_known: bool, has_one_word: bool) -> Self {
        match self {
            Known | Several | Single if is_known => Known,
            Known | Several | Single => {
                if has_one_word {
                    Single
                } else {
                    Several
                }
            }
            other => other,
        }
    }

    /// Returns the part of such hints that is believed before anything was seen.
    fn prior(self) -> f64 {
        match self {
            Remembered => 0.98,
            AskedNamed => 0.85,
            PairNamed | Asked => 0.75,
            Known => 0.7,
            Several => 0.6,
            AskedUnnamed => 0.5,
            PairAsked => 0.4,
            Single => 0.25,
            PairUnnamed => 0.15,
        }
    }

    fn place(self) -> usize {
        match self {
            Known => 0,
            Several => 1,
            Single => 2,
            Asked => 3,
            AskedNamed => 4,
            AskedUnnamed => 5,
            PairAsked => 6,
            PairNamed => 7,
            PairUnnamed => 8,
            Remembered => 9,
        }
    }
}

/// What the hints of each image search were worth.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// By image search and ground, how many hints were checked and how many were true.
    seen: Vec<[(u32, u32); GROUNDS]>,
}

impl Trust {
    pub fn learn(&mut self, source: usize, ground: Ground, is_true: bool) {
        if self.seen.len() <= source {
            self.seen.resize(source + 1, [(0, 0); GROUNDS]);
        }
        let row = self.seen.get_mut(source);
        if let Some((checked, true_ones)) = row.and_then(|row| row.get_mut(ground.place())) {
            *checked += 1;
            *true_ones += u32::from(is_true);
        }
    }

    /// Returns the part of such hints that is believed, 0 to 1.
    pub fn of(&self, source: usize, ground: Ground) -> f64 {
        let row = self.seen.get(source);
        let seen = row.and_then(|row| row.get(ground.place())).copied();
        let (checked, true_ones) = seen.unwrap_or_default();
        (PRIOR_PHOTOS * ground.prior() + f64::from(true_ones)) / (PRIOR_PHOTOS + f64::from(checked))
    }
}

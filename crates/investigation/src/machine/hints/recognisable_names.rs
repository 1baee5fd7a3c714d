//! How often a name beside a photo is that of a person whom the recogniser knows.

/// The chance that a name of several words is such a person's, before any photo was looked at.
const OF_SEVERAL_WORDS: f64 = 0.9;

/// The chance for a name of one word, which is often a place, an occasion or an agency.
const OF_ONE_WORD: f64 = 0.3;

/// The chance for a name of one word if the names of both people of the request have one word.
const OF_ONE_WORD_AMONG_SUCH: f64 = 0.5;

/// The weight of these chances, in names.
const PRIOR_NAMES: f64 = 2.0;

/// The greatest chance that is learned.
const CHANCE_MAX: f64 = 0.95;

/// The chance that the recogniser does not see a person whom it knows in a photo whose words name the person.
pub const MISSED_CHANCE: f64 = 0.35;

/// What the photos that were looked at tell of the names beside them, for names of one word and of several.
#[derive(Debug, Clone, Copy)]
pub struct RecognisableNames {
    prior_of_one_word: f64,
    of_one_word: Counts,
    of_several_words: Counts,
}

/// The names with a photo that was looked at.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    recognised: f64,
    /// How many would be recognised if the recogniser knew them all.
    all: f64,
}

impl RecognisableNames {
    /// Creates the chances for a run. `are_one_word` says whether the names of both people of the request have one word.
    pub fn new(are_one_word: bool) -> Self {
        Self {
            prior_of_one_word: if are_one_word {
                OF_ONE_WORD_AMONG_SUCH
            } else {
                OF_ONE_WORD
            },
            of_one_word: Counts::default(),
            of_several_words: Counts::default(),
        }
    }

    /// Notes whether the first photo that was looked at among those beside which a name stands shows its bearer. It may be
    /// somebody who was recognised before in another photo.
    pub fn note(&mut self, has_one_word: bool, is_recognised: bool) {
        let counts = if has_one_word {
            &mut self.of_one_word
        } else {
            &mut self.of_several_words
        };
        counts.recognised += if is_recognised { 1.0 } else { 0.0 };
        counts.all += 1.0 - MISSED_CHANCE;
    }

    /// Returns the chance that a name of one word or of several is that of a person whom the recogniser knows.
    pub fn chance(&self, has_one_word: bool) -> f64 {
        let (prior, counts) = if has_one_word {
            (self.prior_of_one_word, self.of_one_word)
        } else {
            (OF_SEVERAL_WORDS, self.of_several_words)
        };
        let chance = (PRIOR_NAMES * prior + counts.recognised) / (PRIOR_NAMES + counts.all);
        chance.min(CHANCE_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_photos_overturn_the_prior() {
        let mut names = RecognisableNames::new(false);
        assert!(names.chance(true) < 0.5 && names.chance(false) > 0.8);
        for _ in 0..4 {
            names.note(true, true);
            names.note(false, false);
        }
        assert!(names.chance(true) > 0.8 && names.chance(false) < 0.5);
    }

    #[test]
    fn who_is_missed_as_often_as_expected_changes_nothing() {
        let mut names = RecognisableNames::new(false);
        for number in 0..200 {
            names.note(
                false,
                f64::from(number % 20) < 20.0 * (1.0 - MISSED_CHANCE) * 0.9,
            );
        }
        assert!((names.chance(false) - 0.9).abs() < 0.05);
    }
}

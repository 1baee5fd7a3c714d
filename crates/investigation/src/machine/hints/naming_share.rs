//! The share of the people in photos whom the words beside the photos name.

/// The weight of the prior for the share of people who are named, in people.
const PRIOR_PEOPLE: f64 = 2.0;

/// The prior share of people who are named.
const PRIOR_NAMED: f64 = 0.35;

/// The weight of a photo that a question about a person found: the photo probably shows the person, and the words beside
/// it may have been what the image search has found.
const ASKED_WEIGHT: f64 = 0.5;

/// Words name enough people if the share is at least this.
const SHARE_MIN: f64 = 0.5;

/// Hysteresis: once words name enough people, they count as doing so until the share falls below this. A run that goes to
/// and fro between two ways of searching pays for both.
const SHARE_KEPT_MIN: f64 = 0.35;

/// How many of the people in photos are named by the words beside the photos, by image search.
#[derive(Debug, Clone, Default)]
pub struct NamingShares {
    /// By image search.
    counts: Vec<Counts>,
}

/// The people in the photos of one image search.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// How many people were named, and how many there are, weighted.
    named: f64,
    all: f64,
    /// Whether words name enough people.
    is_enough: bool,
}

impl Counts {
    fn share(self) -> f64 {
        (PRIOR_PEOPLE * PRIOR_NAMED + self.named) / (PRIOR_PEOPLE + self.all)
    }
}

impl NamingShares {
    /// Notes a photo that a question has found, and whether words name somebody of the question.
    pub fn note_asked(&mut self, source: usize, is_named: bool) {
        self.note(source, is_named, ASKED_WEIGHT);
    }

    /// Notes that a photo shows a person whom its question does not name.
    pub fn note_shown(&mut self, source: usize, is_named: bool) {
        self.note(source, is_named, 1.0);
    }

    fn note(&mut self, source: usize, is_named: bool, weight: f64) {
        if self.counts.len() <= source {
            self.counts.resize(source + 1, Counts::default());
        }
        if let Some(counts) = self.counts.get_mut(source) {
            counts.named += if is_named { weight } else { 0.0 };
            counts.all += weight;
            let least = if counts.is_enough {
                SHARE_KEPT_MIN
            } else {
                SHARE_MIN
            };
            counts.is_enough = counts.share() >= least;
        }
    }

    /// Returns the estimated share of people who are named, 0 to 1.
    pub fn of(&self, source: usize) -> f64 {
        self.counts.get(source).copied().unwrap_or_default().share()
    }

    /// Returns whether the words of any image search name enough people to decide what is paid for.
    pub fn is_enough(&self) -> bool {
        self.counts.iter().any(|counts| counts.is_enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_photos_overturn_the_prior() {
        let mut shares = NamingShares::default();
        assert!((shares.of(0) - PRIOR_NAMED).abs() < 1e-9);
        for _ in 0..6 {
            shares.note_shown(0, true);
            shares.note_shown(1, false);
        }
        assert!(shares.of(0) > 0.8 && shares.of(1) < 0.2);
        assert!(
            (shares.of(2) - PRIOR_NAMED).abs() < 1e-9,
            "each image search has its own"
        );
    }

    #[test]
    fn whoever_was_asked_for_says_less_than_who_was_seen() {
        let mut asked = NamingShares::default();
        let mut seen = NamingShares::default();
        for _ in 0..3 {
            asked.note_asked(0, true);
            seen.note_shown(0, true);
        }
        assert!(PRIOR_NAMED < asked.of(0) && asked.of(0) < seen.of(0));
    }
}

//! The share of the people in photos whom the words beside the photos name.

/// The weight of the prior for the share of people who are named, in people.
const PRIOR_PEOPLE: f64 = 2.0;

/// The prior share of people who are named.
const PRIOR_NAMED: f64 = 0.35;

/// The weight of a photo that a question about a person found: the photo probably shows the person, and the words beside
/// it may have been what the image search has found.
const ASKED_WEIGHT: f64 = 0.5;

/// Words name enough people if the share is at least this.
const SHARE_ENOUGH: f64 = 0.5;

/// Once words name enough people, they do so until the share falls below this: a run that changes its ways often pays for
/// both.
const SHARE_ENOUGH_STILL: f64 = 0.35;

/// How many of the people in photos are named by the words beside the photos, by image search.
#[derive(Debug, Clone, Default)]
pub struct NamingShares {
    seen: Vec<Seen>,
}

/// The people in the photos of one image search.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// How many people were named, and how many there are, weighted.
    named: f64,
    all: f64,
    /// Whether words name enough people.
    is_enough: bool,
}

impl Seen {
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
        if self.seen.len() <= source {
            self.seen.resize(source + 1, Seen::default());
        }
        if let Some(seen) = self.seen.get_mut(source) {
            seen.named += if is_named { weight } else { 0.0 };
            seen.all += weight;
            let least = if seen.is_enough {
                SHARE_ENOUGH_STILL
            } else {
                SHARE_ENOUGH
            };
            seen.is_enough = seen.share() >= least;
        }
    }

    /// Returns the estimated share of people who are named, 0 to 1.
    pub fn of(&self, source: usize) -> f64 {
        self.seen.get(source).copied().unwrap_or_default().share()
    }

    /// Returns whether the words of any image search name enough people to decide what is paid for.
    pub fn is_enough(&self) -> bool {
        self.seen.iter().any(|seen| seen.is_enough)
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

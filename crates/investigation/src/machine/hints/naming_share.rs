//! The share of the people in photos whom the words beside the photos name.

/// The weight of the prior for the share of people who are named, in people.
const PRIOR_PEOPLE: f64 = 2.0;

/// The prior share of people who are named.
const PRIOR_NAMED: f64 = 0.35;

/// The weight of a photo that a question about a person found: the photo probably shows the person, and the words beside
/// it may have been what the image search has found.
const ASKED_WEIGHT: f64 = 0.5;

/// The greatest weight of all such photos together. They say nothing of the others in a photo, whom only a look shows.
const ASKED_WEIGHT_MAX: f64 = 10.0;

/// Words begin to decide only if the share is at least this.
const SHARE_MIN: f64 = 0.4;

/// Once photos were looked at, words begin to decide only if they name this share of the people whom the photos show.
const SHOWN_SHARE_MIN: f64 = 0.45;

/// Once words decide, they do so until they name less than this share of the people whom photos show. It is low, because
/// a run that goes to and fro between two ways of searching pays for both.
const SHOWN_SHARE_KEPT_MIN: f64 = 0.12;

/// The weight of the prior for the share of the people whom photos show, in people.
const PRIOR_SHOWN: f64 = 4.0;

/// Words begin to decide only if they name somebody for whom nobody has asked beside at least this share of the photos.
/// Elsewhere nothing is known of the people beside those who were asked for.
const OTHERS_MIN: f64 = 0.3;

/// How many of the people in photos are named by the words beside the photos, by image search.
#[derive(Debug, Clone, Default)]
pub struct NamingShares {
    /// By image search.
    counts: Vec<Counts>,
}

/// The people in the photos of one image search.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// The photos that questions have found. Those whose words name somebody of the question count as named.
    asked: Named,
    /// The people whom photos show and for whom nobody has asked.
    shown: Named,
    /// For the photos that questions have found, the sum of the chances that their words name somebody else.
    naming_others: f64,
    /// Whether words name enough people to decide what is paid for.
    is_enough: bool,
}

/// How many are named, and how many there are.
#[derive(Debug, Clone, Copy, Default)]
struct Named {
    named: f64,
    all: f64,
}

impl Named {
    fn note(&mut self, is_named: bool) {
        self.named += if is_named { 1.0 } else { 0.0 };
        self.all += 1.0;
    }
}

impl Counts {
    fn share(self) -> f64 {
        let Self { asked, shown, .. } = self;
        let weight = ASKED_WEIGHT.min(ASKED_WEIGHT_MAX / asked.all.max(1.0));
        (PRIOR_PEOPLE * PRIOR_NAMED + weight * asked.named + shown.named)
            / (PRIOR_PEOPLE + weight * asked.all + shown.all)
    }

    /// Returns the share of the people whom photos show and for whom nobody has asked.
    fn shown_share(self) -> f64 {
        (PRIOR_SHOWN * PRIOR_NAMED + self.shown.named) / (PRIOR_SHOWN + self.shown.all)
    }

    fn decide(&mut self) {
        let tells_much =
            self.share() >= SHARE_MIN && self.naming_others >= OTHERS_MIN * self.asked.all;
        let is_seen = self.shown.all >= 1.0;
        self.is_enough = match (is_seen, self.is_enough) {
            (false, _) => tells_much,
            (true, true) => self.shown_share() >= SHOWN_SHARE_KEPT_MIN,
            (true, false) => tells_much && self.shown_share() >= SHOWN_SHARE_MIN,
        };
    }
}

impl NamingShares {
    /// Notes a photo that a question has found, whether words name somebody of the question, and the chance that they name
    /// others.
    pub fn note_asked(&mut self, source: usize, is_named: bool, others: f64) {
        if let Some(counts) = self.counts_mut(source) {
            counts.asked.note(is_named);
            counts.naming_others += others;
            counts.decide();
        }
    }

    /// Notes that a photo shows a person whom its question does not name.
    pub fn note_shown(&mut self, source: usize, is_named: bool) {
        if let Some(counts) = self.counts_mut(source) {
            counts.shown.note(is_named);
            counts.decide();
        }
    }

    fn counts_mut(&mut self, source: usize) -> Option<&mut Counts> {
        if self.counts.len() <= source {
            self.counts.resize(source + 1, Counts::default());
        }
        self.counts.get_mut(source)
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
    fn words_that_name_only_whom_one_asks_for_are_not_enough() {
        let mut shares = NamingShares::default();
        for photo in 0..10 {
            shares.note_asked(0, true, 0.0);
            shares.note_asked(1, true, 0.9 * f64::from(photo % 2));
        }
        let [of_asked, of_all] = shares.counts.as_slice() else {
            panic!("two image searches");
        };
        assert!(!of_asked.is_enough && of_all.is_enough);
        for _ in 0..20 {
            shares.note_asked(1, false, 0.0);
        }
        assert!(!shares.is_enough(), "the first words are not all");
    }

    #[test]
    fn words_that_decide_go_on_unless_photos_belie_them() {
        let mut shares = NamingShares::default();
        for _ in 0..10 {
            shares.note_asked(0, true, 0.9);
        }
        assert!(shares.is_enough());
        for _ in 0..3 {
            shares.note_shown(0, false);
        }
        assert!(shares.is_enough(), "a few unnamed people change nothing");
        for _ in 0..7 {
            shares.note_shown(0, false);
        }
        assert!(!shares.is_enough());
        shares.note_shown(0, true);
        assert!(!shares.is_enough(), "it does not go to and fro");
    }

    #[test]
    fn whoever_was_asked_for_says_less_than_who_was_seen() {
        let mut asked = NamingShares::default();
        let mut seen = NamingShares::default();
        for _ in 0..3 {
            asked.note_asked(0, true, 0.9);
            seen.note_shown(0, true);
        }
        assert!(PRIOR_NAMED < asked.of(0) && asked.of(0) < seen.of(0));
    }
}

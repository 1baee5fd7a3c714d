//! What speaks against a photo before it is recognised: its file, the words beside it, and its date. None of it costs a
//! call. A photo that is rejected here proves nothing, so nothing is paid for it.

use domain::{DateSource, Hit, Limits, Taken, WordDoubt, WordUse, word_doubt_of};

use crate::machine::Fetched;

/// Returns what the words beside a photo say against it, if the run's limits count words.
#[must_use]
pub fn word_doubt(limits: &Limits, hit: &Hit) -> Option<WordDoubt> {
    let is_judged = limits.words >= WordUse::Doubts;
    is_judged.then(|| word_doubt_of(hit)).flatten()
}

/// Returns the hit that a fetched photo belongs to. For a photo of which the run knew nothing but that it is
/// remembered, it is the remembered one.
#[must_use]
pub fn shown_hit<'hit>(asked: &'hit Hit, fetched: &'hit Fetched) -> &'hit Hit {
    let remembered = fetched.remembered.as_deref();
    remembered
        .and_then(|told| told.hit.as_ref())
        .unwrap_or(asked)
}

/// Returns when a photo was taken, according to its file, or else according to the page that shows it.
#[must_use]
pub fn taken(hit: &Hit, fetched: &Fetched) -> Option<Taken> {
    let of_page = || {
        Some(Taken {
            date: hit.hints.taken?,
            source: DateSource::Provider,
        })
    };
    fetched.provenance.taken.or_else(of_page)
}

/// Returns why a fetched photo proves nothing in a run with these limits, as the end of a sentence about the photo;
/// `None` if it must be recognised to find out.
#[must_use]
pub fn rejection(limits: &Limits, hit: &Hit, fetched: &Fetched) -> Option<String> {
    let hit = shown_hit(hit, fetched);
    let making = fetched.provenance.making.as_ref();
    let by_making = making.filter(|making| making.rejects());
    let by_making = by_making.map(ToString::to_string);
    let by_words = || {
        let doubt = word_doubt(limits, hit).filter(|doubt| doubt.rejects)?;
        Some(doubt.to_string())
    };
    let by_date = || limits.years.rejection(taken(hit, fetched));
    by_making.or_else(by_words).or_else(by_date)
}

#[cfg(test)]
mod tests {
    use domain::{
        CalendarDate, CollageCheck, Hints, Making, PhotoCopy, Provenance, RememberedAnswer,
        Sha256Digest, Statement, YearRange,
    };

    use super::*;
    use crate::machine::Remembered;

    fn limits() -> Limits {
        Limits {
            words: WordUse::Doubts,
            ..Limits::default()
        }
    }

    fn fetched(provenance: Provenance) -> Fetched {
        Fetched {
            digest: Sha256Digest::new([1; 32]),
            copy: PhotoCopy::Image,
            sent: None,
            fingerprint: None,
            provenance,
            remembered: None,
        }
    }

    fn titled(title: &str) -> Hit {
        Hit {
            title: title.into(),
            ..Hit::default()
        }
    }

    #[test]
    fn the_file_comes_before_the_words_and_these_before_the_date() {
        let made = |by: Option<&str>| Provenance {
            making: Some(Making::Generated {
                by: by.map(str::to_owned),
                statement: Statement::Software,
            }),
            taken: None,
        };
        let limits = Limits {
            years: YearRange {
                since: Some(2000),
                until: None,
            },
            ..limits()
        };
        let wax = titled("Ann at Madame Tussauds");
        let why = |hit: &Hit, provenance| rejection(&limits, hit, &fetched(provenance));
        let told = "it was generated, as the program named in its file says (Midjourney)";
        assert_eq!(why(&wax, made(Some("Midjourney"))).as_deref(), Some(told));
        let told = "the words beside it tell of a wax figure (“Madame Tussauds”)";
        assert_eq!(why(&wax, Provenance::default()).as_deref(), Some(told));
        let told = "nothing says when it was taken";
        assert_eq!(
            why(&titled("Ann"), Provenance::default()).as_deref(),
            Some(told)
        );
    }

    #[test]
    fn the_camera_knows_a_date_better_than_the_page() {
        let hit = Hit {
            hints: Hints {
                taken: CalendarDate::new(2012, None, None),
                ..Hints::default()
            },
            ..Hit::default()
        };
        let of_page = taken(&hit, &fetched(Provenance::default())).unwrap();
        assert_eq!(of_page.to_string(), "2012, by the page that shows it");
        let by_camera = Provenance {
            making: None,
            taken: Taken::read("2009:05:17 14:03:22", DateSource::Camera),
        };
        let taken = taken(&hit, &fetched(by_camera)).unwrap();
        assert_eq!(taken.to_string(), "2009-05-17, by the camera");
    }

    #[test]
    fn a_remembered_photo_is_judged_by_its_own_hit() {
        let answer = RememberedAnswer {
            faces: Vec::new(),
            by: domain::RecognisedBy {
                recogniser: String::new(),
                model: None,
            },
            candidates: None,
            at_ms: 0,
            body: None,
        };
        let remembered = Remembered {
            hit: Some(titled("Ann at Madame Tussauds")),
            ..Remembered::new(answer, CollageCheck::Passed)
        };
        let fetched = Fetched {
            remembered: Some(Box::new(remembered)),
            ..fetched(Provenance::default())
        };
        assert!(rejection(&limits(), &titled("Ann"), &fetched).is_some());
        let older = Limits::default();
        assert_eq!(rejection(&older, &titled("Ann"), &fetched), None);
    }
}

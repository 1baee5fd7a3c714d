//! What speaks against a photo before it is recognised: its file, the words beside it, and its date. None of it costs a
//! call. A photo that is rejected here proves nothing, so nothing is paid for it.

use domain::{DateSource, Hit, Limits, Taken, WordDoubt, WordUse, word_doubt_of};

use crate::machine::Fetched;

/// Returns what the words beside a photo say against it, if the run's limits count words.
#[must_use]
pub fn word_doubt(limits: &Limits, hit: &Hit) -> Option<WordDoubt> {
    let is_judged = limits.words == WordUse::Doubts;
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

//! Builds the certificate of a final chain.

use domain::{Chain, CollageCheck, Confidence, Pair, PersonIndex, Sighting, WordUse};

use crate::machine::facts::{AskedQuery, Facts, ListKey, query};
use crate::machine::interface::{
    CertificateReport, PairReport, ProvenPhotoReport, ProvenReport, YearsReport,
};

use super::report::{person_ref, photos_of};
use super::{counted, doubt_beside_pixels, listed};

/// Builds the certificate of a chain. It states the number of photos of each edge. For each two people who are not
/// neighbours in the chain, it states whether they were searched for together, because a photo of both would shorten
/// the chain.
///
/// `is_checked` returns whether a link's second photo was searched for.
pub fn certificate(
    facts: &Facts,
    chain: &Chain,
    is_checked: impl Fn(Pair) -> bool,
) -> CertificateReport {
    let mut certificate = CertificateReport {
        years: years(facts, chain),
        proven: proven(facts, chain, is_checked),
        ..CertificateReport::default()
    };
    for (place, one) in chain.people.iter().enumerate() {
        for other in chain.people.iter().skip(place + 2) {
            let photos = photos_of_either(facts, *one, *other);
            let pair = |message: String| PairReport {
                between: [*one, *other].map(|person| person_ref(facts, person).id),
                photos,
                message,
            };
            let (one, other) = (facts.name(*one), facts.name(*other));
            let asked = asked_for_both(facts, one, other);
            if let Some(asked) = asked {
                certificate.excluded.push(pair(format!(
                    "no photo of {one} with {other} among {photos} looked at{asked}"
                )));
            } else {
                let message = format!("no search for {one} with {other} was answered");
                certificate.open.push(pair(message));
            }
        }
    }
    certificate
}

fn proven(facts: &Facts, chain: &Chain, is_checked: impl Fn(Pair) -> bool) -> Vec<ProvenReport> {
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    let proven = neighbours.zip(&chain.edges).map(|((from, to), edge)| {
        let photos = edge.evidence().len();
        let is_confirmed = is_checked(edge.pair()).then_some(photos > 1);
        let looked_for = match is_confirmed {
            None => "",
            Some(true) => "; a second one was looked for and found",
            Some(false) => "; a second one was looked for and not found",
        };
        let best = photos_of(facts, *from, *to, edge).first().copied();
        let judges = facts.limits().words >= WordUse::Doubts;
        let best = best.filter(|_| judges);
        let claims = best.map_or_else(String::new, |best| claims(facts, best, photos));
        ProvenReport {
            from: person_ref(facts, *from).id,
            to: person_ref(facts, *to).id,
            photos,
            is_confirmed,
            best: best.map(best_photo),
            message: format!(
                "{} of {} with {}{looked_for}{claims}",
                counted(photos, "photo", "photos"),
                facts.name(*from),
                facts.name(*to)
            ),
        }
    });
    proven.collect()
}

fn best_photo(sighting: &Sighting) -> ProvenPhotoReport {
    ProvenPhotoReport {
        recognised_by: sighting.recognised_by.clone(),
        pixels: match sighting.collage_check {
            CollageCheck::Passed => "passed",
            CollageCheck::NotJudged(_) => "not judged",
            CollageCheck::Doubtful | CollageCheck::Vetoed(_) => CollageCheck::DOUBTFUL,
        },
        taken: sighting.provenance.taken,
        making: sighting.provenance.making.as_ref().map(ToString::to_string),
    }
}

/// Returns the end of a sentence about an edge's best photo: who recognised the two, what its pixels show, when it was taken, what
/// made it, and what else speaks against it.
fn claims(facts: &Facts, best: &Sighting, photos: usize) -> String {
    let which = if photos > 1 { " (of the best one)" } else { "" };
    let by = best.recognised_by.as_ref();
    let by = by.map_or_else(String::new, |by| format!("; recognised by {by}"));
    let pixels = match best.collage_check {
        CollageCheck::Passed => "the pixels show no sign of a collage".to_owned(),
        CollageCheck::NotJudged(why) => {
            format!("the pixels could not be judged, since {}", why.reason())
        }
        CollageCheck::Doubtful | CollageCheck::Vetoed(_) => {
            "the pixels nearly show a collage".to_owned()
        }
    };
    let made = match (&best.provenance.taken, &best.provenance.making) {
        (None, None) => "nothing says when it was taken or what made it".to_owned(),
        (Some(taken), None) => format!("taken {taken}; its file does not say what made it"),
        (None, Some(making)) => format!("nothing says when it was taken; {making}"),
        (Some(taken), Some(making)) => format!("taken {taken}; {making}"),
    };
    let doubt = doubt_beside_pixels(facts, best);
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; it is doubtful: {doubt}"));
    format!("{by}; {pixels}{which}; {made}{doubt}")
}

/// Returns when the best photos of a chain's edges were taken; `None` if nothing says so of any.
fn years(facts: &Facts, chain: &Chain) -> Option<YearsReport> {
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    let dated: Vec<u16> = neighbours
        .zip(&chain.edges)
        .filter_map(|((from, to), edge)| {
            let best = photos_of(facts, *from, *to, edge).first().copied()?;
            Some(best.provenance.taken?.date.year())
        })
        .collect();
    let (since, until) = (*dated.iter().min()?, *dated.iter().max()?);
    let when = if since == until {
        format!("in {since}")
    } else {
        format!("between {since} and {until}")
    };
    let (dated, all) = (dated.len(), chain.edges.len());
    let message = match all {
        1 => format!("The photo was taken {when}, as far as is said."),
        _ if dated == all => format!("The photos were taken {when}, as far as is said."),
        _ => format!(
            "{dated} of {all} photos were taken {when}, as far as is said; the others have no date."
        ),
    };
    Some(YearsReport {
        since,
        until,
        message,
    })
}

/// Returns the number of photos looked at that show at least one of the two people at the threshold and were not
/// rejected.
fn photos_of_either(facts: &Facts, one: PersonIndex, other: PersonIndex) -> usize {
    let threshold = facts.knowledge().threshold();
    let shows = |face: Option<Confidence>| face.is_some_and(|sure| sure >= threshold);
    let sightings = facts.knowledge().sightings().iter();
    sightings
        .filter(|sighting| {
            let could_prove = sighting.rejection().is_none();
            let shows_one = shows(sighting.confidence_of(one));
            could_prove && (shows_one || shows(sighting.confidence_of(other)))
        })
        .count()
}

/// Returns the end of a sentence that says which image searches have answered a query that names both people. It is
/// empty if the run has only one image search, and `None` if none has answered such a query.
fn asked_for_both(facts: &Facts, one: &str, other: &str) -> Option<String> {
    let queries = query::naming_both(one, other);
    let has_answered = |source: &usize| {
        queries.iter().any(|query| {
            let query = query.text().to_owned();
            let list = ListKey {
                query,
                source: *source,
            };
            let asked = facts.knowledge().list(&list);
            asked.is_some_and(AskedQuery::is_answered)
        })
    };
    let sources = facts.request().sources.len();
    let asked: Vec<usize> = (0..sources.max(1)).filter(has_answered).collect();
    if asked.is_empty() {
        return None;
    }
    if sources < 2 {
        return Some(String::new());
    }
    let names: Vec<&str> = asked
        .iter()
        .filter_map(|source| facts.source(*source))
        .map(|source| source.name.as_str())
        .collect();
    let verb = if names.len() == 1 { "was" } else { "were" };
    Some(format!("; {} {verb} asked for both", listed(&names)))
}

//! The line about what a photo shows.

use std::fmt::Write as _;

use domain::{CollageCheck, EvidenceRef, FaceDoubt, Sighting};

use crate::machine::facts::{Facts, Subject};

use super::words::listed;

/// Writes the line of one of a search's photos, like `Photo 2 of 5 shows A and B, but not C.` The
/// search may be one that is to show two people together.
pub fn photo_line(
    facts: &Facts,
    (number, all): (usize, usize),
    wanted: Option<(Subject, Subject)>,
    reference: EvidenceRef,
) -> String {
    let Some(sighting) = facts.knowledge().sighting(reference) else {
        return String::new();
    };
    let threshold = facts.knowledge().threshold();
    let sure: Vec<&str> = sighting
        .faces
        .iter()
        .filter(|face| face.confidence >= threshold)
        .map(|face| facts.name(face.person))
        .collect();
    let unsure = sighting.faces.len() - sure.len();
    let mut line = match sure.as_slice() {
        [] => format!("Photo {number} of {all} shows nobody for certain"),
        names => format!("Photo {number} of {all} shows {}", listed(names)),
    };
    // Writing to a String cannot fail.
    if let Some(veto) = sighting.collage_check.veto() {
        let _ = write!(line, ", but looks put together: {}.", veto.reason());
        return line;
    }
    if unsure > 0 {
        let _ = write!(line, ", and {unsure} below the threshold");
    }
    if let Some(missing) = wanted.and_then(|two| missing_of(facts, two, sighting)) {
        let _ = write!(line, ", but not {missing}");
    }
    if let Some(doubt) = face_doubt_words(facts, sighting) {
        let _ = write!(line, ", and is doubtful: {doubt}");
    }
    line.push('.');
    line
}

/// Returns why a photo is doubtful, as the end of a sentence. Returns `None` where it is not.
pub fn doubt_words(facts: &Facts, sighting: &Sighting) -> Option<String> {
    let by_pixels = || {
        let is_doubtful = sighting.collage_check == CollageCheck::Doubtful;
        is_doubtful.then(|| "it nearly looks put together".to_owned())
    };
    face_doubt_words(facts, sighting).or_else(by_pixels)
}

fn face_doubt_words(facts: &Facts, sighting: &Sighting) -> Option<String> {
    Some(match sighting.face_doubt? {
        FaceDoubt::OneFace(one, other) => {
            let (one, other) = (facts.name(one), facts.name(other));
            format!("{one} and {other} are one face in it")
        }
        FaceDoubt::Twice(person) => format!("{} is in it twice", facts.name(person)),
    })
}

/// Returns the one of the two wanted people who is not in a photo that shows the other.
fn missing_of<'run>(
    facts: &'run Facts,
    (one, other): (Subject, Subject),
    sighting: &Sighting,
) -> Option<&'run str> {
    let knowledge = facts.knowledge();
    let is_in = |subject: Subject| {
        knowledge
            .person_of(subject)
            .and_then(|person| sighting.confidence_of(person))
            .is_some_and(|confidence| confidence >= knowledge.threshold())
    };
    match (is_in(one), is_in(other)) {
        (true, false) => Some(knowledge.name_of(other)),
        (false, true) => Some(knowledge.name_of(one)),
        _ => None,
    }
}

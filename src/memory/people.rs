//! The people of a photo, as the memory knows them.

use std::collections::BTreeMap;

use domain::{Confidence, Face, PAIRED_PEOPLE_MAX, THRESHOLD_PERCENT_MIN, fold};

/// The most words after the first of a name by which somebody is found.
const NAME_WORDS_MAX: usize = 6;

/// Returns the people of whom the recogniser is sure enough for some run, each once, by their ids: at most
/// [`PAIRED_PEOPLE_MAX`].
#[must_use]
pub fn sure_people(faces: &[Face]) -> Vec<(String, &Face)> {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let mut sure: Vec<(String, &Face)> = Vec::new();
    for face in faces
        .iter()
        .filter(|face| face.confidence.percent() >= least)
    {
        let id = id_of(face);
        match sure.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) if known.confidence < face.confidence => *known = face,
            Some(_) => {}
            None if fold(&face.name).is_empty() => {}
            None => sure.push((id, face)),
        }
    }
    sure.truncate(PAIRED_PEOPLE_MAX);
    sure
}

/// Returns everybody whom the recogniser names, sure or not, each once with the highest confidence.
#[must_use]
pub fn named_people(faces: &[Face]) -> BTreeMap<String, Confidence> {
    let mut named = BTreeMap::new();
    for face in faces.iter().filter(|face| !fold(&face.name).is_empty()) {
        let known = named.entry(id_of(face)).or_insert(face.confidence);
        *known = face.confidence.max(*known);
    }
    named
}

/// Returns the recogniser's id of a face, or the one made of the name where it gave none.
fn id_of(face: &Face) -> String {
    if face.id.is_empty() {
        format!("name:{}", fold(&face.name))
    } else {
        face.id.clone()
    }
}

/// Returns a folded name from each of its words on: somebody is found by the beginning of each part.
pub(super) fn name_parts(folded: &str) -> Vec<&str> {
    let later = folded.match_indices(' ').take(NAME_WORDS_MAX);
    let later = later.filter_map(|(space, _)| folded.get(space + 1..));
    std::iter::once(folded).chain(later).collect()
}

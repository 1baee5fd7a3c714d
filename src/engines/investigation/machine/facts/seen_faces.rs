//! The faces of a photo as they are kept.

use crate::domain::{Face, PersonIndex, SeenFace, fold};

/// Returns whether a face has neither id nor name, so that it is nobody.
pub(super) fn is_nameless(face: &Face) -> bool {
    face.id.is_empty() && fold(&face.name).is_empty()
}

/// Adds a face. The same person twice in one photo counts once, with the best confidence.
pub(super) fn add_face(seen: &mut Vec<SeenFace>, person: PersonIndex, face: &Face) {
    let face = SeenFace {
        person,
        confidence: face.confidence,
        face_box: face.face_box,
    };
    match seen.iter_mut().find(|known| known.person == person) {
        Some(known) if known.confidence < face.confidence => *known = face,
        Some(_) => {}
        None => seen.push(face),
    }
}

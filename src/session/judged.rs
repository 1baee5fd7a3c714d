//! A photo's faces, with what its pixels say against them.

use crate::collage;
use crate::domain::{Face, FaceBox, THRESHOLD_PERCENT_MIN};
use crate::investigation::Recognised;

/// What a photo shows, and whether its pixels speak against it. These are looked at only where two
/// faces are sure enough for some run: otherwise it proves nothing anyway.
#[must_use]
pub fn judged(bytes: &[u8], faces: Vec<Face>) -> Recognised {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let sure = faces
        .iter()
        .filter(|face| face.confidence.percent() >= least);
    let boxes: Vec<FaceBox> = sure.map(|face| face.face_box).collect();
    let veto = if boxes.len() < 2 {
        None
    } else {
        collage::judge(bytes, &boxes)
    };
    Recognised { faces, veto }
}

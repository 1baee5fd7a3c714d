//! Whether a photo's pixels speak against what its faces seem to prove.

use crate::collage;
use crate::domain::{Face, FaceBox, THRESHOLD_PERCENT_MIN, Veto};

/// Why a photo proves nothing about the people in it, where its pixels show that it was put
/// together from several. They are looked at only where two faces are sure enough for some run: any
/// other photo proves nothing anyway.
#[must_use]
pub fn collage_veto(photo: &[u8], faces: &[Face]) -> Option<Veto> {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let sure = faces
        .iter()
        .filter(|face| face.confidence.percent() >= least);
    let boxes: Vec<FaceBox> = sure.map(|face| face.face_box).collect();
    if boxes.len() < 2 {
        return None;
    }
    collage::judge(photo, &boxes)
}

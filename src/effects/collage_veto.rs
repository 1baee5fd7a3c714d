//! The check whether a photo's pixels speak against what its faces seem to prove.

use crate::collage::{FaceArea, Sign, judge};
use crate::domain::{Face, FaceBox, THRESHOLD_PERCENT_MIN, Veto};

/// Returns why a photo proves nothing about the people in it, where its pixels show that it was put
/// together from several. The pixels are looked at only where two faces are sure enough for some
/// run, since any other photo proves nothing anyway.
#[must_use]
pub fn collage_veto(photo: &[u8], faces: &[Face]) -> Option<Veto> {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let sure = faces
        .iter()
        .filter(|face| face.confidence.percent() >= least);
    let areas: Vec<FaceArea> = sure.map(|face| area(face.face_box)).collect();
    if areas.len() < 2 {
        return None;
    }
    judge(photo, &areas).map(|sign| match sign {
        Sign::Seam => Veto::Seam,
        Sign::Inset => Veto::Inset,
    })
}

fn area(face: FaceBox) -> FaceArea {
    let FaceBox {
        left,
        top,
        width,
        height,
    } = face;
    FaceArea {
        left,
        top,
        width,
        height,
    }
}

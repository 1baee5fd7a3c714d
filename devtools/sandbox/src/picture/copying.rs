//! Makes copies of drawn photos as other sites have them: smaller, in another quality, and often cropped.

use super::label::{Label, LabelledFace};
use super::pixels::Pixels;
use crate::world::Listed;

/// The shortest side of a copy, in pixels. Every recogniser accepts a picture of this size.
const SIDE_PX_MIN: u16 = 100;

/// Returns the pixels of a copy, its size, and the faces whose middle is still in it.
pub(super) fn copied(
    pixels: &Pixels,
    label: &Label,
    listed: Listed,
) -> (Vec<u8>, (u16, u16), Label) {
    let (width, height) = pixels.size_px();
    let [left, top, right, bottom] = listed.cut();
    let part = |length: u16, share: f64| px(f64::from(length) * share);
    let kept = (
        width - part(width, left) - part(width, right),
        height - part(height, top) - part(height, bottom),
    );
    let corner = (part(width, left).into(), part(height, top).into());
    let cut = pixels.cropped(corner, kept);
    let scale = listed
        .scale()
        .max(f64::from(SIDE_PX_MIN) / f64::from(kept.0.min(kept.1)));
    let small = (part(kept.0, scale.min(1.0)), part(kept.1, scale.min(1.0)));
    let rgb = super::encode::shrink(
        &cut.into_rgb(),
        (kept.0.into(), kept.1.into()),
        (small.0.into(), small.1.into()),
    );
    let faces = label
        .faces
        .iter()
        .filter_map(|face| moved(face, listed.cut()));
    let label = Label {
        world: label.world.clone(),
        photo: label.photo,
        faces: faces.collect(),
    };
    (rgb, small, label)
}

/// Returns a face at its position in the copy, or `None` if the middle of the face was cropped away.
fn moved(face: &LabelledFace, [left, top, right, bottom]: [f64; 4]) -> Option<LabelledFace> {
    let (width, height) = (1.0 - left - right, 1.0 - top - bottom);
    let moved = LabelledFace {
        left: (face.left - left) / width,
        top: (face.top - top) / height,
        width: face.width / width,
        height: face.height / height,
        ..*face
    };
    let middle = (
        moved.left + moved.width / 2.0,
        moved.top + moved.height / 2.0,
    );
    let is_inside = |place: f64| (0.0..=1.0).contains(&place);
    (is_inside(middle.0) && is_inside(middle.1)).then_some(moved)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length within a picture"
)]
fn px(length: f64) -> u16 {
    length as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_moved_with_the_picture_or_cut_away() {
        let face = |left| LabelledFace {
            person: 1,
            left,
            top: 0.4,
            width: 0.1,
            height: 0.2,
        };
        let cut = [0.2, 0.0, 0.0, 0.0];
        let moved_face = moved(&face(0.6), cut).unwrap();
        assert!((moved_face.left - 0.5).abs() < 1e-9, "{moved_face:?}");
        assert!((moved_face.width - 0.125).abs() < 1e-9, "{moved_face:?}");
        assert_eq!(moved(&face(0.1), cut), None);
    }
}

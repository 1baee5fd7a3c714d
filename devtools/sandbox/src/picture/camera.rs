//! Photographs a group as a camera would: never quite level, in daylight, with sensor noise. Every photo of a world is
//! made this way, and so is each part of a collage.

use super::group::{self, Backdrop};
use super::keyed_rng::KeyedRng;
use super::label::LabelledFace;
use super::pixels::Pixels;
use crate::world::World;

/// Takes a photo of people, from left to right, and returns it with the positions of their faces.
pub(super) fn photo(
    world: &World,
    people: &[usize],
    size_px: (u16, u16),
    rng: KeyedRng,
    setting: Backdrop,
) -> Option<(Pixels, Vec<LabelledFace>)> {
    // The camera leans, so it sees past the edges of a level picture; therefore a little more is painted.
    let grown = |side: u16| side.checked_add(side / 16);
    let painted_px = (grown(size_px.0)?, grown(size_px.1)?);
    let (canvas, faces) = group::paint(world, people, painted_px, rng, setting)?;
    let slope = lean(rng);
    let mut pixels = Pixels::new(painted_px, &canvas.into_rgb()).leaned(slope, size_px);
    pixels.expose(rng.nested("exposure", 0));
    let faces = faces.into_iter();
    let faces = faces.map(|face| leaned(face, slope, painted_px, size_px));
    Some((pixels, faces.collect()))
}

/// Returns the slope of the picture, in pixels per pixel: a degree or two, seldom none.
fn lean(rng: KeyedRng) -> f32 {
    let three = ["lean", "lean too", "lean again"].map(|what| rng.span(what, -0.028, 0.028));
    three.into_iter().sum()
}

/// Returns a face's position after the picture was rotated by [`Pixels::leaned`].
fn leaned(face: LabelledFace, slope: f32, from_px: (u16, u16), to_px: (u16, u16)) -> LabelledFace {
    let slope = f64::from(slope);
    let sides = |(width, height): (u16, u16)| (f64::from(width), f64::from(height));
    let (from, to) = (sides(from_px), sides(to_px));
    let x = (face.left + face.width / 2.0 - 0.5) * from.0;
    let y = (face.top + face.height / 2.0 - 0.5) * from.1;
    let (width, height) = (face.width * from.0 / to.0, face.height * from.1 / to.1);
    LabelledFace {
        left: (x + y * slope) / to.0 + 0.5 - width / 2.0,
        top: (y - x * slope) / to.1 + 0.5 - height / 2.0,
        width,
        height,
        ..face
    }
}

/// Truncates a length to whole pixels; `None` outside 1 to 4,096.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a length in pixels"
)]
pub(super) fn u16_of(length: f32) -> Option<u16> {
    (1.0..=4_096.0).contains(&length).then_some(length as u16)
}

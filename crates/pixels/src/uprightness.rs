//! The uprightness of a line: how much of it there is in its column, and how much there would be in
//! a line that leans. A camera is hardly ever level; scissors are.

use super::bands::{Bands, Mean, distance};

/// A full step, of 255. Larger ones say no more, so that a few bands do not decide alone.
const STEP_FULL: f32 = 10.0;
/// The leans of the lines that it is compared with, in half pixels from the first band to the last.
const LEANS_HALF_PX: std::ops::RangeInclusive<i8> = 4..=16;
/// The distances from the column's middle at which they may pass it, in pixels.
const BESIDE_PX: [f32; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// The greatest distance from the column that such a line reaches, in pixels.
const REACH_PX: usize = 6;
/// The least share along a line that leans, for pictures that have no such line at all.
const LEANING_MIN: f32 = 0.01;

/// Returns the share of a full step at a column, in the mean over the bands: 0 to 1.
pub(super) fn level(bands: &Bands, column: usize) -> f32 {
    let steps = bands.iter().map(|band| step(band, column).min(STEP_FULL));
    steps.sum::<f32>() / (STEP_FULL * bands.count().max(1) as f32)
}

/// Returns how many times larger `level` is than the share along the best line that leans.
pub(super) fn over_leaning(bands: &Bands, column: usize, level: f32) -> f32 {
    // The steps are taken once for each band.
    let near: Vec<Vec<f32>> = bands.iter().map(|band| steps_near(band, column)).collect();
    let mut most = LEANING_MIN;
    for lean in LEANS_HALF_PX {
        let lean_px = f32::from(lean) / 2.0;
        for beside in BESIDE_PX {
            most = most.max(along(&near, beside, lean_px));
            most = most.max(along(&near, beside, -lean_px));
        }
    }
    level / most
}

/// Returns the steps around a column, which is in the middle of them.
fn steps_near(band: &[Mean], column: usize) -> Vec<f32> {
    let places = (column..).take(2 * REACH_PX + 1);
    places
        .map(|at| at.checked_sub(REACH_PX).map_or(0.0, |at| step(band, at)))
        .collect()
}

/// Returns the share of a full step along a line that leans and passes this far beside the middle.
fn along(near: &[Vec<f32>], beside: f32, lean_px: f32) -> f32 {
    let count = near.len().max(1) as f32;
    let mut sum = 0.0;
    for (number, steps) in near.iter().enumerate() {
        let down = (number as f32 + 0.5) / count - 0.5;
        sum += between(steps, REACH_PX as f32 + beside + lean_px * down).min(STEP_FULL);
    }
    sum / (STEP_FULL * count)
}

/// Returns the step at a place between two columns.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the reach, which is larger than all leaning"
)]
fn between(steps: &[f32], place: f32) -> f32 {
    let before = place.max(0.0) as usize;
    let part = place - before as f32;
    let at = |at: usize| steps.get(at).copied().unwrap_or(0.0);
    at(before) * (1.0 - part) + at(before + 1) * part
}

/// Returns the step from the pixel before to this one, in the colour in which it is largest.
fn step(band: &[Mean], at: usize) -> f32 {
    let before = at.checked_sub(1).and_then(|before| band.get(before));
    let steps = before.zip(band.get(at));
    steps.map_or(0.0, |(one, other)| distance(*one, *other))
}

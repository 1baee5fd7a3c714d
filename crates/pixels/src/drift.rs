//! The drift of a line from the first band to the last, and where exactly it is in each.
//!
//! Only brightness counts, because a JPEG keeps it sharper than colour.

use super::bands::{Bands, Mean};

/// The parts of a line's step that are grain: those smaller than this share of its largest part, or
/// than `GRAIN`.
const GRAIN_SHARE: f32 = 0.2;
const GRAIN: f32 = 1.5;

/// Returns how far the line at a column moves from the first band to the last, in pixels. It takes
/// the middle one of the slopes between any two bands in which the line shows, so that what stands
/// before the line in some bands does no harm. Returns `None` where the line shows in too few.
pub(super) fn drift_px(bands: &Bands, column: usize, shown: &[bool]) -> Option<f32> {
    let places: Vec<(usize, f32)> = bands
        .iter()
        .zip(shown)
        .enumerate()
        .filter(|(_, (_, shows))| **shows)
        .filter_map(|(number, (band, _))| Some((number, place_px(band, column)?)))
        .collect();
    let mut slopes = Vec::new();
    for (number, (first, one)) in places.iter().enumerate() {
        for (second, other) in places.iter().skip(number + 1) {
            // Bands near each other say little of the slope.
            if second - first >= (bands.count() / 4).max(1) {
                slopes.push((other - one) / (second - first) as f32);
            }
        }
    }
    Some(middle(slopes)? * bands.count() as f32)
}

/// Returns where the line is in a band, relative to its column: the middle of the steps around the
/// largest one.
fn place_px(band: &[Mean], column: usize) -> Option<f32> {
    let largest = (column.saturating_sub(2)..column + 3)
        .max_by(|one, other| step(band, *one).total_cmp(&step(band, *other)))?;
    let grain = (step(band, largest) * GRAIN_SHARE).max(GRAIN);
    let (mut moment, mut weight) = (0.0, 0.0);
    for at in largest.saturating_sub(2)..largest + 3 {
        let clear = (step(band, at) - grain).max(0.0);
        moment += clear * (at as f32 - column as f32);
        weight += clear;
    }
    (weight > 0.0).then(|| moment / weight)
}

/// Returns the step of brightness from the pixel before to this one.
fn step(band: &[Mean], at: usize) -> f32 {
    let before = at.checked_sub(1).and_then(|before| band.get(before));
    before
        .zip(band.get(at))
        .map_or(0.0, |(one, other)| (bright(*one) - bright(*other)).abs())
}

fn bright([red, green, blue]: Mean) -> f32 {
    0.299 * red + 0.587 * green + 0.114 * blue
}

fn middle(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

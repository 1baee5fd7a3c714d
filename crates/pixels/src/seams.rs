//! Straight lines from rim to rim between two faces, with a different picture on each side.
//!
//! Honest photos have straight lines, too: pillars, door frames, windows, curtains. But people
//! stand in front of them, hardly anybody holds a camera so level that one stays within a pixel
//! from rim to rim, what is behind goes on beyond them, or one of their sides is plain. None of
//! these cues is enough by itself; together they weigh for or against a seam.

use super::bands::{Bands, Mean, distance};
use super::{drift, uprightness};

/// The weight of each cue, in logits: a logistic regression over the likeliest column of each of
/// 11,700 drawn pictures (seeds 1000 to 1499), collages and honest ones. They are not the pictures
/// on which `tests/collage` tries it.
struct SeamWeights {
    /// The weight of the share of the bands in which the line stands out from what is around it.
    covered: f32,
    /// The weight of a pixel of drift from the first band to the last: a line that drifts was
    /// photographed, not made.
    drift_px: f32,
    /// The weight of one change from band to band beside the line: where there is one, there is a
    /// scene, not a wall.
    changes: f32,
    /// The weight of the share of the bands in which the line's sides differ, however far one looks
    /// for more of the same.
    difference: f32,
    /// The weight of how much more of the line stands exactly in its column than in any line that
    /// leans.
    over_leaning: f32,
    /// The weight of the share of a full step that there is in the line's column.
    level: f32,
    /// The sum without any cue. A sum of zero is where fewer than 2 % of honest photos are
    /// rejected.
    base: f32,
}

const WEIGHTS: SeamWeights = SeamWeights {
    covered: 2.17,
    drift_px: -6.6,
    changes: 2.91,
    difference: 6.81,
    over_leaning: 30.26,
    level: 14.06,
    base: -58.0,
};
/// The least sum of a line that is nearly a seam. One in sixty of the drawn photos of people at places has such a
/// line, and half or more of the thumbnails of collages that are let through do.
const NEAR_MIN: f32 = -4.0;
/// The drift beyond which more is no worse, in pixels, and the changes beyond which more are no
/// better.
const DRIFT_PX_MAX: f32 = 0.5;
const CHANGES_MAX: f32 = 4.0;
const OVER_LEANING_MAX: f32 = 2.0;
/// The least level of a seam. With less there is no seam, whatever the other cues say; most columns
/// are done with here.
const LEVEL_MIN: f32 = 0.55;
/// The least step between colours that counts, of 255.
const STEP_MIN: f32 = 8.0;
/// The least factor by which a step must be larger than the steps beside it, since texture has
/// steps everywhere.
const STEP_OVER_TEXTURE: f32 = 1.6;
/// The least change of colour from band to band that counts.
const CHANGE_MIN: f32 = 8.0;
/// The least distance of the two sides' colours that counts as different.
const DIFFERENT_MIN: f32 = 12.0;
/// The least distance to both sides in which a line is looked at, in pixels.
const MARGIN_PX: usize = 8;

/// How much a line is like a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seam {
    /// It is a line of the scene, or none.
    No,
    /// The cues are nearly enough.
    Near,
    /// The cues together make it a seam.
    Sure,
}

/// Returns how much the likeliest of these columns is like a seam.
pub(super) fn best_of(bands: &Bands, columns: impl Iterator<Item = usize>) -> Seam {
    let inside = MARGIN_PX..bands.width().saturating_sub(MARGIN_PX);
    let mut best = Seam::No;
    for column in columns.filter(|column| inside.contains(column)) {
        best = best.max(seam_at(bands, column));
        if best == Seam::Sure {
            break;
        }
    }
    best
}

fn seam_at(bands: &Bands, column: usize) -> Seam {
    let level = uprightness::level(bands, column);
    if level < LEVEL_MIN {
        return Seam::No;
    }
    let over_leaning = uprightness::over_leaning(bands, column, level).min(OVER_LEANING_MAX);
    let weights = &WEIGHTS;
    let exact = weights.base + weights.level * level + weights.over_leaning * over_leaning;
    // The cues that take longer come later, and only where it could still be a seam, or nearly one.
    let rest_max = weights.covered + weights.changes * CHANGES_MAX + weights.difference;
    if exact + rest_max < NEAR_MIN {
        return Seam::No;
    }
    let shown: Vec<bool> = bands.iter().map(|band| stands_out(band, column)).collect();
    let covered = share(shown.iter().filter(|shows| **shows).count(), bands.count());
    let drift_px = drift::drift_px(bands, column, &shown).map_or(DRIFT_PX_MAX, f32::abs);
    let scene = weights.covered * covered
        + weights.drift_px * drift_px.min(DRIFT_PX_MAX)
        + weights.changes * changes(bands, column).min(CHANGES_MAX)
        + weights.difference * difference(bands, column);
    match exact + scene {
        0.0.. => Seam::Sure,
        NEAR_MIN.. => Seam::Near,
        _ => Seam::No,
    }
}

/// Returns the step over the three pixels around a line, so that a blurred one counts in full.
fn step(band: &[Mean], column: usize) -> f32 {
    let before = column.checked_sub(2).and_then(|at| band.get(at));
    let after = band.get(column + 1);
    before
        .zip(after)
        .map_or(0.0, |(one, other)| distance(*one, *other))
}

/// Returns whether a line stands out in this band.
fn stands_out(band: &[Mean], column: usize) -> bool {
    let step_here = step(band, column);
    if step_here < STEP_MIN {
        return false;
    }
    // The smaller step of two places on each side counts, since a border's other edge is no
    // texture.
    let calm = |near: usize, far: usize| step(band, near).min(step(band, far));
    let before = calm(column.saturating_sub(4), column.saturating_sub(7));
    let after = calm(column + 4, column + 7);
    step_here >= STEP_OVER_TEXTURE * before.max(after)
}

fn share(count: usize, of: usize) -> f32 {
    count as f32 / of.max(1) as f32
}

/// Returns how far to a side a line's surroundings go.
fn reach(bands: &Bands) -> usize {
    (bands.width() / 8).max(MARGIN_PX)
}

/// Returns how often a column changes from band to band, in the mean over the columns of the
/// plainer side.
fn changes(bands: &Bands, column: usize) -> f32 {
    let reach = reach(bands);
    let left = changes_in(
        bands,
        column.saturating_sub(reach),
        column.saturating_sub(3),
    );
    let right = changes_in(bands, column + 3, column + reach);
    left.min(right)
}

fn changes_in(bands: &Bands, from: usize, to: usize) -> f32 {
    let to = to.min(bands.width());
    let mut count = 0;
    for (upper, lower) in bands.iter().zip(bands.iter().skip(1)) {
        let (upper, lower) = (upper.get(from..to), lower.get(from..to));
        let pairs = upper
            .unwrap_or_default()
            .iter()
            .zip(lower.unwrap_or_default());
        count += pairs
            .filter(|(one, other)| distance(**one, **other) >= CHANGE_MIN)
            .count();
    }
    share(count, to.saturating_sub(from))
}

/// Returns in what share of the bands the two sides differ: the least of all comparisons of one
/// side's nearest column with the other side's columns. Behind a post or a bar the same scene goes
/// on; behind a seam none of it does.
fn difference(bands: &Bands, column: usize) -> f32 {
    let (left, right) = (column.saturating_sub(3), column + 2);
    let least = (0..reach(bands)).map(|offset| {
        let over_the_right = differing(bands, left, right + offset);
        over_the_right.min(differing(bands, left.saturating_sub(offset), right))
    });
    least.fold(1.0, f32::min)
}

fn differing(bands: &Bands, one: usize, other: usize) -> f32 {
    let differs = |band: &&[Mean]| match (band.get(one), band.get(other)) {
        (Some(one), Some(other)) => distance(*one, *other) >= DIFFERENT_MIN,
        _ => true,
    };
    share(bands.iter().filter(differs).count(), bands.count())
}

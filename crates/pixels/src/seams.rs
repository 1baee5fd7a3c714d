//! Detects seams: straight lines from edge to edge between two faces, with a different picture on each side.
//!
//! Honest photos have straight lines, too: pillars, door frames, windows, curtains. But such a line differs from a
//! seam: people stand in front of it, or it leans because hardly any camera is held exactly level, or the scene
//! continues behind it, or one of its sides is plain. None of these cues suffices alone, so their weighted sum decides.
//!
//! The picture is cut across into bands, with one mean colour per band and column. A straight upright line is in the
//! same column of every band, while noise and texture even out within a band. The exact place of a line in each band is
//! found by brightness alone, which a JPEG keeps sharper than colour. A line counts as upright if the steps in its
//! column are larger than those along any leaning line near it. Seams are upright, since scissors cut upright; lines of
//! a scene hardly ever are.

use crate::small_picture::{Color, Raster};

const WEIGHTS: SeamWeights = SeamWeights {
    covered: 2.17,
    drift_px: -6.6,
    changes: 2.91,
    difference: 6.81,
    over_leaning: 30.26,
    level: 14.06,
    base: -58.0,
};
/// The least weighted sum of the cues of a line that is nearly a seam. One in sixty of the generated photos of people
/// at places has such a line, and so do at least half of the thumbnails of collages that are not rejected.
const NEAR_MIN: f32 = -4.0;
/// The largest drift that is weighted, in pixels: a larger one counts as this one. The next constants are the same
/// limits for the number of changes and for the ratio to leaning lines.
const DRIFT_PX_MAX: f32 = 0.5;
const CHANGES_MAX: f32 = 4.0;
const OVER_LEANING_MAX: f32 = 2.0;
/// The least level of a seam, as [`level`] measures it. A column with a lower level is no seam, whatever its other cues
/// are. This excludes most columns early.
const LEVEL_MIN: f32 = 0.55;
/// The least difference between colours, out of 255, that counts as a step.
const STEP_MIN: f32 = 8.0;
/// A line stands out if its step is at least this many times larger than the steps near it. In texture, all steps are
/// alike.
const STEP_OVER_TEXTURE: f32 = 1.6;
/// The least difference of colour between bands, out of 255, that counts as a change.
const CHANGE_MIN: f32 = 8.0;
/// The least distance between the colours of two sides, out of 255, at which the sides differ.
const DIFFERENT_MIN: f32 = 12.0;
/// The least distance of a line from the two edges of the picture that are parallel to it, in pixels.
const MARGIN_PX: usize = 8;

/// The most bands of a picture. There are fewer if they would be thinner than [`BAND_PX_MIN`].
const BANDS_MAX: usize = 32;
/// The least thickness of a band, in pixels. Thinner bands would retain noise.
const BAND_PX_MIN: usize = 3;

/// The part of each step of brightness near a line that counts as grain, and not as part of the line: this share of the
/// largest step there, but at least the next constant.
const GRAIN_SHARE: f32 = 0.2;
const GRAIN: f32 = 1.5;

/// The size of a full step, out of 255. A larger step counts as a full one, so that a few bands cannot decide alone.
const STEP_FULL: f32 = 10.0;
/// The leans of the leaning lines that are compared with a column, in half pixels from the first band to the last.
const LEANS_HALF_PX: std::ops::RangeInclusive<i8> = 4..=16;
/// The distances from the column's middle at which the leaning lines pass it, in pixels.
const BESIDE_PX: [f32; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// The greatest distance from the column that a leaning line reaches, in pixels.
const REACH_PX: usize = 6;
/// The least level that is assumed along leaning lines, so that the ratio to it stays finite.
const LEANING_MIN: f32 = 0.01;

/// How far inside a face, as a fraction of its width or height, a line may lie and still count as outside the face.
const FACE_RIM: f64 = 0.1;

/// The weight of each cue, in logits. The weights come from a logistic regression over the likeliest column of each of
/// 11,700 generated pictures (seeds 1000 to 1499), collages and honest ones. `tests/collage` uses other pictures.
struct SeamWeights {
    /// The weight of the share of bands in which the line stands out from its surroundings.
    covered: f32,
    /// The weight of each pixel of drift from the first band to the last. A line that drifts was photographed, not cut.
    drift_px: f32,
    /// The weight of each change of colour between bands beside the line. Changes indicate a scene rather than a wall.
    changes: f32,
    /// The weight of the share of bands in which the two sides of the line differ: the least share over all places that
    /// are compared.
    difference: f32,
    /// The weight of the ratio of the line's level to the highest level along a leaning line.
    over_leaning: f32,
    /// The weight of the line's level: the mean size of the steps in its column, as a fraction of a full step.
    level: f32,
    /// The sum if no cue is present. It is chosen so that at a threshold of zero fewer than 2 % of honest photos are
    /// rejected.
    base: f32,
}

/// How much a line resembles a seam, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seam {
    /// The line belongs to the scene, or there is no line.
    No,
    /// The cues nearly suffice for a seam.
    Near,
    /// The cues suffice for a seam.
    Sure,
}

/// Returns how much the likeliest of these columns resembles a seam.
pub(crate) fn best_of(bands: &Bands, columns: impl Iterator<Item = usize>) -> Seam {
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
    let level = level(bands, column);
    if level < LEVEL_MIN {
        return Seam::No;
    }
    let over_leaning = over_leaning(bands, column, level).min(OVER_LEANING_MAX);
    let weights = &WEIGHTS;
    let exact = weights.base + weights.level * level + weights.over_leaning * over_leaning;
    // The other cues are costly, so they are computed only if the line could still be a seam or nearly one.
    let rest_max = weights.covered + weights.changes * CHANGES_MAX + weights.difference;
    if exact + rest_max < NEAR_MIN {
        return Seam::No;
    }
    let shown: Vec<bool> = bands.iter().map(|band| stands_out(band, column)).collect();
    let covered = share(shown.iter().filter(|shows| **shows).count(), bands.count());
    let drift_px = drift_px(bands, column, &shown).map_or(DRIFT_PX_MAX, f32::abs);
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

/// Returns the difference between the colours on the two sides of the three pixels around a line. A blurred line then
/// counts in full.
fn wide_step(band: &[Mean], column: usize) -> f32 {
    let before = column.checked_sub(2).and_then(|at| band.get(at));
    let after = band.get(column + 1);
    before
        .zip(after)
        .map_or(0.0, |(one, other)| distance(*one, *other))
}

/// Returns whether the line at this column stands out from its surroundings in this band.
fn stands_out(band: &[Mean], column: usize) -> bool {
    let step_here = wide_step(band, column);
    if step_here < STEP_MIN {
        return false;
    }
    // On each side of the line, two places are compared, and the one with the smaller step counts. The one with the
    // larger step may be the second edge of a border, which is not texture.
    let calm = |near: usize, far: usize| wide_step(band, near).min(wide_step(band, far));
    let before = calm(column.saturating_sub(4), column.saturating_sub(7));
    let after = calm(column + 4, column + 7);
    step_here >= STEP_OVER_TEXTURE * before.max(after)
}

fn share(count: usize, of: usize) -> f32 {
    count as f32 / of.max(1) as f32
}

/// Returns how far from a line its two sides are compared, in places.
fn reach(bands: &Bands) -> usize {
    (bands.width() / 8).max(MARGIN_PX)
}

/// Returns how often a column beside a line changes from band to band, on average. The side with fewer changes counts.
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

/// Returns the share of bands in which the two sides of a line differ. The column next to the line on one side is
/// compared with several columns on the other side, and vice versa; the least share counts. Behind a post or a bar the
/// same scene continues, so some of these columns are alike. On the two sides of a seam, none are.
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

/// A mean colour, with components from 0 to 255.
type Mean = [f32; 3];

/// The bands of a picture, in order. Each has the mean colours of its places, which are columns or rows.
#[derive(Debug, Clone)]
pub(crate) struct Bands {
    width: usize,
    means: Vec<Mean>,
}

impl Bands {
    /// Cuts a picture into level bands, from top to bottom. Their places are the picture's columns.
    pub(crate) fn of_columns(raster: &Raster) -> Self {
        let (width, height) = (raster.width(), raster.height());
        let count = count(height);
        let mut means = Vec::with_capacity(count.saturating_mul(width));
        let mut rows = raster.rows();
        for number in 0..count {
            let thickness = thickness(number, count, height);
            let mut sums = vec![[0_u32; 3]; width];
            for row in rows.by_ref().take(thickness) {
                // The components are added in one flat loop so that compilers vectorise it.
                let parts = sums.as_flattened_mut().iter_mut();
                for (sum, part) in parts.zip(row.as_flattened()) {
                    *sum += u32::from(*part);
                }
            }
            means.extend(sums.into_iter().map(|sum| mean(sum, thickness)));
        }
        Self { width, means }
    }

    /// Cuts a picture into upright bands, from left to right. Their places are the picture's rows. The result equals
    /// that of [`Self::of_columns`] for the transposed picture.
    pub(crate) fn of_rows(raster: &Raster) -> Self {
        let (width, height) = (raster.width(), raster.height());
        let count = count(width);
        let mut means = vec![[0.0; 3]; count.saturating_mul(height)];
        for (number, row) in raster.rows().enumerate() {
            let mut colors = row;
            let places = means.iter_mut().skip(number).step_by(height);
            for (band, place) in places.enumerate() {
                let thickness = thickness(band, count, width);
                let Some((of_band, rest)) = colors.split_at_checked(thickness) else {
                    break;
                };
                colors = rest;
                let mut sum = [0; 3];
                for color in of_band {
                    add(&mut sum, *color);
                }
                *place = mean(sum, thickness);
            }
        }
        Self {
            width: height,
            means,
        }
    }

    /// Returns the number of places in a band.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Mean]> {
        self.means.chunks_exact(self.width)
    }

    pub(crate) fn count(&self) -> usize {
        self.means.len() / self.width
    }
}

fn count(length: usize) -> usize {
    BANDS_MAX.min(length / BAND_PX_MIN).max(1)
}

/// Returns the thickness of the band with this number if `count` bands split a length as evenly as possible.
fn thickness(number: usize, count: usize, length: usize) -> usize {
    let begin = |number: usize| (number * length).div_ceil(count);
    begin(number + 1) - begin(number)
}

fn add(sum: &mut [u32; 3], color: Color) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += u32::from(part);
    }
}

fn mean(sum: [u32; 3], count: usize) -> Mean {
    sum.map(|part| part as f32 / count.max(1) as f32)
}

/// Returns the distance between two colours: their difference in the component in which they differ most.
pub(crate) fn distance(one: Mean, other: Mean) -> f32 {
    let parts = one.into_iter().zip(other);
    parts.fold(0.0, |most, (one, other)| most.max((one - other).abs()))
}

/// Returns how far the line at a column drifts from the first band to the last, in pixels; `None` if too few bands show
/// the line. The drift follows from the median slope between any two bands that show the line. Objects that hide the
/// line in some bands therefore do not matter.
fn drift_px(bands: &Bands, column: usize, shown: &[bool]) -> Option<f32> {
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
            // Two bands that are near each other say little about the slope, so they are skipped.
            if second - first >= (bands.count() / 4).max(1) {
                slopes.push((other - one) / (second - first) as f32);
            }
        }
    }
    Some(middle(slopes)? * bands.count() as f32)
}

/// Returns the exact place of the line in a band, in pixels relative to its column; `None` if there is no clear step.
/// The place is the weighted mean of the places of the steps around the largest one.
fn place_px(band: &[Mean], column: usize) -> Option<f32> {
    let largest = (column.saturating_sub(2)..column + 3).max_by(|one, other| {
        brightness_step(band, *one).total_cmp(&brightness_step(band, *other))
    })?;
    let grain = (brightness_step(band, largest) * GRAIN_SHARE).max(GRAIN);
    let (mut moment, mut weight) = (0.0, 0.0);
    for at in largest.saturating_sub(2)..largest + 3 {
        let clear = (brightness_step(band, at) - grain).max(0.0);
        moment += clear * (at as f32 - column as f32);
        weight += clear;
    }
    (weight > 0.0).then(|| moment / weight)
}

/// Returns the step of brightness at a place, from the place before it.
fn brightness_step(band: &[Mean], at: usize) -> f32 {
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

/// Returns the mean size of the steps at a column over all bands, as a fraction of a full step.
pub(crate) fn level(bands: &Bands, column: usize) -> f32 {
    let steps = bands
        .iter()
        .map(|band| color_step(band, column).min(STEP_FULL));
    steps.sum::<f32>() / (STEP_FULL * bands.count().max(1) as f32)
}

/// Returns the ratio of `level` to the highest level along a leaning line near the column.
fn over_leaning(bands: &Bands, column: usize, level: f32) -> f32 {
    // The steps are computed once per band, since every leaning line uses them.
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

/// Returns the steps around a column. The column's own step is in the middle.
fn steps_near(band: &[Mean], column: usize) -> Vec<f32> {
    let places = (column..).take(2 * REACH_PX + 1);
    places
        .map(|at| {
            at.checked_sub(REACH_PX)
                .map_or(0.0, |at| color_step(band, at))
        })
        .collect()
}

/// Returns the level along a leaning line that passes the column's middle at this distance.
fn along(near: &[Vec<f32>], beside: f32, lean_px: f32) -> f32 {
    let count = near.len().max(1) as f32;
    let mut sum = 0.0;
    for (number, steps) in near.iter().enumerate() {
        let down = (number as f32 + 0.5) / count - 0.5;
        sum += between(steps, REACH_PX as f32 + beside + lean_px * down).min(STEP_FULL);
    }
    sum / (STEP_FULL * count)
}

/// Returns the step at a place between two columns, by interpolation.
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

/// Returns the step of colour from the place before a place, in the component in which the step is largest.
fn color_step(band: &[Mean], at: usize) -> f32 {
    let before = at.checked_sub(1).and_then(|before| band.get(before));
    let steps = before.zip(band.get(at));
    steps.map_or(0.0, |(one, other)| distance(*one, *other))
}

/// Where a face begins and ends on one axis, in fractions of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    from: f64,
    to: f64,
}

impl Span {
    pub(crate) fn new(from: f64, length: f64) -> Self {
        Self {
            from: from + length * FACE_RIM,
            to: from + length * (1.0 - FACE_RIM),
        }
    }
}

/// Returns whether there is a face on each side of a place, and no face at the place itself.
pub(crate) fn separates(place: f64, faces: &[Span]) -> bool {
    let (mut before, mut after) = (false, false);
    for face in faces {
        if face.to <= place {
            before = true;
        } else if face.from >= place {
            after = true;
        } else {
            return false;
        }
    }
    before && after
}

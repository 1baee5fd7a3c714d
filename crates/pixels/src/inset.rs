//! Detects a picture within the picture: a frame all around one face, with another face outside it.
//!
//! The lower side of the frame distinguishes it from doors and windows, since it runs right through the person whose
//! face is above it.
//!
//! A border of one colour around the whole picture, or bars on two opposite sides, were never in front of the camera.
//! They are therefore cropped first.

use std::cell::LazyCell;

use crate::small_picture::{Area, Color, Raster};
use domain::FaceBox;

/// The least difference of a colour component, out of 255, that counts as a step.
const STEP_MIN: u8 = 10;
/// The distance from a line back to the first of the two colours that are compared across the line, in pixels. The next
/// constant is the distance forward to the second colour.
const BEFORE: usize = 2;
const AFTER: usize = 1;
/// The least share of a line's pixels beside a face that must have a step. Only then is the line tried as a side of a
/// frame.
const LINE_MIN: f32 = 0.7;
/// The thresholds for a frame around a face that is not tiny.
const AROUND_ANY: FrameThresholds = FrameThresholds {
    side: 0.78,
    sides: 0.88,
    contrast: 0.4,
    contrasts: 0.4,
    frame_px: 48,
};
/// A face counts as tiny if all faces outside its frame are at least this many times wider. People next to each other
/// are about equally far from the camera, so a tiny face is suspicious.
const TINY: usize = 2;
/// The thresholds for a frame around a tiny face.
const AROUND_TINY: FrameThresholds = FrameThresholds {
    side: 0.6,
    sides: 0.88,
    contrast: 0.0,
    contrasts: 0.3,
    frame_px: 26,
};
/// The most lines that are tried on each side of a face.
const LINES_MAX: usize = 8;
/// The greatest distance of a frame's side from its face, in widths or heights of the face.
const REACH: f64 = 2.4;
/// The least distance of a frame's side from the picture's edge, in pixels. A nearer line would be the edge itself.
const RIM_PX: usize = 4;

/// A border may take at most 1 / this number of the picture's length on each side.
const BORDER_PART_MAX: usize = 4;
/// The least thickness of a border, in pixels. A JPEG's blocks produce thinner lines even without a border.
const BORDER_PX_MIN: usize = 3;
/// The greatest difference of a colour component, out of 255, between a border's colour and its pixels.
const BORDER_APART_MAX: u8 = 24;
/// At most 1 / this number of a line's pixels may differ from the border's colour by more than [`BORDER_APART_MAX`], as
/// JPEG artefacts of an edge do.
const BORDER_OTHERS_PART: usize = 32;

/// The thresholds for a frame. All except the last are shares of a side's pixels.
struct FrameThresholds {
    /// The least share of pixels with a step on each single side.
    side: f32,
    /// The least mean of the shares of pixels with a step over the four sides.
    sides: f32,
    /// The least amount by which the share of pixels with a step on a side must exceed that on the lines near the side.
    /// In texture, all lines have steps.
    contrast: f32,
    /// The least mean over the four sides of the amounts that `contrast` limits.
    contrasts: f32,
    /// The smallest width and height of a frame, in pixels. A smaller one has too few pixels to be distinguished from
    /// clothes.
    frame_px: usize,
}

/// Returns whether one of the faces is inside a frame, with another face outside it.
pub(crate) fn is_there(raster: &Raster, faces: &[FaceBox]) -> bool {
    let upright = Steps::upright(raster);
    // The rows are counted only when needed, since the columns already decide most photos.
    let level = LazyCell::new(|| Steps::level(raster));
    let areas: Vec<(&FaceBox, Area)> = faces
        .iter()
        .filter_map(|face| Some((face, area(raster, face)?)))
        .collect();
    areas.iter().any(|(face, own)| {
        let reach = (
            pixels(REACH * face.width, raster.width()),
            pixels(REACH * face.height, raster.height()),
        );
        let frames = Frames {
            upright: &upright,
            level: &level,
            face: *own,
            reach,
        };
        let others = || {
            areas
                .iter()
                .map(|(_, area)| area)
                .filter(|other| *other != own)
        };
        frames.found(|frame| {
            let outside = || others().filter(|other| is_outside(**other, frame));
            let is_tiny = outside().all(|other| other.width() >= TINY * own.width());
            let least = if is_tiny { &AROUND_TINY } else { &AROUND_ANY };
            outside().next().is_some() && frames.is_frame(frame, least)
        })
    })
}

fn pixels(share: f64, of: usize) -> usize {
    let length = (share.clamp(0.0, 4.0) * of as f64).round();
    // The length is at most four times that of a side of the raster, which fits in `usize`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped above"
    )]
    let length = length as usize;
    length
}

fn area(raster: &Raster, face: &FaceBox) -> Option<Area> {
    let area = Area {
        left: pixels(face.left, raster.width()),
        top: pixels(face.top, raster.height()),
        right: pixels(face.left + face.width, raster.width()).min(raster.width()),
        bottom: pixels(face.top + face.height, raster.height()).min(raster.height()),
    };
    (area.left + 2 < area.right && area.top + 2 < area.bottom).then_some(area)
}

/// Returns whether the middle of a face is outside a frame. A frame may cover a hat or a chin, so the face's edges do
/// not count.
fn is_outside(face: Area, frame: Area) -> bool {
    let middle = (
        usize::midpoint(face.left, face.right),
        usize::midpoint(face.top, face.bottom),
    );
    let is_within = (frame.left..frame.right).contains(&middle.0)
        && (frame.top..frame.bottom).contains(&middle.1);
    !is_within
}

/// The steps of colour across lines: for each line, the number of pixels with a step, accumulated along the line.
struct Steps {
    /// The number of lines.
    width: usize,
    /// The number of pixels in each line.
    length: usize,
    /// The distances in `counts` from a line to the next line, and from a pixel of a line to the next pixel.
    strides: (usize, usize),
    counts: Vec<u16>,
}

impl Steps {
    /// Counts the steps across upright lines, which are the picture's columns.
    fn upright(raster: &Raster) -> Self {
        let width = raster.width();
        let mut so_far = vec![0_u16; width];
        let mut counts = Vec::with_capacity(width.saturating_mul(raster.height() + 1));
        counts.extend_from_slice(&so_far);
        let mut steps = Vec::new();
        for row in raster.rows() {
            note_steps(
                &mut steps,
                row,
                row.get(BEFORE + AFTER..).unwrap_or_default(),
            );
            for (count, step) in so_far.iter_mut().skip(BEFORE).zip(steps.as_chunks().0) {
                *count += is_any(*step);
            }
            counts.extend_from_slice(&so_far);
        }
        Self {
            width,
            length: raster.height(),
            strides: (1, width),
            counts,
        }
    }

    /// Counts the steps across level lines, which are the picture's rows.
    fn level(raster: &Raster) -> Self {
        let rows: Vec<&[Color]> = raster.rows().collect();
        let stride = raster.width() + 1;
        let mut counts = Vec::with_capacity(stride.saturating_mul(rows.len()));
        let mut steps = Vec::new();
        for number in 0..rows.len() {
            let one = number.checked_sub(BEFORE).and_then(|at| rows.get(at));
            let end = counts.len() + stride;
            counts.push(0);
            if let Some((one, other)) = one.zip(rows.get(number + AFTER)) {
                note_steps(&mut steps, one, other);
                let mut so_far = 0;
                counts.extend(steps.as_chunks().0.iter().map(|step| {
                    so_far += is_any(*step);
                    so_far
                }));
            }
            counts.resize(end, 0);
        }
        Self {
            width: rows.len(),
            length: raster.width(),
            strides: (stride, 1),
            counts,
        }
    }

    /// Returns the share of the pixels from `from` to `to` at which the line has a step.
    fn share(&self, line: usize, from: usize, to: usize) -> f32 {
        let (of_lines, of_pixels) = self.strides;
        let count = |at: usize| self.counts.get(line * of_lines + at * of_pixels);
        let is_there = line < self.width && to <= self.length;
        let count = count(from)
            .zip(count(to))
            .filter(|_| is_there)
            .map_or(0, |(from, to)| to.saturating_sub(*from));
        f32::from(count) / to.saturating_sub(from).max(1) as f32
    }

    /// Returns by how much a column's share of steps exceeds that of the columns near it.
    fn contrast(&self, column: usize, from: usize, to: usize) -> f32 {
        let share = |column: usize| self.share(column, from, to);
        // On each side of the column, two columns are compared, and the one with fewer steps counts. The one with more
        // may be the second edge of a border, which is not texture.
        let calm = |near: usize, far: usize| share(near).min(share(far));
        let before = calm(column.saturating_sub(5), column.saturating_sub(8));
        share(column) - before.max(calm(column + 5, column + 8))
    }

    /// Returns the columns of a range with the largest shares of steps between two rows, largest first. Any two of them
    /// are more than two columns apart.
    fn best(&self, columns: std::ops::Range<usize>, from: usize, to: usize) -> Vec<usize> {
        let inside = RIM_PX..self.width.saturating_sub(RIM_PX);
        let mut ranked: Vec<(f32, usize)> = columns
            .filter(|column| inside.contains(column))
            .map(|column| (self.share(column, from, to), column))
            .filter(|(share, _)| *share >= LINE_MIN)
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut best: Vec<usize> = Vec::new();
        for (_, column) in ranked {
            if best.len() < LINES_MAX && best.iter().all(|other| other.abs_diff(column) > 2) {
                best.push(column);
            }
        }
        best
    }
}

/// Appends 1 for each colour component that differs between two rows by a step, otherwise 0. This is a plain loop over
/// bytes so that compilers vectorise it.
fn note_steps(steps: &mut Vec<u8>, one: &[Color], other: &[Color]) {
    let parts = one.as_flattened().iter().zip(other.as_flattened());
    steps.clear();
    steps.extend(parts.map(|(one, other)| u8::from(one.abs_diff(*other) >= STEP_MIN)));
}

/// Returns 1 if any component of a colour has a step, otherwise 0.
fn is_any([red, green, blue]: Color) -> u16 {
    u16::from(red | green | blue)
}

/// The lines that are tried as sides of a frame around one face.
struct Frames<'steps, F> {
    upright: &'steps Steps,
    level: &'steps LazyCell<Steps, F>,
    face: Area,
    reach: (usize, usize),
}

impl<F: FnOnce() -> Steps> Frames<'_, F> {
    /// Returns whether four of the lines form a frame that `agrees` accepts.
    fn found(&self, agrees: impl Fn(Area) -> bool) -> bool {
        let face = self.face;
        let (reach_x, reach_y) = self.reach;
        let upright = |columns| self.upright.best(columns, face.top, face.bottom);
        let level = |rows| self.level.best(rows, face.left, face.right);
        let lefts = upright(face.left.saturating_sub(reach_x)..face.left + 2);
        let rights = upright(face.right.saturating_sub(1)..face.right + reach_x);
        if lefts.is_empty() || rights.is_empty() {
            return false;
        }
        let tops = level(face.top.saturating_sub(reach_y)..face.top + 2);
        let bottoms = level(face.bottom.saturating_sub(1)..face.bottom + reach_y);
        for left in &lefts {
            for right in &rights {
                for top in &tops {
                    let is_found = bottoms.iter().any(|bottom| {
                        let frame = Area {
                            left: *left,
                            top: *top,
                            right: *right,
                            bottom: *bottom,
                        };
                        agrees(frame)
                    });
                    if is_found {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn is_frame(&self, frame: Area, least: &FrameThresholds) -> bool {
        let (wide, high) = (frame.right - frame.left, frame.bottom - frame.top);
        if wide.min(high) < least.frame_px {
            return false;
        }
        let (upright, level): (&Steps, &Steps) = (self.upright, self.level);
        let sides = [
            (upright, frame.left, frame.top, frame.bottom),
            (upright, frame.right, frame.top, frame.bottom),
            (level, frame.top, frame.left, frame.right),
            (level, frame.bottom, frame.left, frame.right),
        ];
        let clear = |values: [f32; 4], each: f32, mean: f32| {
            values.iter().all(|value| *value >= each) && values.iter().sum::<f32>() >= mean * 4.0
        };
        clear(
            sides.map(|(steps, line, from, to)| steps.share(line, from, to)),
            least.side,
            least.sides,
        ) && clear(
            sides.map(|(steps, line, from, to)| steps.contrast(line, from, to)),
            least.contrast,
            least.contrasts,
        )
    }
}

/// Returns the area of the picture without its border.
pub(crate) fn content(raster: &Raster) -> Area {
    let (width, height) = (raster.width(), raster.height());
    let (top, bottom) = bars(height, |row| raster.row(row).to_vec());
    let (left, right) = bars(width, |column| raster.column(column).collect());
    Area {
        left,
        top,
        right: width - right,
        bottom: height - bottom,
    }
}

/// Returns the thicknesses of the bars at the first and at the last lines. They are a border only if both have the same
/// colour, since a plain strip at a single edge may be a sky.
fn bars(lines: usize, line: impl Fn(usize) -> Vec<Color>) -> (usize, usize) {
    let most = lines / BORDER_PART_MAX;
    let color = mean(&line(0));
    if !is_near(color, mean(&line(lines.saturating_sub(1)))) {
        return (0, 0);
    }
    let plain = |at: &usize| is_plain(&line(*at), color);
    let first = (0..most).take_while(plain).count();
    let last = (0..lines).rev().take(most).take_while(plain).count();
    if first.min(last) < BORDER_PX_MIN {
        return (0, 0);
    }
    // One line more is cropped, since the line where border and picture meet mixes both colours.
    (first + 1, last + 1)
}

fn is_plain(line: &[Color], color: Color) -> bool {
    let others = line.iter().filter(|pixel| !is_near(**pixel, color)).count();
    others <= line.len() / BORDER_OTHERS_PART
}

fn is_near(one: Color, other: Color) -> bool {
    let mut parts = one.iter().zip(other);
    parts.all(|(one, other)| one.abs_diff(other) <= BORDER_APART_MAX)
}

fn mean(row: &[Color]) -> Color {
    let count = row.len().max(1);
    let mean = |part: fn(&Color) -> u8| {
        let sum: usize = row.iter().map(|pixel| usize::from(part(pixel))).sum();
        u8::try_from(sum / count).unwrap_or(u8::MAX)
    };
    [
        mean(|[red, ..]| *red),
        mean(|[_, green, _]| *green),
        mean(|[.., blue]| *blue),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a picture of stripes with bars of these thicknesses (left, top, right, bottom), and returns its content.
    fn framed([left, top, right, bottom]: [usize; 4]) -> Area {
        let (width, height) = (left + 120 + right, top + 80 + bottom);
        let pixel = |place: usize| {
            let (x, y) = (place % width, place / width);
            let is_inside = (left..left + 120).contains(&x) && (top..top + 80).contains(&y);
            let dark = if (x / 7 + y / 5).is_multiple_of(2) {
                40
            } else {
                180
            };
            if is_inside {
                [dark, 90, 30]
            } else {
                [250, 248, 240]
            }
        };
        let pixels = (0..width * height).map(pixel).collect();
        content(&Raster::new(width, height, pixels).unwrap())
    }

    #[track_caller]
    fn check(bars: [usize; 4], expect: [usize; 4]) {
        let Area {
            left,
            top,
            right,
            bottom,
        } = framed(bars);
        assert_eq!([left, top, right, bottom], expect, "{bars:?}");
    }

    #[test]
    fn a_frame_is_no_part_of_the_picture() {
        check([0; 4], [0, 0, 120, 80]);
        check([10, 10, 10, 10], [11, 11, 129, 89]);
        check([10, 10, 10, 20], [11, 11, 129, 89]);
        // A letterbox has bars above and below.
        check([0, 12, 0, 12], [0, 13, 120, 91]);
        check([15, 0, 15, 0], [16, 0, 134, 80]);
        // Neither a plain edge on only one side nor a thin line is a border.
        check([0, 20, 0, 0], [0, 0, 120, 100]);
        check([2, 2, 2, 2], [0, 0, 124, 84]);
    }
}

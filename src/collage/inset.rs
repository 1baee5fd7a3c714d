//! A picture within the picture: a frame all around a face, and another face outside.
//!
//! The lower side of the frame tells it from doors and windows: it runs right through the person
//! whose face is above it.

use crate::domain::FaceBox;

use super::raster::{Area, Color, Raster};

/// A step between colours that counts, of 255.
const STEP_MIN: u8 = 10;
/// A line is tried as a side where it stands out in so large a share of the face's pixels.
const LINE_MIN: f32 = 0.7;
/// How clear a frame must be, as shares of its pixels.
struct FrameThresholds {
    /// So much of each side stands out.
    side: f32,
    /// And of all four in the mean.
    sides: f32,
    /// So much more of each side than of the lines near it: texture has steps everywhere.
    contrast: f32,
    /// And of all four in the mean.
    contrasts: f32,
    /// A smaller frame is not looked for: too few pixels to tell it from clothes.
    frame_px: usize,
}
/// Around a face as large as the others.
const AROUND_ANY: FrameThresholds = FrameThresholds {
    side: 0.78,
    sides: 0.88,
    contrast: 0.4,
    contrasts: 0.4,
    frame_px: 48,
};
/// A face is tiny when all the others are so many times wider: who stands beside somebody is
/// nearly as near.
const TINY: usize = 2;
/// Around a tiny face.
const AROUND_TINY: FrameThresholds = FrameThresholds {
    side: 0.6,
    sides: 0.88,
    contrast: 0.0,
    contrasts: 0.3,
    frame_px: 26,
};
/// So many lines on each side of a face are tried.
const LINES_MAX: usize = 8;
/// How far from a face its frame may be, in widths or heights of the face.
const REACH: f64 = 2.4;
/// A frame is within the picture: at its rim it would be the rim.
const RIM_PX: usize = 4;

/// Is one of the faces alone in a frame?
pub(super) fn is_there(raster: &Raster, faces: &[FaceBox]) -> bool {
    let upright = Steps::of(raster);
    let level = Steps::of(&raster.turned());
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
    // At most four times the length of a side of the raster.
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

/// Most of a face must be outside: a hat or a chin may be covered.
fn is_outside(face: Area, frame: Area) -> bool {
    let middle = (
        usize::midpoint(face.left, face.right),
        usize::midpoint(face.top, face.bottom),
    );
    let is_within = (frame.left..frame.right).contains(&middle.0)
        && (frame.top..frame.bottom).contains(&middle.1);
    !is_within
}

/// Where columns change their colour: for each column, how many of its rows do, up to each row.
struct Steps {
    width: usize,
    /// Column by column, one more than there are rows.
    counts: Vec<Vec<u16>>,
}

impl Steps {
    fn of(raster: &Raster) -> Self {
        let mut counts = vec![vec![0_u16]; raster.width()];
        for row in raster.rows() {
            for (column, counts) in counts.iter_mut().enumerate() {
                let steps = is_step(row, column);
                let before = counts.last().copied().unwrap_or(0);
                counts.push(before.saturating_add(u16::from(steps)));
            }
        }
        Self {
            width: raster.width(),
            counts,
        }
    }

    /// In what share of these rows the column is a step.
    fn share(&self, column: usize, from: usize, to: usize) -> f32 {
        let count = self.counts.get(column).and_then(|counts| {
            let (from, to) = (counts.get(from)?, counts.get(to)?);
            to.checked_sub(*from)
        });
        f32::from(count.unwrap_or(0)) / to.saturating_sub(from).max(1) as f32
    }

    /// How much more often than the columns near it.
    fn contrast(&self, column: usize, from: usize, to: usize) -> f32 {
        let share = |column: usize| self.share(column, from, to);
        // Of two places on each side the calmer: a border's other edge is no texture.
        let calm = |near: usize, far: usize| share(near).min(share(far));
        let before = calm(column.saturating_sub(5), column.saturating_sub(8));
        share(column) - before.max(calm(column + 5, column + 8))
    }

    /// The columns of a range that stand out best over these rows, no two beside each other.
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

/// Does the colour change over the three pixels around here?
fn is_step(row: &[Color], column: usize) -> bool {
    let before = column.checked_sub(2).and_then(|at| row.get(at));
    let Some((before, after)) = before.zip(row.get(column + 1)) else {
        return false;
    };
    let parts = before.iter().zip(after);
    parts.fold(0, |most: u8, (one, other)| most.max(one.abs_diff(*other))) >= STEP_MIN
}

/// The frames that there may be around one face.
struct Frames<'steps> {
    upright: &'steps Steps,
    level: &'steps Steps,
    face: Area,
    reach: (usize, usize),
}

impl Frames<'_> {
    /// Is there one that this agrees to?
    fn found(&self, agrees: impl Fn(Area) -> bool) -> bool {
        let face = self.face;
        let (reach_x, reach_y) = self.reach;
        let upright = |columns| self.upright.best(columns, face.top, face.bottom);
        let level = |rows| self.level.best(rows, face.left, face.right);
        let lefts = upright(face.left.saturating_sub(reach_x)..face.left + 2);
        let rights = upright(face.right.saturating_sub(1)..face.right + reach_x);
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
        let sides = [
            (self.upright, frame.left, frame.top, frame.bottom),
            (self.upright, frame.right, frame.top, frame.bottom),
            (self.level, frame.top, frame.left, frame.right),
            (self.level, frame.bottom, frame.left, frame.right),
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

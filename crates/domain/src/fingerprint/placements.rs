//! The places that are tried for a picture in another one, and which of them are worth a closer look.

use std::collections::BTreeMap;

use super::blocks::{BLOCKS, blocks};
use super::grid::{COLUMNS, Grid, Rectangle};
use super::placement::Placement;

/// The number of ratios between 0 and 1 of two shapes for which places are made: the sides of a cut picture are at most
/// a fortieth of a cell off.
const RATIO_STEPS: f64 = 500.0;
/// The least ratio, and the greatest, at which a picture has room in another one, in such steps.
const RATIO_RANGE: std::ops::RangeInclusive<u16> = 299..=835;
/// The most ratios for which places are kept. Most photos have one of a few shapes.
const RATIOS_MAX: usize = 24;
/// The greatest difference of the means of two rectangles, of 63, where the rectangle is all of a picture
/// and where it is a quarter.
const MEANS_MAX: [i32; 2] = [2, 3];

/// The means of a picture and of its quarters.
pub(super) struct Means {
    all: i32,
    quarters: [i32; 4],
}

impl Means {
    pub(super) fn of(part: &Grid) -> Self {
        let quarters = quarters([0, 0, COLUMNS, COLUMNS]);
        let quarters = quarters.map(|quarter| part.sum(quarter) / quarter.cells);
        Self {
            all: quarters.iter().sum::<i32>() / 4,
            quarters,
        }
    }
}

/// The places where a picture may have been cut out of another one, by the ratio of their shapes. They are kept, since
/// making them takes longer than trying them.
#[derive(Debug, Clone, Default)]
pub struct Placements {
    by_ratio: BTreeMap<u16, Vec<Tried>>,
}

/// A place that is tried.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    placement: Placement,
    /// The nearest whole cells.
    rectangle: Rectangle,
    /// These in blocks, where the place is nearly all of the other picture.
    blocks: Option<Box<[Rectangle; BLOCKS]>>,
}

impl Placements {
    /// Returns the places where a picture may have been cut out whose width for its height is `ratio` times that of the
    /// whole, within a thousandth.
    pub(super) fn of_ratio(&mut self, ratio: f64) -> &[Tried] {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive number, of which what is too large is out of the range"
        )]
        let steps = (ratio * RATIO_STEPS + 0.5) as u16;
        if !RATIO_RANGE.contains(&steps) {
            return &[];
        }
        if !self.by_ratio.contains_key(&steps) {
            if self.by_ratio.len() >= RATIOS_MAX {
                self.by_ratio = BTreeMap::new();
            }
            let placements = Placement::of_ratio(f64::from(steps) / RATIO_STEPS);
            self.by_ratio
                .insert(steps, placements.map(Tried::new).collect());
        }
        self.by_ratio.get(&steps).map_or(&[], Vec::as_slice)
    }
}

impl Tried {
    fn new(placement: Placement) -> Self {
        Self {
            placement,
            rectangle: Rectangle::new(placement.corners()),
            blocks: placement
                .is_nearly_whole()
                .then(|| Box::new(blocks(placement.corners()))),
        }
    }

    /// Returns the place and its blocks, where it is nearly all of the other picture.
    pub(super) fn nearly_whole(&self) -> Option<(Placement, &[Rectangle; BLOCKS])> {
        Some((self.placement, self.blocks.as_deref()?))
    }

    /// Returns whether the whole is as bright there as a picture of these means, or as that one in a mirror. That tells
    /// nearly every other picture, and takes a few lookups.
    pub(super) fn has_mean(&self, means: &Means, whole: &Grid) -> bool {
        let [whole_max, _] = MEANS_MAX;
        is_near(means.all, self.rectangle, whole_max, whole)
    }

    /// Returns the place if the means of the quarters are near each other there, too.
    pub(super) fn with_quarters(&self, means: &Means, whole: &Grid) -> Option<Placement> {
        let [_, quarter_max] = MEANS_MAX;
        let mut quarters = means
            .quarters
            .into_iter()
            .zip(quarters(self.placement.corners()));
        let are_near = quarters.all(|(mine, theirs)| is_near(mine, theirs, quarter_max, whole));
        are_near.then_some(self.placement)
    }
}

fn is_near(mine: i32, rectangle: Rectangle, apart_max: i32, whole: &Grid) -> bool {
    let cells = rectangle.cells;
    (mine * cells - whole.sum(rectangle)).abs() <= apart_max * cells
}

/// Returns the quarters of a rectangle between two corners: those above come first.
fn quarters([left, top, right, bottom]: [u8; 4]) -> [Rectangle; 4] {
    let (middle, center) = (left.midpoint(right), top.midpoint(bottom));
    [
        [left, top, middle, center],
        [middle, top, right, center],
        [left, center, middle, bottom],
        [middle, center, right, bottom],
    ]
    .map(Rectangle::new)
}

//! The places in one picture (the whole) from which another picture (the part) may have been cropped: which places
//! are tried, which are refined, and how well the part fits there.

use std::collections::BTreeMap;

use super::grid::{BLOCKS, COLUMNS, FINGERPRINT_SIDE, Grid, Rectangle, blocks};

/// The number of parts into which a cell is divided. A part is the unit of places and lengths.
pub(super) const PARTS: i32 = 64;
const CELLS_A_SIDE: i32 = COLUMNS as i32;
/// The number of cells of a grid.
const CELLS: i32 = CELLS_A_SIDE * CELLS_A_SIDE;
/// The length of the whole picture's side, in parts.
const SIDE: i32 = CELLS_A_SIDE * PARTS;
/// The least width and height of a cropped picture, in parts.
const LENGTH_MIN: i32 = SIDE * 3 / 5;
/// How far a cropped picture may extend beyond the edge of the whole picture, in parts. Rounded sizes can make it
/// extend beyond the edge.
const OVERHANG: i32 = PARTS / 2;
/// The step between the sizes that are tried, in parts. Refining finds the sizes between them.
const LENGTH_STEP: i32 = SIDE / 12;
const PLACE_STEP: i32 = PARTS * 3 / 2;
/// The greatest mean difference between cells in the rough comparison, out of 63.
const ROUGH_MAX: i32 = 6;
/// The rough comparison ends once the sum of the differences exceeds this number plus [`ROUGH_MAX`] for each cell
/// compared so far. Without this number, a few differing cells at the beginning would end it.
const ROUGH_START: i32 = 60;
/// How many of the best places are refined.
pub(super) const REFINED_MAX: usize = 2;
/// The greatest mean difference over all cells, out of 63, multiplied by `PARTS`.
const MEAN_MAX: i32 = 4 * PARTS;
/// The side of a block, in cells. Within a block, differences of single cells cancel out.
const BLOCK: usize = 3;
/// The number of cells of a block.
const BLOCK_CELLS: i32 = 9;
/// The greatest difference that may remain in a block, out of 63 per cell, multiplied by `PARTS`: for an uncropped and
/// for a cropped picture. Heads are at least as large as a block, so a different head exceeds it.
const BLOCK_MAX: [i32; 2] = [PARTS, 2 * PARTS];
/// How large a difference a shifted grid may cause: the contrast of a cell with its surroundings, divided by this
/// number. Measured with photos that were cropped and shrunk, and with photos of which a ninth of the width was
/// covered.
const GRID_PART: i32 = 7;

/// The ratio of two shapes is rounded to a multiple of 1 divided by this number. Sides are then off by at most a
/// fortieth of a cell.
const RATIO_STEPS: f64 = 500.0;
/// The least and the greatest ratio of two shapes, multiplied by [`RATIO_STEPS`], at which one picture fits into the
/// other.
const RATIO_RANGE: std::ops::RangeInclusive<u16> = 299..=835;
/// The most ratios whose places are cached. Most photos have one of a few shapes, so the same few ratios recur.
const RATIOS_MAX: usize = 24;
/// The greatest difference between the mean brightness of a part and of its place in the whole picture, out of 63:
/// first for the entire part, then for each of its quarters.
const MEANS_MAX: [i32; 2] = [2, 3];

/// A rectangle in the whole picture, measured in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placement {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

impl Placement {
    fn new(left: i32, top: i32, width: i32, height: i32) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    /// Returns the places for a part whose aspect ratio is `ratio` times that of the whole picture.
    pub(super) fn of_ratio(ratio: f64) -> impl Iterator<Item = Self> {
        let sizes = (0..).map_while(move |step: i32| {
            let longer = SIDE - step * LENGTH_STEP;
            #[expect(clippy::cast_possible_truncation, reason = "at most the longer side")]
            let scaled = |by: f64| (f64::from(longer) * by.min(1.0)) as i32;
            let (width, height) = if ratio >= 1.0 {
                (longer, scaled(1.0 / ratio))
            } else {
                (scaled(ratio), longer)
            };
            (width >= LENGTH_MIN && height >= LENGTH_MIN).then_some((width, height))
        });
        sizes.flat_map(|(width, height)| {
            let offsets = |length: i32| {
                let spare = (SIDE - length).max(0);
                let steps = if spare == 0 {
                    0
                } else {
                    spare / PLACE_STEP + 1
                };
                (0..=steps).map(move |step| spare * step / steps.max(1))
            };
            offsets(width).flat_map(move |left| {
                offsets(height).map(move |top| Self::new(left, top, width, height))
            })
        })
    }

    /// Returns the rectangle of whole cells nearest to the place, as left, top, right and bottom.
    pub(super) fn corners(self) -> [u8; 4] {
        let Self { left, top, .. } = self;
        [left, top, left + self.width, top + self.height].map(|place| {
            let corner = u8::try_from((place + PARTS / 2) / PARTS).unwrap_or_default();
            corner.min(COLUMNS)
        })
    }

    /// Returns the sum of the differences between the part and this place, at a quarter of the cells; `None` once the
    /// sum is too large.
    pub(super) fn rough_difference(self, part: &Grid, whole: &Grid) -> Option<i32> {
        const HALF: usize = FINGERPRINT_SIDE / 2;
        let places = |start: i32, length: i32| -> [i32; HALF] {
            let mut middle = 3;
            [(); HALF].map(|()| {
                let place = start + length * middle / (2 * CELLS_A_SIDE);
                middle += 4;
                place
            })
        };
        let columns = places(self.left, self.width);
        let rows = places(self.top, self.height);
        let (mut difference, mut allowed) = (0, ROUGH_START);
        // The cells are visited in a scattered order, so that different pictures are rejected early.
        for cell in 0..HALF * HALF {
            let cell = cell * 59 % (HALF * HALF);
            let (column, row) = (cell % HALF, cell / HALF);
            if let (Some(x), Some(y)) = (columns.get(column), rows.get(row)) {
                let mine = part.cell(2 * column + 1, 2 * row + 1);
                difference += (mine - cell_at(whole, *x, *y)).abs();
            }
            allowed += ROUGH_MAX;
            if difference > allowed {
                return None;
            }
        }
        Some(difference)
    }

    /// Shifts and scales the place as long as the match improves. Returns `None` if the difference that remains is
    /// larger than a place that is off by half a cell can cause.
    pub(super) fn refined(self, part: &Grid, whole: &Grid) -> Option<Self> {
        let mut best = (self.close_difference(part, whole, i32::MAX), self);
        let mut step = PARTS / 2;
        while step >= PARTS / 16 {
            let before = best;
            for moved in best.1.neighbours(step) {
                let difference = moved.close_difference(part, whole, best.0);
                if difference < best.0 {
                    best = (difference, moved);
                }
            }
            if best == before {
                if best.0 > MEAN_MAX * CELLS / 4 {
                    return None;
                }
                step /= 2;
            }
        }
        Some(best.1)
    }

    fn neighbours(self, step: i32) -> impl Iterator<Item = Self> {
        let shifts = [
            (step, 0, 0),
            (-step, 0, 0),
            (0, step, 0),
            (0, -step, 0),
            (0, 0, step),
            (0, 0, -step),
        ];
        let moved = shifts.into_iter().map(move |(right, down, larger)| {
            Self::new(
                self.left + right - larger / 2,
                self.top + down - larger / 2,
                self.width + larger,
                self.height + larger * self.height / self.width.max(1),
            )
        });
        moved.filter(|one| one.is_inside())
    }

    fn is_inside(self) -> bool {
        let fits = |start: i32, length: i32| {
            start >= -OVERHANG && length >= LENGTH_MIN && start + length <= SIDE + OVERHANG
        };
        fits(self.left, self.width) && fits(self.top, self.height)
    }

    /// Returns the signed difference between the part and this place at each cell, multiplied by `PARTS`.
    fn differences(self, part: &Grid, whole: &Grid) -> Vec<i32> {
        let (columns, rows) = (axis(self.left, self.width), axis(self.top, self.height));
        let mut differences = Vec::with_capacity(FINGERPRINT_SIDE * FINGERPRINT_SIDE);
        for (row, y) in rows.into_iter().enumerate() {
            let brightness = Brightness::of_row(whole, y);
            let cells = part.row(row).iter().zip(columns);
            differences.extend(cells.map(|(cell, x)| i32::from(*cell) * PARTS - brightness.at(x)));
        }
        differences
    }

    /// Returns the sum of the differences between the part and this place, at a quarter of the cells. The whole picture
    /// is interpolated. Stops early once the sum exceeds `enough`.
    fn close_difference(self, part: &Grid, whole: &Grid, enough: i32) -> i32 {
        let (columns, rows) = (axis(self.left, self.width), axis(self.top, self.height));
        let mut sum = 0;
        for (row, y) in rows.into_iter().enumerate().step_by(2) {
            let brightness = Brightness::of_row(whole, y);
            let cells = part.row(row).iter().zip(columns);
            for (cell, x) in cells.skip(row / 2 % 2).step_by(2) {
                sum += (i32::from(*cell) * PARTS - brightness.at(x)).abs();
            }
            if sum > enough {
                break;
            }
        }
        sum
    }

    /// Returns the brightness of the whole picture at the points of this place where the middles of a part's cells are,
    /// multiplied by `PARTS`.
    pub(super) fn brightness(self, whole: &Grid) -> Vec<i32> {
        let dark = Grid::of_cells(std::iter::empty());
        let differences = self.differences(&dark, whole);
        differences
            .into_iter()
            .map(|difference| -difference)
            .collect()
    }

    /// Returns whether the place covers nearly all of the whole picture.
    fn is_nearly_whole(self) -> bool {
        self.width.min(self.height) >= SIDE - LENGTH_STEP
    }

    /// Returns whether both pictures are the same everywhere in this place.
    pub(super) fn is_same_picture(self, part: &Grid, whole: &Grid) -> bool {
        self.are_small(&self.differences(part, whole), whole)
    }

    /// Returns whether the differences at all cells, multiplied by `PARTS`, are small enough for one and the same
    /// picture.
    pub(super) fn are_small(self, differences: &[i32], whole: &Grid) -> bool {
        let sum: i32 = differences.iter().map(|difference| difference.abs()).sum();
        if sum > MEAN_MAX * CELLS {
            return false;
        }
        let [unchanged_max, cut_max] = BLOCK_MAX;
        let is_cut = self.width.min(self.height) < SIDE - SIDE / 32;
        let block_max = if is_cut { cut_max } else { unchanged_max } * BLOCK_CELLS;
        let rows: Vec<&[i32]> = differences.chunks_exact(FINGERPRINT_SIDE).collect();
        rows.windows(BLOCK).enumerate().all(|(top, rows)| {
            (0..=FINGERPRINT_SIDE - BLOCK).all(|left| {
                let sum = |row: &&[i32]| -> i32 { row.iter().skip(left).take(BLOCK).sum() };
                let difference: i32 = rows.iter().map(sum).sum();
                let left_over = difference.abs() - block_max;
                left_over <= 0 || left_over <= self.contrast(whole, left, top) / GRID_PART
            })
        })
    }

    /// Returns the contrast of a block, multiplied by `PARTS`: for each of its cells the range of brightness around it,
    /// summed.
    fn contrast(self, whole: &Grid, left: usize, top: usize) -> i32 {
        let rows = middles(self.top, self.height).skip(top).take(BLOCK);
        let of_cells = rows.flat_map(|y| {
            let columns = middles(self.left, self.width).skip(left).take(BLOCK);
            columns.map(move |x| {
                let around = [-1, 0, 1]
                    .into_iter()
                    .flat_map(|down| [-1, 0, 1].map(|right| (right, down)))
                    .map(|(right, down)| cell_at(whole, x + right * PARTS, y + down * PARTS));
                let (least, greatest) = around.fold((i32::MAX, 0), |(least, greatest), cell| {
                    (least.min(cell), greatest.max(cell))
                });
                (greatest - least) * PARTS
            })
        });
        of_cells.sum()
    }
}

/// Returns the position of the middle of each cell along one axis of a place, in parts.
fn middles(start: i32, length: i32) -> impl Iterator<Item = i32> {
    let cells = 0..CELLS_A_SIDE;
    cells.map(move |cell| start + length * (2 * cell + 1) / (2 * CELLS_A_SIDE))
}

/// Returns the brightness of the cell at a point. Points beyond the edge are clamped to it.
fn cell_at(whole: &Grid, x: i32, y: i32) -> i32 {
    let at = |place: i32| usize::try_from(place.max(0) / PARTS).unwrap_or_default();
    whole.cell(at(x), at(y))
}

/// A point on one axis, as the last cell whose middle precedes it and the distance from that middle, in parts.
type Between = (usize, i32);

/// Returns the middle of each cell along one axis of a place, in the form that interpolating the whole picture needs.
fn axis(start: i32, length: i32) -> [Between; FINGERPRINT_SIDE] {
    let mut axis = [(0, 0); FINGERPRINT_SIDE];
    for (between, middle) in axis.iter_mut().zip(middles(start, length)) {
        let place = (middle - PARTS / 2).max(0);
        let cell = usize::try_from(place / PARTS).unwrap_or_default();
        *between = (cell.min(FINGERPRINT_SIDE - 1), place % PARTS);
    }
    axis
}

/// The brightness of the whole picture along a horizontal line, interpolated between two rows.
struct Brightness {
    /// The brightness at the middle of each column, multiplied by `PARTS`. The last entry repeats the last column.
    columns: [i32; FINGERPRINT_SIDE + 1],
}

impl Brightness {
    fn of_row(whole: &Grid, (row, down): Between) -> Self {
        let mut columns = [0; FINGERPRINT_SIDE + 1];
        let cells = whole.row(row).iter().zip(whole.row(row + 1));
        for (column, (above, below)) in columns.iter_mut().zip(cells) {
            *column = i32::from(*above) * (PARTS - down) + i32::from(*below) * down;
        }
        let [.., last, beyond] = &mut columns;
        *beyond = *last;
        Self { columns }
    }

    /// Returns the brightness at a point of the line, multiplied by `PARTS`.
    fn at(&self, (column, right): Between) -> i32 {
        let at = |column: usize| self.columns.get(column).copied().unwrap_or_default();
        (at(column) * (PARTS - right) + at(column + 1) * right) / PARTS
    }
}

/// The mean brightness of a picture and of each of its quarters.
pub(super) struct Means {
    all: i32,
    quarters: [i32; 4],
}

impl Means {
    pub(super) fn of(part: &Grid) -> Self {
        let quarters =
            quarters([0, 0, COLUMNS, COLUMNS]).map(|quarter| part.sum(quarter) / quarter.cells);
        Self {
            all: quarters.iter().sum::<i32>() / 4,
            quarters,
        }
    }
}

/// The places from which a picture may have been cropped, by the ratio of the two pictures' shapes. They are cached
/// because making the places takes longer than trying them.
#[derive(Debug, Clone, Default)]
pub struct Placements {
    by_ratio: BTreeMap<u16, Vec<Tried>>,
}

impl Placements {
    /// Returns the places for a part whose aspect ratio is, to within a thousandth, `ratio` times that of the whole
    /// picture.
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

/// A place that is tried for every part with a certain shape.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    placement: Placement,
    /// The rectangle of whole cells nearest to the place.
    rectangle: Rectangle,
    /// The blocks of the rectangle; `None` unless the place covers nearly all of the whole picture.
    blocks: Option<Box<[Rectangle; BLOCKS]>>,
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

    /// Returns the place and its blocks if the place covers nearly all of the whole picture.
    pub(super) fn nearly_whole(&self) -> Option<(Placement, &[Rectangle; BLOCKS])> {
        Some((self.placement, self.blocks.as_deref()?))
    }

    /// Returns whether the whole picture's mean brightness in this place is near the mean of a part, mirrored or not.
    /// This takes a few lookups and rejects nearly every different picture.
    pub(super) fn has_mean(&self, means: &Means, whole: &Grid) -> bool {
        let [whole_max, _] = MEANS_MAX;
        is_near(means.all, self.rectangle, whole_max, whole)
    }

    /// Returns the place if the mean brightness of its quarters matches that of the picture's quarters.
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

/// Returns the quarters of a rectangle, described by its left, top, right and bottom. The upper quarters come first.
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

//! The brightness of a picture on a small grid and, for quick comparison, in a few blocks. Pictures can be compared
//! regardless of their exposure and contrast.
//!
//! Any change of brightness that applies to a whole picture keeps the order of its cells from dark to light. So each
//! cell of one picture gets the brightness that the other picture has at the same rank in that order, and then both
//! pictures are compared.

use super::placement::{PARTS, Placement, Tried};

/// The number of columns of a grid, equal to the number of rows.
pub(super) const COLUMNS: u8 = 24;
/// The number of columns of a fingerprint's grid, equal to the number of rows.
pub const FINGERPRINT_SIDE: usize = COLUMNS as usize;
/// The number of cells of a grid.
pub(super) const CELLS: usize = FINGERPRINT_SIDE * FINGERPRINT_SIDE;
const CORNERS: usize = (FINGERPRINT_SIDE + 1) * (FINGERPRINT_SIDE + 1);

/// The number of blocks per side for quick comparison.
const BLOCKS_A_SIDE: u8 = 4;
/// The number of blocks of a picture.
pub(super) const BLOCKS: usize = BLOCKS_A_SIDE as usize * BLOCKS_A_SIDE as usize;
const BLOCK_COUNT: i64 = BLOCKS_A_SIDE as i64 * BLOCKS_A_SIDE as i64;
/// The least spread of the brightness of a picture's blocks, out of 63. A more uniform picture would resemble any
/// other.
const SPREAD_MIN: i64 = 2;
/// The least likeness of the blocks of two pictures, in percent. The likeness is the square of their correlation.
const LIKENESS_MIN: i64 = 85;

/// The brightness of a picture's cells, each from 0 to 63.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Grid {
    rows: Box<[[u8; FINGERPRINT_SIDE]; FINGERPRINT_SIDE]>,
    /// For each corner, row by row, the sum of all cells to the left of it and above it. Summing a rectangle then
    /// takes four lookups.
    sums: Box<[u16; CORNERS]>,
}

impl Grid {
    /// Makes a grid from the mean brightness of each cell, 0 to 255, row by row.
    pub(super) fn of(brightness: &[u8; CELLS]) -> Self {
        Self::of_cells(brightness.iter().map(|brightness| brightness / 4))
    }

    /// Makes a grid from cells with a brightness of 0 to 63, row by row. Missing cells are dark.
    pub(super) fn of_cells(cells: impl Iterator<Item = u8>) -> Self {
        let mut rows = Box::new([[0; FINGERPRINT_SIDE]; FINGERPRINT_SIDE]);
        for (cell, brightness) in rows.as_flattened_mut().iter_mut().zip(cells) {
            *cell = brightness;
        }
        let sums = sums(&rows);
        Self { rows, sums }
    }

    /// Returns the grid of the mirrored picture.
    pub(super) fn mirrored(&self) -> Self {
        Self::of_cells(self.rows.iter().flat_map(|row| row.iter().rev().copied()))
    }

    /// Returns the cells, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = u8> {
        self.rows.as_flattened().iter().copied()
    }

    /// Returns the row with this index; the last row if the index is too large.
    pub(super) fn row(&self, row: usize) -> &[u8; FINGERPRINT_SIDE] {
        const NONE: &[u8; FINGERPRINT_SIDE] = &[0; FINGERPRINT_SIDE];
        self.rows.get(row.min(FINGERPRINT_SIDE - 1)).unwrap_or(NONE)
    }

    /// Returns the cell in this column and row. Indices that are too large are clamped to the last column or row.
    pub(super) fn cell(&self, column: usize, row: usize) -> i32 {
        let cell = self.row(row).get(column.min(FINGERPRINT_SIDE - 1));
        cell.copied().unwrap_or_default().into()
    }

    /// Returns the sum of the cells of a rectangle.
    pub(super) fn sum(&self, rectangle: Rectangle) -> i32 {
        let sum = |corner: u16| {
            let sum = self.sums.get(usize::from(corner));
            i32::from(sum.copied().unwrap_or_default())
        };
        let [right_bottom, left_top, left_bottom, right_top] = rectangle.corners.map(sum);
        right_bottom + left_top - left_bottom - right_top
    }
}

/// A rectangle of whole cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rectangle {
    /// The indices of the rectangle's corners in a grid's sums: bottom right, top left, bottom left, top right.
    corners: [u16; 4],
    /// The number of cells in the rectangle.
    pub(super) cells: i32,
}

impl Rectangle {
    /// Makes a rectangle from its left, top, right and bottom. Right must exceed left, and bottom must exceed top.
    pub(super) fn new([left, top, right, bottom]: [u8; 4]) -> Self {
        let corner =
            |column: u8, row: u8| u16::from(row) * (u16::from(COLUMNS) + 1) + u16::from(column);
        Self {
            corners: [
                corner(right, bottom),
                corner(left, top),
                corner(left, bottom),
                corner(right, top),
            ],
            cells: (i32::from(right) - i32::from(left)) * (i32::from(bottom) - i32::from(top)),
        }
    }
}

fn sums(cells: &[[u8; FINGERPRINT_SIDE]; FINGERPRINT_SIDE]) -> Box<[u16; CORNERS]> {
    let mut sums = Box::new([0; CORNERS]);
    let mut above = [0; FINGERPRINT_SIDE + 1];
    let rows = sums.chunks_exact_mut(FINGERPRINT_SIDE + 1).skip(1);
    for (of_row, row) in rows.zip(cells) {
        let mut of_this = 0;
        for ((sum, above), cell) in of_row.iter_mut().zip(&mut above).skip(1).zip(row) {
            of_this += u16::from(*cell);
            *above += of_this;
            *sum = *above;
        }
    }
    sums
}

/// Splits a rectangle, described by its left, top, right and bottom, into blocks.
pub(super) fn blocks([left, top, right, bottom]: [u8; 4]) -> [Rectangle; BLOCKS] {
    let side = |from: u8, to: u8, step: u8| from + (to.saturating_sub(from)) * step / BLOCKS_A_SIDE;
    let mut place = 0;
    [(); BLOCKS].map(|()| {
        let (row, column) = (place / BLOCKS_A_SIDE, place % BLOCKS_A_SIDE);
        place += 1;
        Rectangle::new([
            side(left, right, column),
            side(top, bottom, row),
            side(left, right, column + 1),
            side(top, bottom, row + 1),
        ])
    })
}

/// The brightness of a picture's blocks, each minus the mean of all blocks, multiplied by `PARTS`.
pub(super) struct Blocks {
    apart: [i64; BLOCKS],
    /// The sum of the squares of these differences.
    spread: i64,
}

impl Blocks {
    /// Makes the blocks of a whole picture.
    pub(super) fn of_all(grid: &Grid) -> Self {
        Self::of(grid, &blocks([0, 0, COLUMNS, COLUMNS]))
    }

    pub(super) fn of(grid: &Grid, rectangles: &[Rectangle; BLOCKS]) -> Self {
        let brightness =
            rectangles.map(|block| i64::from(grid.sum(block) * PARTS / block.cells.max(1)));
        let mean = brightness.iter().sum::<i64>() / BLOCK_COUNT;
        let apart = brightness.map(|block| block - mean);
        let spread = apart.iter().map(|block| block * block).sum();
        Self { apart, spread }
    }

    fn are_like(&self, other: &Self) -> bool {
        let least = (SPREAD_MIN * i64::from(PARTS)).pow(2) * BLOCK_COUNT;
        let pairs = self.apart.iter().zip(&other.apart);
        let together: i64 = pairs.map(|(one, other)| one * other).sum();
        self.spread.min(other.spread) >= least
            && together > 0
            && together * together / LIKENESS_MIN >= self.spread * other.spread / 100
    }
}

/// Returns whether a picture, in any of the given forms, shows all or nearly all of `whole` in a different exposure.
pub(super) fn is_same(forms: &[(&Grid, Blocks)], whole: &Grid, tried: &[Tried]) -> bool {
    let mut places = tried.iter().filter_map(Tried::nearly_whole);
    places.any(|(place, rectangles)| {
        let blocks = Blocks::of(whole, rectangles);
        let mut alike = forms.iter().filter(|(_, own)| own.are_like(&blocks));
        alike.any(|(part, _)| is_same_at(place, part, whole))
    })
}

fn is_same_at(place: Placement, part: &Grid, whole: &Grid) -> bool {
    let cells: Vec<i32> = part.cells().map(|cell| i32::from(cell) * PARTS).collect();
    let cells_in_its_light = in_light_of(&cells, &place.brightness(whole));
    let in_its_light = cells_in_its_light
        .iter()
        .map(|cell| u8::try_from((cell + PARTS / 2) / PARTS).unwrap_or_default());
    let Some(place) = place.refined(&Grid::of_cells(in_its_light), whole) else {
        return false;
    };
    // Cells that became all white or all black have lost their order. Only the other picture still has it, so both
    // directions are compared.
    let theirs = place.brightness(whole);
    let differ = |one: &[i32], other: &[i32]| {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| one - other).collect::<Vec<i32>>()
    };
    place.are_small(&differ(&in_light_of(&cells, &theirs), &theirs), whole)
        || place.are_small(&differ(&cells, &in_light_of(&theirs, &cells)), whole)
}

/// Replaces each cell by the brightness that `others` has at the same rank from dark to light. Equal cells stay
/// equal.
fn in_light_of(cells: &[i32], others: &[i32]) -> Vec<i32> {
    let mut light = others.to_vec();
    light.sort_unstable();
    let mut order: Vec<(i32, usize)> = cells.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut given = vec![0; cells.len()];
    let mut left = light.as_slice();
    for alike in order.chunk_by(|(one, _), (other, _)| one == other) {
        let (theirs, rest) = left.split_at(alike.len().min(left.len()));
        left = rest;
        let count = i32::try_from(theirs.len()).unwrap_or(i32::MAX);
        let mean = theirs.iter().sum::<i32>().checked_div(count);
        for (_, place) in alike {
            if let (Some(cell), Some(mean)) = (given.get_mut(*place), mean) {
                *cell = mean;
            }
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_take_the_light_of_others_in_their_order() {
        assert_eq!(in_light_of(&[3, 1, 2], &[10, 30, 20]), [30, 10, 20]);
        assert_eq!(in_light_of(&[5, 5, 1], &[10, 30, 20]), [25, 25, 10]);
        assert_eq!(in_light_of(&[], &[]), [0; 0]);
    }
}

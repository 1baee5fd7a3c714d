//! A picture in a few blocks, by which others are told quickly in whatever light.

use super::grid::{COLUMNS, Grid, Rectangle};
use super::placement::PARTS;

/// The number of blocks on each side by which other pictures are told quickly.
const BLOCKS_A_SIDE: u8 = 4;
/// The number of blocks.
pub(super) const BLOCKS: usize = BLOCKS_A_SIDE as usize * BLOCKS_A_SIDE as usize;
const COUNT: i64 = BLOCKS_A_SIDE as i64 * BLOCKS_A_SIDE as i64;
/// The least spread of the blocks' brightness, of 63: an even picture looks like any other.
const SPREAD_MIN: i64 = 2;
/// The least likeness of the blocks of two pictures, as a share of 100: the square of their correlation.
const LIKENESS_MIN: i64 = 85;

/// Returns the blocks of a rectangle, given as left, top, right and bottom.
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

/// The brightness of the blocks of a picture, each less their mean, as multiples of `PARTS`.
pub(super) struct Blocks {
    apart: [i64; BLOCKS],
    /// The sum of the squares.
    spread: i64,
}

impl Blocks {
    /// Makes those of a whole picture.
    pub(super) fn of_all(grid: &Grid) -> Self {
        Self::of(grid, &blocks([0, 0, COLUMNS, COLUMNS]))
    }

    pub(super) fn of(grid: &Grid, rectangles: &[Rectangle; BLOCKS]) -> Self {
        let brightness =
            rectangles.map(|block| i64::from(grid.sum(block) * PARTS / block.cells.max(1)));
        let mean = brightness.iter().sum::<i64>() / COUNT;
        let apart = brightness.map(|block| block - mean);
        let spread = apart.iter().map(|block| block * block).sum();
        Self { apart, spread }
    }

    pub(super) fn are_like(&self, other: &Self) -> bool {
        let least = (SPREAD_MIN * i64::from(PARTS)).pow(2) * COUNT;
        let pairs = self.apart.iter().zip(&other.apart);
        let together: i64 = pairs.map(|(one, other)| one * other).sum();
        self.spread.min(other.spread) >= least
            && together > 0
            && together * together / LIKENESS_MIN >= self.spread * other.spread / 100
    }
}

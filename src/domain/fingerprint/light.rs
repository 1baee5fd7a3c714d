//! One picture in two lights: made brighter or darker, with more contrast or less.
//!
//! Whatever was done to its brightness as a whole keeps the order of its cells from dark to light. So the cells of one
//! picture are given the brightness that the other has at the same place of that order, and then both are compared.

use super::grid::{COLUMNS, Grid, Rectangle};
use super::placement::{PARTS, Placement};
use super::placements::Tried;

/// The number of blocks on each side by which other pictures are told quickly.
const BLOCKS: u8 = 4;
/// The least spread of the blocks' brightness, of 63: an even picture looks like any other.
const SPREAD_MIN: i64 = 2;
/// The least likeness of the blocks of two pictures, as a share of 100: the square of their correlation.
const LIKENESS_MIN: i64 = 85;

/// Returns whether two pictures that are nearly of one size are one in two lights.
pub(super) fn is_same(part: &Grid, whole: &Grid, tried: &[Tried]) -> bool {
    let blocks = Blocks::of(part, [0, 0, COLUMNS, COLUMNS]);
    let nearly_whole = tried.iter().map(Tried::placement);
    let mut alike = nearly_whole
        .filter(|place| place.is_nearly_whole())
        .filter(|place| blocks.are_like(&Blocks::of(whole, place.corners())));
    alike.any(|place| is_same_at(place, part, whole))
}

fn is_same_at(place: Placement, part: &Grid, whole: &Grid) -> bool {
    let cells: Vec<i32> = part.cells().map(|cell| i32::from(cell) * PARTS).collect();
    let in_its_light = in_light_of(&cells, &place.brightness(whole));
    let in_its_light = in_its_light
        .iter()
        .map(|cell| u8::try_from((cell + PARTS / 2) / PARTS).unwrap_or_default());
    let Some(place) = place.refined(&Grid::of_cells(in_its_light), whole) else {
        return false;
    };
    // What became all white or all black has lost its order: it is told from the other side.
    let theirs = place.brightness(whole);
    let differ = |one: &[i32], other: &[i32]| {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| one - other).collect::<Vec<i32>>()
    };
    place.are_small(&differ(&in_light_of(&cells, &theirs), &theirs), whole)
        || place.are_small(&differ(&cells, &in_light_of(&theirs, &cells)), whole)
}

/// Gives cells the brightness that others have at the same place of the order from dark to light. Those that are alike
/// stay alike.
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

/// The brightness of the blocks of a rectangle, each less their mean, as multiples of `PARTS`.
struct Blocks {
    apart: Vec<i64>,
    /// The sum of the squares.
    spread: i64,
}

impl Blocks {
    fn of(grid: &Grid, [left, top, right, bottom]: [u8; 4]) -> Self {
        let side = |from: u8, to: u8, step: u8| from + (to.saturating_sub(from)) * step / BLOCKS;
        let blocks = (0..BLOCKS).flat_map(|row| {
            (0..BLOCKS).map(move |column| {
                Rectangle::new([
                    side(left, right, column),
                    side(top, bottom, row),
                    side(left, right, column + 1),
                    side(top, bottom, row + 1),
                ])
            })
        });
        let brightness = |block: Rectangle| i64::from(grid.sum(block) * PARTS / block.cells.max(1));
        let apart: Vec<i64> = blocks.map(brightness).collect();
        let count = i64::from(BLOCKS) * i64::from(BLOCKS);
        let mean = apart.iter().sum::<i64>() / count;
        let apart: Vec<i64> = apart.into_iter().map(|block| block - mean).collect();
        let spread = apart.iter().map(|block| block * block).sum();
        Self { apart, spread }
    }

    fn are_like(&self, other: &Self) -> bool {
        let count = i64::from(BLOCKS) * i64::from(BLOCKS);
        let least = (SPREAD_MIN * i64::from(PARTS)).pow(2) * count;
        let pairs = self.apart.iter().zip(&other.apart);
        let together: i64 = pairs.map(|(one, other)| one * other).sum();
        self.spread.min(other.spread) >= least
            && together > 0
            && together * together / LIKENESS_MIN >= self.spread * other.spread / 100
    }
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

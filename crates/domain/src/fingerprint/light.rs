//! One picture in two lights: made brighter or darker, with more contrast or less.
//!
//! Whatever was done to its brightness as a whole keeps the order of its cells from dark to light. So the cells of one
//! picture are given the brightness that the other has at the same place of that order, and then both are compared.

use super::blocks::Blocks;
use super::grid::Grid;
use super::placement::{PARTS, Placement};
use super::placements::Tried;

/// Returns whether a picture that is nearly as large as another, in one of these forms, is that one in another light.
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

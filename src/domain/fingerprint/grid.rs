//! How bright a picture is on a small grid.

/// The number of columns and rows of the grid.
pub(super) const COLUMNS: u8 = 24;
/// The number of columns and rows of the grid.
pub const FINGERPRINT_SIDE: usize = COLUMNS as usize;
/// The number of its cells.
pub(super) const CELLS: usize = FINGERPRINT_SIDE * FINGERPRINT_SIDE;
const CORNERS: usize = (FINGERPRINT_SIDE + 1) * (FINGERPRINT_SIDE + 1);

/// The brightness of the cells, each from 0 to 63.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Grid {
    /// The cells, row by row.
    cells: Box<[u8; CELLS]>,
    /// The sums of all cells to the left of and above each corner, corners row by row, so that the sum of
    /// a rectangle takes four lookups.
    sums: Box<[u16; CORNERS]>,
}

impl Grid {
    /// Makes a grid of the mean brightness of its cells, row by row, each from 0 to 255.
    pub(super) fn of(brightness: &[u8; CELLS]) -> Self {
        let cells = Box::new(brightness.map(|cell| cell / 4));
        let sums = sums(&cells);
        Self { cells, sums }
    }

    /// Returns the cells, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = u8> {
        self.cells.iter().copied()
    }

    /// Returns a cell; beyond the rim, the one at the rim.
    pub(super) fn cell(&self, column: usize, row: usize) -> i32 {
        let last = FINGERPRINT_SIDE - 1;
        let at = row.min(last) * FINGERPRINT_SIDE + column.min(last);
        self.cells.get(at).copied().unwrap_or_default().into()
    }

    /// Returns the sum of the cells between two corners, given as left, top, right and bottom.
    pub(super) fn sum(&self, [left, top, right, bottom]: [usize; 4]) -> i32 {
        let sum = |column: usize, row: usize| {
            let sum = self.sums.get(row * (FINGERPRINT_SIDE + 1) + column);
            i32::from(sum.copied().unwrap_or_default())
        };
        sum(right, bottom) + sum(left, top) - sum(left, bottom) - sum(right, top)
    }
}

fn sums(cells: &[u8; CELLS]) -> Box<[u16; CORNERS]> {
    let mut sums = Box::new([0; CORNERS]);
    let mut above = [0; FINGERPRINT_SIDE + 1];
    let rows = sums.chunks_exact_mut(FINGERPRINT_SIDE + 1).skip(1);
    for (of_row, row) in rows.zip(cells.chunks_exact(FINGERPRINT_SIDE)) {
        let mut of_this = 0;
        for ((sum, above), cell) in of_row.iter_mut().zip(&mut above).skip(1).zip(row) {
            of_this += u16::from(*cell);
            *above += of_this;
            *sum = *above;
        }
    }
    sums
}

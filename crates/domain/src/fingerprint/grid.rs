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
    rows: Box<[[u8; FINGERPRINT_SIDE]; FINGERPRINT_SIDE]>,
    /// The sums of all cells to the left of and above each corner, corners row by row, so that the sum of
    /// a rectangle takes four lookups.
    sums: Box<[u16; CORNERS]>,
}

impl Grid {
    /// Makes a grid of the mean brightness of its cells, row by row, each from 0 to 255.
    pub(super) fn of(brightness: &[u8; CELLS]) -> Self {
        Self::of_cells(brightness.iter().map(|brightness| brightness / 4))
    }

    /// Makes a grid of cells from 0 to 63, row by row. What is missing is dark.
    pub(super) fn of_cells(cells: impl Iterator<Item = u8>) -> Self {
        let mut rows = Box::new([[0; FINGERPRINT_SIDE]; FINGERPRINT_SIDE]);
        for (cell, brightness) in rows.as_flattened_mut().iter_mut().zip(cells) {
            *cell = brightness;
        }
        let sums = sums(&rows);
        Self { rows, sums }
    }

    /// Returns the grid of the picture in a mirror.
    pub(super) fn mirrored(&self) -> Self {
        Self::of_cells(self.rows.iter().flat_map(|row| row.iter().rev().copied()))
    }

    /// Returns the cells, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = u8> {
        self.rows.as_flattened().iter().copied()
    }

    /// Returns a row; beyond the rim, the one at the rim.
    pub(super) fn row(&self, row: usize) -> &[u8; FINGERPRINT_SIDE] {
        const NONE: &[u8; FINGERPRINT_SIDE] = &[0; FINGERPRINT_SIDE];
        self.rows.get(row.min(FINGERPRINT_SIDE - 1)).unwrap_or(NONE)
    }

    /// Returns a cell; beyond the rim, the one at the rim.
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
    /// The places of its corners among the sums of a grid: right bottom, left top, left bottom, right top.
    corners: [u16; 4],
    /// The number of its cells.
    pub(super) cells: i32,
}

impl Rectangle {
    /// Makes the rectangle between two corners, given as left, top, right and bottom, of which each is beyond the
    /// one before it.
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

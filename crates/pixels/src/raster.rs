//! A small picture in memory, in which the signs of a collage are looked for.

/// A colour with 8 bits for each part.
pub(super) type Color = [u8; 3];

/// A picture of at most about half a million pixels, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<Color>,
}

impl Raster {
    /// Makes a picture of these pixels, row by row. Returns `None` where the sizes do not fit, or
    /// there is no pixel.
    pub(super) fn new(width: usize, height: usize, pixels: Vec<Color>) -> Option<Self> {
        let fits = !pixels.is_empty() && width.checked_mul(height) == Some(pixels.len());
        fits.then_some(Self {
            width,
            height,
            pixels,
        })
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// Returns a row, which is empty beyond the picture.
    pub(super) fn row(&self, row: usize) -> &[Color] {
        self.rows().nth(row).unwrap_or_default()
    }

    /// Returns the pixels of a column, from above.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = Color> {
        self.pixels.iter().skip(column).step_by(self.width).copied()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[Color]> {
        self.pixels.chunks_exact(self.width)
    }

    /// Turns the picture as it is to be seen, by the orientation of its Exif data (1 to 8).
    pub(super) fn upright(self, orientation: u16) -> Self {
        let mut raster = if orientation >= 5 {
            self.turned()
        } else {
            self
        };
        if matches!(orientation, 2 | 3 | 6 | 7) {
            for row in raster.pixels.chunks_exact_mut(raster.width) {
                row.reverse();
            }
        }
        if matches!(orientation, 3 | 4 | 7 | 8) {
            let rows: Vec<&[Color]> = raster.pixels.chunks_exact(raster.width).rev().collect();
            raster.pixels = rows.concat();
        }
        raster
    }

    /// Swaps rows and columns, so that one cue serves both directions.
    pub(super) fn turned(&self) -> Self {
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for column in 0..self.width {
            pixels.extend(self.column(column));
        }
        Self {
            width: self.height,
            height: self.width,
            pixels,
        }
    }
}

/// The columns `left..right` and the rows `top..bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

impl Area {
    pub(super) fn width(self) -> usize {
        self.right.saturating_sub(self.left)
    }

    pub(super) fn height(self) -> usize {
        self.bottom.saturating_sub(self.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the upright form of two rows of three pixels: 1 2 3 over 4 5 6.
    #[track_caller]
    fn check(orientation: u16, expect: [[u8; 3]; 2]) {
        let gray = |part: u8| [part; 3];
        let stored = Raster::new(3, 2, (1..=6).map(gray).collect()).unwrap();
        let seen = stored.upright(orientation);
        let rows = seen.rows().map(|row| row.iter().map(|[part, ..]| *part));
        let seen: Vec<Vec<u8>> = rows.map(Iterator::collect).collect();
        if orientation < 5 {
            assert_eq!(seen, expect.map(|row| row.to_vec()));
        } else {
            // Two columns: read down them.
            let column = |at: usize| seen.iter().map(|row| row[at]).collect::<Vec<u8>>();
            assert_eq!([column(0), column(1)], expect.map(|row| row.to_vec()));
        }
    }

    #[test]
    fn each_orientation_is_undone() {
        check(1, [[1, 2, 3], [4, 5, 6]]);
        check(2, [[3, 2, 1], [6, 5, 4]]);
        check(3, [[6, 5, 4], [3, 2, 1]]);
        check(4, [[4, 5, 6], [1, 2, 3]]);
        // The stored rows are the columns now.
        check(5, [[1, 2, 3], [4, 5, 6]]);
        check(6, [[4, 5, 6], [1, 2, 3]]);
        check(7, [[6, 5, 4], [3, 2, 1]]);
        check(8, [[3, 2, 1], [6, 5, 4]]);
    }
}

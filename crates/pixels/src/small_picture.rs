//! A photo decoded to a small picture, in which collages are detected, and the grid of brightness read from it.

use domain::{CollageCheck, FaceBox, Unjudged, Veto};

use crate::inset;
use crate::jpeg;
use crate::png_file;
use crate::seams::{self, Bands, Seam, Span, separates};

/// The number of columns of the grid of brightness, and also the number of its rows.
pub const BRIGHTNESS_SIDE: usize = 24;

/// The data that identify a photo's content: its size and brightness without its border.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// The width and height of the content, in pixels of the small picture.
    pub size_px: (u32, u32),
    /// The mean brightness of each cell of a grid over the content, from 0 to 255, row by row.
    pub brightness: [u8; BRIGHTNESS_SIDE * BRIGHTNESS_SIDE],
}

/// A decoded photo as an upright picture, of which no side is longer than 640 pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallPicture {
    raster: Raster,
    /// Whether the end of the file is missing, so that a part of the picture may be gray.
    is_cut: bool,
}

impl SmallPicture {
    /// Decodes a JPEG or PNG, or says why it cannot be decoded within the limits.
    // Without this attribute, the function would be inlined into a caller that is optimised for size, and so be slow.
    #[inline(never)]
    pub fn read(photo: &[u8]) -> Result<Self, Unjudged> {
        if photo.starts_with(metadata::jpeg::SIGNATURE) {
            let jpeg::Decoded { raster, is_cut } = jpeg::decode(photo)?;
            Ok(Self { raster, is_cut })
        } else if photo.starts_with(png_file::SIGNATURE) {
            let raster = png_file::decode(photo)?;
            Ok(Self {
                raster,
                is_cut: false,
            })
        } else {
            Err(Unjudged::Unreadable)
        }
    }

    /// Returns how much memory the picture takes, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.raster.width() * self.raster.height() * 3
    }

    /// Returns the size and brightness of the picture without its border.
    #[inline(never)]
    #[must_use]
    pub fn content(&self) -> Content {
        let area = inset::content(&self.raster);
        let (width, height) = (area.width(), area.height());
        let mut sums = [(0_u32, 0_u32); BRIGHTNESS_SIDE * BRIGHTNESS_SIDE];
        let cells_across: Vec<usize> = (0..BRIGHTNESS_SIDE)
            .map(|cell| begin_of_cell(cell + 1, width) - begin_of_cell(cell, width))
            .collect();
        for (y, row) in self.raster.rows().skip(area.top).take(height).enumerate() {
            let mut rows = sums.chunks_exact_mut(BRIGHTNESS_SIDE);
            let Some(cells) = rows.nth(y * BRIGHTNESS_SIDE / height) else {
                continue;
            };
            let mut left = row.get(area.left..area.left + width).unwrap_or_default();
            for ((sum, count), across) in cells.iter_mut().zip(&cells_across) {
                let (cell, rest) = left.split_at_checked(*across).unwrap_or_default();
                left = rest;
                *sum += cell.iter().map(|color| light_of(*color)).sum::<u32>();
                *count += u32::try_from(cell.len()).unwrap_or(0);
            }
        }
        let mut last = 0;
        let px = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Content {
            size_px: (px(width), px(height)),
            brightness: sums.map(|(sum, count)| {
                // If the picture is narrower than the grid, some cells have no pixels. They repeat the mean of the cell
                // before them.
                let mean = sum.checked_div(count);
                last = mean.map_or(last, |mean| u8::try_from(mean).unwrap_or(u8::MAX));
                last
            }),
        }
    }

    /// Checks whether the photo is a collage. A collage proves nothing about the people in it, whose faces are `faces`.
    /// Fewer than two faces prove nothing anyway, so they pass.
    #[inline(never)]
    #[must_use]
    pub fn check(&self, faces: &[FaceBox]) -> CollageCheck {
        if faces.len() < 2 {
            return CollageCheck::Passed;
        }
        let across: Vec<Span> = faces
            .iter()
            .map(|face| Span::new(face.left, face.width))
            .collect();
        let down: Vec<Span> = faces
            .iter()
            .map(|face| Span::new(face.top, face.height))
            .collect();
        let upright = seam(&Bands::of_columns(&self.raster), &across);
        if upright == Seam::Sure {
            return CollageCheck::Vetoed(Veto::Seam);
        }
        let level = seam(&Bands::of_rows(&self.raster), &down);
        if level == Seam::Sure {
            CollageCheck::Vetoed(Veto::Seam)
        } else if inset::is_there(&self.raster, faces) {
            CollageCheck::Vetoed(Veto::Inset)
        } else if self.is_cut {
            CollageCheck::NotJudged(Unjudged::Cut)
        } else if upright.max(level) == Seam::Near {
            CollageCheck::Doubtful
        } else {
            CollageCheck::Passed
        }
    }
}

/// Returns the first of so many columns that is in this column of the grid, or in a later one.
fn begin_of_cell(cell: usize, columns: usize) -> usize {
    (cell * columns).div_ceil(BRIGHTNESS_SIDE)
}

/// Returns the brightness of a colour, from 0 to 255.
fn light_of([red, green, blue]: Color) -> u32 {
    (u32::from(red) * 77 + u32::from(green) * 150 + u32::from(blue) * 29) >> 8
}

fn seam(bands: &Bands, faces: &[Span]) -> Seam {
    let width = bands.width();
    let is_between = |column: &usize| separates(*column as f64 / width as f64, faces);
    let columns = (0..width).filter(is_between);
    seams::best_of(bands, columns)
}

/// A colour with 8 bits per component.
pub(crate) type Color = [u8; 3];

/// A picture of at most about half a million pixels, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<Color>,
}

impl Raster {
    /// Makes a picture from its pixels, row by row; `None` if their number does not match the sizes or is zero.
    pub(crate) fn new(width: usize, height: usize, pixels: Vec<Color>) -> Option<Self> {
        let fits = !pixels.is_empty() && width.checked_mul(height) == Some(pixels.len());
        fits.then_some(Self {
            width,
            height,
            pixels,
        })
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// Returns the pixels of a row, or none if the row is beyond the picture.
    pub(crate) fn row(&self, row: usize) -> &[Color] {
        self.rows().nth(row).unwrap_or_default()
    }

    /// Returns the pixels of a column, from the top.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = Color> {
        self.pixels.iter().skip(column).step_by(self.width).copied()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Color]> {
        self.pixels.chunks_exact(self.width)
    }

    /// Returns the picture turned upright according to the orientation in its Exif data, 1 to 8.
    pub(crate) fn upright(self, orientation: u16) -> Self {
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

    /// Swaps rows and columns. The cues for upright lines can then be applied to level lines.
    pub(crate) fn turned(&self) -> Self {
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

/// The area of the columns `left..right` and the rows `top..bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Area {
    pub(crate) fn width(self) -> usize {
        self.right.saturating_sub(self.left)
    }

    pub(crate) fn height(self) -> usize {
        self.bottom.saturating_sub(self.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which picture results from two rows of three pixels, 1 2 3 over 4 5 6, with this orientation.
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
            // The picture has two columns, which are read downwards.
            let column = |at: usize| seen.iter().map(|row| row[at]).collect::<Vec<u8>>();
            assert_eq!([column(0), column(1)], expect.map(|row| row.to_vec()));
        }
    }

    #[test]
    fn every_column_is_in_the_cell_at_its_place() {
        for columns in [1, 7, 23, 24, 25, 100, 639, 640] {
            let cells = (0..BRIGHTNESS_SIDE).flat_map(|cell| {
                (begin_of_cell(cell, columns)..begin_of_cell(cell + 1, columns)).map(move |_| cell)
            });
            let expect = (0..columns).map(|column| column * BRIGHTNESS_SIDE / columns);
            assert!(cells.eq(expect), "{columns}");
        }
    }

    #[test]
    fn each_orientation_is_undone() {
        check(1, [[1, 2, 3], [4, 5, 6]]);
        check(2, [[3, 2, 1], [6, 5, 4]]);
        check(3, [[6, 5, 4], [3, 2, 1]]);
        check(4, [[4, 5, 6], [1, 2, 3]]);
        // From orientation 5 on, the stored rows become columns.
        check(5, [[1, 2, 3], [4, 5, 6]]);
        check(6, [[4, 5, 6], [1, 2, 3]]);
        check(7, [[6, 5, 4], [3, 2, 1]]);
        check(8, [[3, 2, 1], [6, 5, 4]]);
    }
}

//! A photo decoded to a small picture, and what is read from it.

use super::bands::Bands;
use super::decode::decode;
use super::face_area::FaceArea;
use super::frame;
use super::inset;
use super::raster::Raster;
use super::seams::{self, Seam};
use super::sign::{Judgement, Sign};
use super::span::{Span, separates};

/// The number of columns and rows of the grid on which brightness is told.
pub const BRIGHTNESS_SIDE: usize = 24;

/// What is within a picture's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// Its width and height, in pixels of the small picture.
    pub size_px: (u32, u32),
    /// The mean brightness, from 0 to 255, of the cells of a grid, row by row.
    pub brightness: [u8; BRIGHTNESS_SIDE * BRIGHTNESS_SIDE],
}

/// A photo as a picture of at most 640 pixels a side, upright.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallPicture(Raster);

impl SmallPicture {
    /// Decodes a JPEG or PNG. Returns `None` where it cannot be read within the bounds.
    // Within a caller that is built for a small size, this function would be built so, too.
    #[inline(never)]
    #[must_use]
    pub fn read(photo: &[u8]) -> Option<Self> {
        decode(photo).map(Self)
    }

    /// Returns how much memory the picture takes, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.0.width() * self.0.height() * 3
    }

    /// Returns what is within the picture's frame: its size, and how bright it is.
    #[inline(never)]
    #[must_use]
    pub fn content(&self) -> Content {
        let area = frame::content(&self.0);
        let (width, height) = (area.width(), area.height());
        let mut sums = [(0_u32, 0_u32); BRIGHTNESS_SIDE * BRIGHTNESS_SIDE];
        for (y, row) in self.0.rows().skip(area.top).take(height).enumerate() {
            let mut rows = sums.chunks_exact_mut(BRIGHTNESS_SIDE);
            let Some(cells) = rows.nth(y * BRIGHTNESS_SIDE / height) else {
                continue;
            };
            let row = row.iter().skip(area.left).take(width).enumerate();
            for (x, [red, green, blue]) in row {
                if let Some((sum, count)) = cells.get_mut(x * BRIGHTNESS_SIDE / width) {
                    let light =
                        u32::from(*red) * 77 + u32::from(*green) * 150 + u32::from(*blue) * 29;
                    *sum += light >> 8;
                    *count += 1;
                }
            }
        }
        let mut last = 0;
        let px = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Content {
            size_px: (px(width), px(height)),
            brightness: sums.map(|(sum, count)| {
                // A picture that is narrower than the grid has no pixels for some of its cells.
                let mean = sum.checked_div(count);
                last = mean.map_or(last, |mean| u8::try_from(mean).unwrap_or(u8::MAX));
                last
            }),
        }
    }

    /// Returns whether the photo proves nothing about the people whose faces are there.
    #[inline(never)]
    #[must_use]
    pub fn judge(&self, faces: &[FaceArea]) -> Judgement {
        if faces.len() < 2 {
            return Judgement::Clear;
        }
        let across: Vec<Span> = faces
            .iter()
            .map(|face| Span::new(face.left, face.width))
            .collect();
        let down: Vec<Span> = faces
            .iter()
            .map(|face| Span::new(face.top, face.height))
            .collect();
        let upright = seam(&Bands::of_columns(&self.0), &across);
        if upright == Seam::Sure {
            return Judgement::Composite(Sign::Seam);
        }
        let level = seam(&Bands::of_rows(&self.0), &down);
        if level == Seam::Sure {
            Judgement::Composite(Sign::Seam)
        } else if inset::is_there(&self.0, faces) {
            Judgement::Composite(Sign::Inset)
        } else if upright.max(level) == Seam::Near {
            Judgement::Doubtful
        } else {
            Judgement::Clear
        }
    }
}

fn seam(bands: &Bands, faces: &[Span]) -> Seam {
    let width = bands.width();
    let is_between = |column: &usize| separates(*column as f64 / width as f64, faces);
    let columns = (0..width).filter(is_between);
    seams::best_of(bands, columns)
}

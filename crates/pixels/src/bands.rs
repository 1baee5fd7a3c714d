//! A picture cut across into bands: one mean colour for each band and column.
//!
//! What runs straight through a picture stands in the same column of every band; noise and texture
//! even out within a band.

use super::raster::{Color, Raster};

/// The most bands of a picture. There are fewer where that many would be thinner than
/// [`BAND_PX_MIN`].
const BANDS_MAX: usize = 32;
/// The least thickness of a band, in pixels. Thinner ones would keep their noise.
const BAND_PX_MIN: usize = 3;

/// A mean colour, with each part from 0 to 255.
pub(super) type Mean = [f32; 3];

/// The bands of a picture one after the other, each with its places.
#[derive(Debug, Clone)]
pub(super) struct Bands {
    width: usize,
    means: Vec<Mean>,
}

impl Bands {
    /// Cuts a picture into bands from the top to the bottom. The places of each are the picture's
    /// columns.
    pub(super) fn of_columns(raster: &Raster) -> Self {
        let (width, height) = (raster.width(), raster.height());
        let count = count(height);
        let mut means = Vec::with_capacity(count.saturating_mul(width));
        let mut rows = raster.rows();
        for number in 0..count {
            let thickness = thickness(number, count, height);
            let mut sums = vec![[0_u32; 3]; width];
            for row in rows.by_ref().take(thickness) {
                // The parts are added one by one, which compilers turn into vector instructions.
                let parts = sums.as_flattened_mut().iter_mut();
                for (sum, part) in parts.zip(row.as_flattened()) {
                    *sum += u32::from(*part);
                }
            }
            means.extend(sums.into_iter().map(|sum| mean(sum, thickness)));
        }
        Self { width, means }
    }

    /// Cuts a picture into bands from the left to the right. The places of each are the picture's
    /// rows, as if [`Self::of_columns`] got the picture turned.
    pub(super) fn of_rows(raster: &Raster) -> Self {
        let (width, height) = (raster.width(), raster.height());
        let count = count(width);
        let mut means = vec![[0.0; 3]; count.saturating_mul(height)];
        for (number, row) in raster.rows().enumerate() {
            let mut colors = row;
            let places = means.iter_mut().skip(number).step_by(height);
            for (band, place) in places.enumerate() {
                let thickness = thickness(band, count, width);
                let Some((of_band, rest)) = colors.split_at_checked(thickness) else {
                    break;
                };
                colors = rest;
                let mut sum = [0; 3];
                for color in of_band {
                    add(&mut sum, *color);
                }
                *place = mean(sum, thickness);
            }
        }
        Self {
            width: height,
            means,
        }
    }

    /// Returns the number of places in a band.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Mean]> {
        self.means.chunks_exact(self.width)
    }

    pub(super) fn count(&self) -> usize {
        self.means.len() / self.width
    }
}

fn count(length: usize) -> usize {
    BANDS_MAX.min(length / BAND_PX_MIN).max(1)
}

/// Returns the thickness of the band of this number, where a length is cut into `count` bands as
/// evenly as pixels allow.
fn thickness(number: usize, count: usize, length: usize) -> usize {
    let begin = |number: usize| (number * length).div_ceil(count);
    begin(number + 1) - begin(number)
}

fn add(sum: &mut [u32; 3], color: Color) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += u32::from(part);
    }
}

fn mean(sum: [u32; 3], count: usize) -> Mean {
    sum.map(|part| part as f32 / count.max(1) as f32)
}

/// Returns how far apart two colours are, in the part in which they differ most.
pub(super) fn distance(one: Mean, other: Mean) -> f32 {
    let parts = one.into_iter().zip(other);
    parts.fold(0.0, |most, (one, other)| most.max((one - other).abs()))
}

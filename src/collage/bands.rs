//! A picture cut across into bands: one mean colour for each band and column.
//!
//! What runs straight through a picture stands in the same column of every band; noise and texture
//! even out within a band.

use super::raster::Raster;

/// Into so many bands; fewer where that makes them thinner than [`BAND_PX_MIN`].
const BANDS_MAX: usize = 32;
/// Thinner ones would keep their noise.
const BAND_PX_MIN: usize = 3;

/// A mean colour, 0 to 255 a part.
pub(super) type Mean = [f32; 3];

/// Bands from the top to the bottom, each with its columns.
#[derive(Debug, Clone)]
pub(super) struct Bands {
    width: usize,
    bands: Vec<Vec<Mean>>,
}

impl Bands {
    pub(super) fn of(raster: &Raster) -> Self {
        let count = BANDS_MAX.min(raster.height() / BAND_PX_MIN).max(1);
        let mut sums = vec![vec![[0_u32; 3]; raster.width()]; count];
        let mut rows = vec![0_u32; count];
        for (number, row) in raster.rows().enumerate() {
            let band = number * count / raster.height().max(1);
            let (Some(sums), Some(rows)) = (sums.get_mut(band), rows.get_mut(band)) else {
                continue;
            };
            *rows += 1;
            for (sum, color) in sums.iter_mut().zip(row) {
                for (sum, part) in sum.iter_mut().zip(color) {
                    *sum += u32::from(*part);
                }
            }
        }
        let bands = sums.into_iter().zip(rows);
        let mean = |sum: u32, rows: u32| sum as f32 / rows.max(1) as f32;
        Self {
            width: raster.width(),
            bands: bands
                .map(|(sums, rows)| {
                    let means = sums.into_iter().map(|sum| sum.map(|part| mean(part, rows)));
                    means.collect()
                })
                .collect(),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Mean]> {
        self.bands.iter().map(Vec::as_slice)
    }

    pub(super) fn count(&self) -> usize {
        self.bands.len()
    }
}

/// How far apart two colours are: in the part in which they differ most.
pub(super) fn distance(one: Mean, other: Mean) -> f32 {
    let parts = one.into_iter().zip(other);
    parts.fold(0.0, |most, (one, other)| most.max((one - other).abs()))
}

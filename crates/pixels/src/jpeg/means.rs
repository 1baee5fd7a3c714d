//! Makes a picture of the means of a JPEG's blocks: joins its components, of which some have a lower resolution, and
//! converts its colours.

use crate::shrink::{PixelFormat, Shrinking};
use crate::small_picture::Raster;

use super::huffman::FIRST;
use super::{Component, Frame, PROGRESSIVE};

/// What the components of a JPEG are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colors {
    Gray,
    Rgb,
    /// Luma and chroma.
    Ycc,
    /// How much light each of four inks leaves, as Adobe's programs, which write nearly all such files, store it.
    Cmyk,
    /// Black, and luma and chroma of the other inks, as four bytes.
    Ycck,
}

impl Colors {
    fn format(self) -> PixelFormat {
        match self {
            Self::Gray => PixelFormat::Gray,
            Self::Rgb | Self::Ycc => PixelFormat::Rgb,
            Self::Cmyk | Self::Ycck => PixelFormat::Cmyk,
        }
    }

    /// Converts the samples of a pixel to those of its format.
    fn convert(self, pixel: &mut [u8]) {
        match (self, pixel) {
            (Self::Ycc, [first, second, third]) => {
                [*first, *second, *third] = rgb(*first, *second, *third);
            }
            (Self::Ycck, [first, second, third, black]) => {
                [*first, *second, *third] = rgb(*first, *second, *third);
                *black = 255 - *black;
            }
            (Self::Cmyk, inks) => inks.iter_mut().for_each(|light| *light = 255 - *light),
            _ => {}
        }
    }
}

/// Returns the picture; `None` if it has no pixels.
pub(super) fn picture(components: &[Plane], frame: &Frame, colors: Colors) -> Option<Raster> {
    let block_px = components.first()?.block_px;
    let [width, height] =
        [frame.width, frame.height].map(|side| (usize::from(side) * block_px).div_ceil(8));
    let format = colors.format();
    let mut shrinking = Shrinking::new(width, height);
    let mut samples = vec![0; width];
    let mut pixels = vec![0; width * format.bytes()];
    for row in 0..height {
        for (number, plane) in components.iter().enumerate() {
            plane.fill_row(row, frame.sampling_max(), &mut samples);
            let places = pixels.iter_mut().skip(number).step_by(format.bytes());
            places
                .zip(&samples)
                .for_each(|(place, sample)| *place = *sample);
        }
        pixels
            .chunks_exact_mut(format.bytes())
            .for_each(|pixel| colors.convert(pixel));
        shrinking.add_row(row, &pixels, format);
    }
    shrinking.finish()
}

/// One component.
pub(super) struct Plane {
    pub(super) component: Component,
    /// The number of blocks of a row and of rows in the units of the whole picture.
    pub(super) blocks: (usize, usize),
    /// The number of blocks of a row and of rows without those that only fill the last units. A scan of this component
    /// alone has no others.
    pub(super) own_blocks: (usize, usize),
    /// The steps of the first coefficients.
    pub(super) steps: [u16; FIRST],
    /// The DC coefficient of each block, if several scans have its bits; otherwise empty.
    coefficients: Vec<i16>,
    /// The width and height of a block in the picture: 1 or 2.
    block_px: usize,
    /// The number of samples of a row and of rows without those that only fill the last units.
    own_size: (usize, usize),
    samples: Vec<u8>,
}

impl Plane {
    pub(super) fn new(component: Component, frame: &Frame, block_px: usize) -> Self {
        let (widest, highest) = frame.sampling_max();
        let sides = |px: u16, sampling: u8, sampling_max: u8| {
            let (px, sampling, most) = (
                usize::from(px),
                usize::from(sampling),
                usize::from(sampling_max),
            );
            let all = px.div_ceil(8 * most) * sampling;
            let own_px = (px * sampling).div_ceil(most);
            (all, own_px.div_ceil(8), (own_px * block_px).div_ceil(8))
        };
        let (across, own_across, own_width) = sides(frame.width, component.sampling.0, widest);
        let (down, own_down, own_height) = sides(frame.height, component.sampling.1, highest);
        let (coefficients, samples) = if frame.marker == PROGRESSIVE {
            (across * down, 0)
        } else {
            (0, across * down * block_px * block_px)
        };
        Self {
            component,
            blocks: (across, down),
            own_blocks: (own_across, own_down),
            steps: [1; FIRST],
            coefficients: vec![0; coefficients],
            block_px,
            own_size: (own_width, own_height),
            samples: vec![128; samples],
        }
    }

    /// Returns the coefficient of a block; `None` if it is not in the picture.
    pub(super) fn coefficient(&mut self, (column, row): (usize, usize)) -> Option<&mut i16> {
        self.coefficients.get_mut(row * self.blocks.0 + column)
    }

    /// Sets the samples of a block from its first coefficients; `None` if it is not in the picture.
    #[inline]
    pub(super) fn put<const BLOCK_PX: usize>(
        &mut self,
        (column, row): (usize, usize),
        coefficients: [i16; FIRST],
    ) -> Option<()> {
        let across = self.blocks.0 * BLOCK_PX;
        let place = (row * across + column) * BLOCK_PX;
        let value = |number: usize| {
            let (coefficient, step) = coefficients.get(number).zip(self.steps.get(number))?;
            Some(i32::from(*coefficient).wrapping_mul(i32::from(*step)))
        };
        if BLOCK_PX == 1 {
            *self.samples.get_mut(place)? = mean(value(0)?);
            return Some(());
        }
        let values = [value(0)?, value(1)?, value(2)?, value(4)?];
        let [upper, lower] = quarters(values);
        for (place, pair) in [(place, upper), (place + across, lower)] {
            self.samples
                .get_mut(place..place + 2)?
                .copy_from_slice(&pair);
        }
        Some(())
    }

    /// Makes samples of the coefficients, if there are any.
    pub(super) fn finish(&mut self) {
        let coefficients = std::mem::take(&mut self.coefficients).into_iter();
        if coefficients.len() > 0 {
            let step = i32::from(self.steps[0]);
            let means = coefficients.map(|coefficient| mean(i32::from(coefficient) * step));
            self.samples = means.collect();
        }
    }

    /// Fills a row of the picture with the samples of this component, whose resolution may be lower. Half the resolution
    /// is blended as most decoders do, three quarters of the nearer sample and one of the farther; a lower one is not.
    fn fill_row(&self, row: usize, (widest, highest): (u8, u8), samples: &mut [u8]) {
        let (width, height) = self.component.sampling;
        let is_half = |sampling: u8, most: u8| 2 * sampling == most;
        let near = row * usize::from(height) / usize::from(highest);
        let far = match row % 2 {
            _ if !is_half(height, highest) => near,
            0 => near.saturating_sub(1),
            _ => (near + 1).min(self.own_size.1.saturating_sub(1)),
        };
        // Four times the sample, for each column.
        let blended = self.row(near).iter().zip(self.row(far));
        let mut blended = blended.map(|(near, far)| 3 * u32::from(*near) + u32::from(*far));
        if width == widest {
            for (sample, blended) in samples.iter_mut().zip(blended) {
                *sample = rounded(blended, 4);
            }
        } else if is_half(width, widest) {
            let first = blended.next().unwrap_or(0);
            let (mut before, mut here) = (first, first);
            for pair in samples.chunks_mut(2) {
                let after = blended.next().unwrap_or(here);
                for (sample, beside) in pair.iter_mut().zip([before, after]) {
                    *sample = rounded(3 * here + beside, 16);
                }
                (before, here) = (here, after);
            }
        } else {
            let (near, own, most) = (self.row(near), usize::from(width), usize::from(widest));
            for (column, sample) in samples.iter_mut().enumerate() {
                *sample = near.get(column * own / most).copied().unwrap_or(0);
            }
        }
    }

    /// Returns a row of samples, or none if it is beyond the picture.
    fn row(&self, row: usize) -> &[u8] {
        let begin = row * self.blocks.0 * self.block_px;
        let row = self.samples.get(begin..begin + self.own_size.0);
        row.unwrap_or_default()
    }
}

/// Returns the mean of a block with this DC value.
fn mean(value: i32) -> u8 {
    byte(value.wrapping_add(128 * 8) / 8)
}

/// Returns the means of a block's quarters, row by row. They follow from its mean, and from how it changes across, down
/// and in both directions.
fn quarters([all, across, down, both]: [i32; 4]) -> [[u8; 2]; 2] {
    // Half of an eighth for rounding, and the middle of the range.
    let all = all.wrapping_add(4 + 128 * 8);
    let rows = [
        (all.wrapping_add(down), across.wrapping_add(both)),
        (all.wrapping_sub(down), across.wrapping_sub(both)),
    ];
    rows.map(|(mean, slope)| {
        [mean.wrapping_add(slope), mean.wrapping_sub(slope)].map(|sample| byte(sample >> 3))
    })
}

/// Returns a sum of weighted means, divided by their weights and rounded.
fn rounded(sum: u32, weights: u32) -> u8 {
    u8::try_from((sum + weights / 2) / weights).unwrap_or(u8::MAX)
}

/// Converts luma and chroma to red, green and blue (ITU-T T.871, section 7).
fn rgb(luma: u8, to_blue: u8, to_red: u8) -> [u8; 3] {
    // The factors are multiples of a 2^20th, as `jpeg-decoder` rounds them.
    const BITS: u32 = 20;
    let luma = (i32::from(luma) << BITS) + (1 << (BITS - 1));
    let (to_blue, to_red) = (i32::from(to_blue) - 128, i32::from(to_red) - 128);
    [
        byte((luma + 1_470_104 * to_red) >> BITS),
        byte((luma - 360_857 * to_blue - 748_830 * to_red) >> BITS),
        byte((luma + 1_858_077 * to_blue) >> BITS),
    ]
}

fn byte(value: i32) -> u8 {
    u8::try_from(value.clamp(0, 255)).unwrap_or(0)
}

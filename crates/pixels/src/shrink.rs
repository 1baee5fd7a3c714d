//! Shrinks a picture while it is decoded, so that a large one takes no more memory than a small one.

use crate::small_picture::{Color, Raster};

/// The greatest length of the longer side of the result, in pixels. Longer pictures are shrunk.
const LONG_SIDE_PX_MAX: usize = 640;

/// The format of decoded pixels, with 8 bits per component.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PixelFormat {
    Gray,
    GrayAlpha,
    Rgb,
    RgbAlpha,
    Cmyk,
}

impl PixelFormat {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::RgbAlpha | Self::Cmyk => 4,
        }
    }

    /// Returns the colour of one pixel. What is transparent is white.
    fn color(self, bytes: &[u8]) -> Color {
        match (self, bytes) {
            (Self::Gray, [gray]) => [*gray; 3],
            (Self::GrayAlpha, [gray, alpha]) => [on_white(*gray, *alpha); 3],
            (Self::Rgb, [red, green, blue]) => [*red, *green, *blue],
            (Self::RgbAlpha, [red, green, blue, alpha]) => {
                [red, green, blue].map(|part| on_white(*part, *alpha))
            }
            // More ink means less light.
            (Self::Cmyk, [cyan, magenta, yellow, black]) => [cyan, magenta, yellow].map(|ink| {
                let light = (255 - u16::from(*ink)) * (255 - u16::from(*black)) / 255;
                u8::try_from(light).unwrap_or(u8::MAX)
            }),
            _ => [0; 3],
        }
    }
}

/// Returns a colour component with this opacity in front of white.
fn on_white(part: u8, alpha: u8) -> u8 {
    let alpha = u16::from(alpha);
    let light = (u16::from(part) * alpha + 255 * (255 - alpha)) / 255;
    u8::try_from(light).unwrap_or(u8::MAX)
}

/// A picture that is shrunk to the means of squares of `factor` times `factor` pixels. Its pixels may come in any order.
pub(crate) struct Shrinking {
    factor: usize,
    width: usize,
    height: usize,
    /// The sum of each square; empty if a square has only one pixel.
    sums: Vec<[u32; 3]>,
    /// The pixels, if a square has only one; otherwise empty. Most pictures are decoded at their final size, and adding
    /// and dividing would take longer than all else in this module.
    pixels: Vec<Color>,
}

impl Shrinking {
    /// Begins with a picture of this size, in pixels.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let factor = width.max(height).div_ceil(LONG_SIDE_PX_MAX).max(1);
        // Pixels at the right and lower edges that do not fill a whole new pixel are dropped.
        let (width, height) = (width / factor, height / factor);
        let squares = width.saturating_mul(height);
        let (sums, pixels) = if factor == 1 {
            (0, squares)
        } else {
            (squares, 0)
        };
        Self {
            factor,
            width,
            height,
            sums: vec![[0; 3]; sums],
            pixels: vec![[0; 3]; pixels],
        }
    }

    /// Adds a whole row, counted from the top.
    pub(crate) fn add_row(&mut self, row: usize, pixels: &[u8], format: PixelFormat) {
        if self.factor == 1 {
            self.set_pixels(row, (0, 1), pixels, format);
            return;
        }
        let groups = pixels.chunks_exact(format.bytes().saturating_mul(self.factor));
        for (sum, group) in self.sums_of(row).iter_mut().zip(groups) {
            for pixel in group.chunks_exact(format.bytes()) {
                add(sum, format.color(pixel));
            }
        }
    }

    /// Adds some pixels of a row: every `step`th one from `first` on.
    pub(crate) fn add_pixels(
        &mut self,
        row: usize,
        (first, step): (usize, usize),
        pixels: &[u8],
        format: PixelFormat,
    ) {
        let factor = self.factor;
        if factor == 1 {
            self.set_pixels(row, (first, step), pixels, format);
            return;
        }
        let sums = self.sums_of(row);
        for (place, pixel) in pixels.chunks_exact(format.bytes()).enumerate() {
            if let Some(sum) = sums.get_mut((first + place * step) / factor) {
                add(sum, format.color(pixel));
            }
        }
    }

    /// Sets some pixels of a row of a picture that is not shrunk.
    fn set_pixels(
        &mut self,
        row: usize,
        (first, step): (usize, usize),
        pixels: &[u8],
        format: PixelFormat,
    ) {
        let mut rows = self.pixels.chunks_exact_mut(self.width.max(1));
        let row = rows.nth(row).unwrap_or_default();
        if let (PixelFormat::Rgb, 0, 1) = (format, first, step) {
            let (colors, _) = pixels.as_chunks();
            let count = colors.len().min(row.len());
            let (whole, colors) = (row.get_mut(..count), colors.get(..count));
            if let (Some(row), Some(colors)) = (whole, colors) {
                row.copy_from_slice(colors);
            }
            return;
        }
        let places = row.iter_mut().skip(first).step_by(step);
        for (place, pixel) in places.zip(pixels.chunks_exact(format.bytes())) {
            *place = format.color(pixel);
        }
    }

    /// Returns the sums of the new row of which this row is a part; empty for rows that are dropped.
    fn sums_of(&mut self, row: usize) -> &mut [[u32; 3]] {
        let rows = &mut self.sums.chunks_exact_mut(self.width.max(1));
        rows.nth(row / self.factor).unwrap_or_default()
    }

    /// Returns the shrunk picture; `None` if it has no pixels.
    pub(crate) fn finish(self) -> Option<Raster> {
        let count = u32::try_from(self.factor * self.factor).unwrap_or(u32::MAX);
        let mean = |sum: u32| u8::try_from(sum / count).unwrap_or(u8::MAX);
        let pixels = if self.factor == 1 {
            self.pixels
        } else {
            self.sums.iter().map(|sum| sum.map(mean)).collect()
        };
        Raster::new(self.width, self.height, pixels)
    }
}

fn add(sum: &mut [u32; 3], color: Color) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += u32::from(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_transparent_is_white() {
        let color = |format: PixelFormat, bytes: &[u8]| format.color(bytes);
        assert_eq!(color(PixelFormat::GrayAlpha, &[0, 0]), [255; 3]);
        assert_eq!(color(PixelFormat::GrayAlpha, &[0, 255]), [0; 3]);
        assert_eq!(
            color(PixelFormat::RgbAlpha, &[0, 100, 200, 128]),
            [127, 177, 227]
        );
    }

    #[test]
    fn pixels_in_any_order_make_the_same_picture() {
        check(1_300, (433, 6));
        check(600, (600, 20));
    }

    #[track_caller]
    fn check(width: usize, expect: (usize, usize)) {
        let height = 20;
        let pixel = |x: usize, y: usize| u8::try_from((x * 7 + y * 31) % 256).unwrap();
        let row = |y: usize| (0..width).map(|x| pixel(x, y)).collect::<Vec<u8>>();
        let mut by_rows = Shrinking::new(width, height);
        for y in 0..height {
            by_rows.add_row(y, &row(y), PixelFormat::Gray);
        }
        let mut scattered = Shrinking::new(width, height);
        for y in (0..height).rev() {
            for first in [1, 0] {
                let half: Vec<u8> = row(y).into_iter().skip(first).step_by(2).collect();
                scattered.add_pixels(y, (first, 2), &half, PixelFormat::Gray);
            }
        }
        let picture = by_rows.finish().unwrap();
        assert_eq!((picture.width(), picture.height()), expect);
        assert_eq!(scattered.finish().unwrap(), picture);
    }
}

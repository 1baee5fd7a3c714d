//! Changes to a photo after it was taken: exposure, noise, cropping, pasting, mirroring.

use super::keyed_rng::KeyedRng;
use crate::hash::hash;

/// A picture as packed RGB.
#[derive(Clone, Debug)]
pub(super) struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Pixels {
    pub(super) fn new((width, height): (u16, u16), rgb: &[u8]) -> Self {
        let (pixels, _) = rgb.as_chunks::<3>();
        Self {
            width: width.into(),
            height: height.into(),
            rgb: pixels.to_vec(),
        }
    }

    pub(super) fn filled((width, height): (u16, u16), color: [u8; 3]) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self {
            width,
            height,
            rgb: vec![color; width * height],
        }
    }

    pub(super) fn size_px(&self) -> (u16, u16) {
        let side = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        (side(self.width), side(self.height))
    }

    pub(super) fn into_rgb(self) -> Vec<u8> {
        self.rgb.into_flattened()
    }

    /// Simulates another day and another camera: changes brightness and tint, and adds sensor noise.
    pub(super) fn expose(&mut self, rng: KeyedRng) {
        let bright = rng.span("bright", 0.72, 1.16);
        let tint = rng.span("tint", -0.07, 0.07);
        let gains = [bright * (1.0 + tint), bright, bright * (1.0 - tint)];
        let noise = rng.span("noise", 0.0, 5.0);
        let seed = hash(&["noise".into(), rng.below("noise seed", 1 << 20).into()]);
        let mut state = seed | 1;
        for pixel in &mut self.rgb {
            // Noise does not need good randomness, so a small generator suffices.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let [one, two, ..] = state.to_le_bytes();
            // The sum of two bytes has a triangular distribution.
            let grain = (f32::from(one) + f32::from(two) - 255.0) / 255.0 * noise;
            for (part, gain) in pixel.iter_mut().zip(gains) {
                *part = level(f32::from(*part) * gain + grain);
            }
        }
    }

    /// Returns the picture enlarged to a size, as packed RGB. It gets new grain, as if from a larger sensor.
    pub(super) fn magnified(&self, (width, height): (u16, u16), seed: u64) -> Vec<u8> {
        const GRAIN: f32 = 16.0;
        let mut rgb = Vec::with_capacity(usize::from(width) * usize::from(height) * 3);
        let mut state = seed | 1;
        let scale = self.width as f32 / f32::from(width);
        for row in 0..height {
            for column in 0..width {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let [one, two, ..] = state.to_le_bytes();
                let grain = (f32::from(one) + f32::from(two) - 255.0) / 255.0 * GRAIN;
                let color = self.between(f32::from(column) * scale, f32::from(row) * scale);
                rgb.extend(color.map(|part| level(f32::from(part) + grain)));
            }
        }
        rgb
    }

    /// Returns the part of the picture with this upper left corner and this size.
    pub(super) fn cropped(&self, (left, top): (usize, usize), size_px: (u16, u16)) -> Self {
        let mut part = Self::filled(size_px, [0; 3]);
        for row in 0..part.height {
            for column in 0..part.width {
                if let Some(pixel) = self.at(left + column, top + row) {
                    part.set(column, row, pixel);
                }
            }
        }
        part
    }

    /// Returns the middle part of the picture, in this size, as seen by a camera that leans by this slope.
    pub(super) fn leaned(&self, slope: f32, size_px: (u16, u16)) -> Self {
        let mut part = Self::filled(size_px, [0; 3]);
        let middle = |length: usize| (length as f32 - 1.0) / 2.0;
        for row in 0..part.height {
            for column in 0..part.width {
                let x = column as f32 - middle(part.width);
                let y = row as f32 - middle(part.height);
                let from_x = middle(self.width) + x - y * slope;
                let from_y = middle(self.height) + y + x * slope;
                part.set(column, row, self.between(from_x, from_y));
            }
        }
        part
    }

    /// Returns the colour at a point between four pixels, interpolated.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in the picture"
    )]
    fn between(&self, x: f32, y: f32) -> [u8; 3] {
        let (x, y) = (x.max(0.0), y.max(0.0));
        let (column, row) = (x as usize, y as usize);
        let (right, down) = (x - column as f32, y - row as f32);
        let mut color = [0.0_f32; 3];
        let corners = [
            (0, 0, (1.0 - right) * (1.0 - down)),
            (1, 0, right * (1.0 - down)),
            (0, 1, (1.0 - right) * down),
            (1, 1, right * down),
        ];
        for (across, below, share) in corners {
            let near = (
                (column + across).min(self.width.saturating_sub(1)),
                (row + below).min(self.height.saturating_sub(1)),
            );
            let pixel = self.at(near.0, near.1).unwrap_or_default();
            for (sum, part) in color.iter_mut().zip(pixel) {
                *sum += f32::from(part) * share;
            }
        }
        color.map(|part| level(part + 0.5))
    }

    /// Pastes another picture with its top left corner at this point.
    pub(super) fn paste(&mut self, other: &Self, (left, top): (usize, usize)) {
        for row in 0..other.height {
            for column in 0..other.width {
                if let Some(pixel) = other.at(column, row) {
                    self.set(left + column, top + row, pixel);
                }
            }
        }
    }

    pub(super) fn mirror(&mut self) {
        for row in self.rgb.chunks_mut(self.width.max(1)) {
            row.reverse();
        }
    }

    /// Blurs the whole picture by averaging three pixels in each direction.
    pub(super) fn soften(&mut self) {
        let sharp = self.clone();
        for row in 0..self.height {
            for column in 0..self.width {
                let mut sums = [0_u32; 3];
                let mut count = 0;
                for (x, y) in around(column, row) {
                    if let Some(pixel) = sharp.at(x, y) {
                        count += 1;
                        for (sum, part) in sums.iter_mut().zip(pixel) {
                            *sum += u32::from(part);
                        }
                    }
                }
                let mean = sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX));
                self.set(column, row, mean);
            }
        }
    }

    fn at(&self, column: usize, row: usize) -> Option<[u8; 3]> {
        let inside = column < self.width && row < self.height;
        inside
            .then(|| self.rgb.get(row * self.width + column).copied())
            .flatten()
    }

    fn set(&mut self, column: usize, row: usize, pixel: [u8; 3]) {
        if column < self.width
            && let Some(place) = self.rgb.get_mut(row * self.width + column)
        {
            *place = pixel;
        }
    }
}

fn around(column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> {
    let near = |at: usize| [at.wrapping_sub(1), at, at + 1];
    near(row)
        .into_iter()
        .flat_map(move |y| near(column).map(move |x| (x, y)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn level(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

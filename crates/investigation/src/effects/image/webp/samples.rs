//! The samples of a decoded WebP photo, as a JPEG's encoder reads them.

use std::io::{self, Read};

use image_webp::vp8::Frame;
use jpeg_encoder::{ImageBuffer, JpegColorType};

use super::heads::Alpha;

/// The bytes before a frame's first part. The first three say how long that part is.
//= RFC 6386, section 9.1
const HEAD_BYTES: usize = 10;

/// Reads a frame for the decoder, which reserves as much memory as the frame claims to need for its parts. If they are
/// longer than the frame itself, reading their lengths fails.
pub(super) struct FrameReader<'file> {
    left: &'file [u8],
    /// How many bytes are left where the lengths of the parts stand: after the first part.
    left_at_lengths: Option<usize>,
}

impl<'file> FrameReader<'file> {
    /// Creates a reader at the frame's first byte.
    pub(super) fn new(frame: &'file [u8]) -> Self {
        let length = frame.first_chunk::<3>().map(|[low, middle, high]| {
            let tag = u32::from_le_bytes([*low, *middle, *high, 0]);
            usize::try_from(tag >> 5).unwrap_or(usize::MAX)
        });
        let lengths = length.and_then(|length| length.checked_add(HEAD_BYTES));
        Self {
            left: frame,
            left_at_lengths: lengths.and_then(|at| frame.len().checked_sub(at)),
        }
    }
}

impl Read for FrameReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.left.read(bytes)
    }

    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let are_lengths = self.left_at_lengths == Some(self.left.len());
        self.left.read_exact(bytes)?;
        //= RFC 6386, section 9.5
        let (lengths, _) = bytes.as_chunks::<3>();
        let lengths = lengths.iter().map(|[low, middle, high]| {
            let length = u32::from_le_bytes([*low, *middle, *high, 0]);
            usize::try_from(length).unwrap_or(usize::MAX)
        });
        if are_lengths && lengths.fold(0, usize::saturating_add) > self.left.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Reads the rest with no more memory than it needs.
    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.left.read_to_end(bytes)
    }
}

/// The samples of a photo, whose transparent pixels are white.
pub(super) struct Samples {
    frame: Frame,
    /// The opacity of each pixel, row by row; empty if all are opaque.
    alpha: Vec<u8>,
}

impl Samples {
    /// Creates a photo's samples; `None` if there are fewer opacities than pixels.
    pub(super) fn new(frame: Frame, alpha: Option<Alpha<'_>>) -> Option<Self> {
        let width = usize::from(frame.width);
        let pixels = width * usize::from(frame.height);
        let alpha = match alpha {
            Some(alpha) => unfiltered(alpha.filter, alpha.data.get(..pixels)?, width),
            None => Vec::new(),
        };
        Some(Self { frame, alpha })
    }
}

impl ImageBuffer for Samples {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.frame.width
    }

    fn height(&self) -> u16 {
        self.frame.height
    }

    fn fill_buffers(&self, y: u16, [luma, blue, red, _]: &mut [Vec<u8>; 4]) {
        let (row, width) = (usize::from(y), usize::from(self.frame.width));
        // The planes consist of whole squares of 16 times 16 pixels.
        let across = width.div_ceil(16) * 16;
        let lights = row_of(&self.frame.ybuf, across, row).iter().take(width);
        let begin = luma.len();
        luma.extend(lights.map(|light| full_light(*light)));
        for (plane, samples) in [
            (&self.frame.ubuf, &mut *blue),
            (&self.frame.vbuf, &mut *red),
        ] {
            let begin = samples.len();
            for sample in row_of(plane, across / 2, row / 2) {
                samples.extend([full_color(*sample); 2]);
            }
            samples.truncate(begin + width);
        }
        if self.alpha.is_empty() {
            return;
        }
        let alpha = row_of(&self.alpha, width, row);
        for (samples, white) in [(luma, 255), (blue, 128), (red, 128)] {
            let samples = samples.iter_mut().skip(begin);
            for (sample, alpha) in samples.zip(alpha) {
                *sample = blended(*sample, *alpha, white);
            }
        }
    }
}

fn row_of(plane: &[u8], across: usize, row: usize) -> &[u8] {
    let begin = row * across;
    plane.get(begin..begin + across).unwrap_or_default()
}

/// Returns a luma sample in a JPEG's range, 0 to 255. In a WebP, it is 16 to 235.
//= RFC 9649, section 2.5; ITU-T T.871, section 7
fn full_light(sample: u8) -> u8 {
    scaled(i32::from(sample) - 16, 219, 0)
}

/// Returns a chroma sample in a JPEG's range. In a WebP, it is 16 to 240.
fn full_color(sample: u8) -> u8 {
    scaled(i32::from(sample) - 128, 224, 128)
}

/// Returns `base + value * 255 / range`, rounded.
fn scaled(value: i32, range: i32, base: i32) -> u8 {
    let factor = (255 << 16) / range;
    let scaled = base + ((value * factor + (1 << 15)) >> 16);
    u8::try_from(scaled.clamp(0, 255)).unwrap_or(u8::MAX)
}

/// Returns a sample with this opacity in front of white.
fn blended(sample: u8, alpha: u8, white: u16) -> u8 {
    let alpha = u16::from(alpha);
    let light = u16::from(sample) * alpha + white * (255 - alpha);
    u8::try_from(light / 255).unwrap_or(u8::MAX)
}

/// Returns the opacity of each pixel. The file has only its difference from what the pixels before predict.
//= RFC 9649, section 2.7.1.2
fn unfiltered(filter: u8, differences: &[u8], width: usize) -> Vec<u8> {
    const NONE: u8 = 0;
    const LEFT: u8 = 1;
    const ABOVE: u8 = 2;
    let mut alpha: Vec<u8> = Vec::with_capacity(differences.len());
    for (place, difference) in differences.iter().enumerate() {
        let before = |distance: usize| alpha.get(place.checked_sub(distance)?).copied();
        let left = before(1).filter(|_| place % width > 0);
        let predicted = match (filter, left, before(width)) {
            (NONE, _, _) | (_, None, None) => 0,
            (LEFT, Some(left), _) | (_, Some(left), None) => left,
            (ABOVE, _, Some(above)) | (_, None, Some(above)) => above,
            (_, Some(left), Some(above)) => {
                let corner = i16::from(before(width + 1).unwrap_or(0));
                let sloped = i16::from(left) + i16::from(above) - corner;
                u8::try_from(sloped.clamp(0, 255)).unwrap_or(u8::MAX)
            }
        };
        alpha.push(difference.wrapping_add(predicted));
    }
    alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_ranges_are_kept() {
        assert_eq!([0, 16, 235, 255].map(full_light), [0, 0, 255, 255]);
        assert_eq!([16, 128, 240].map(full_color), [1, 128, 255]);
    }

    #[test]
    fn opacity_is_predicted_from_the_left_from_above_or_from_both() {
        #[track_caller]
        fn check(filter: u8, expect: [u8; 6]) {
            assert_eq!(unfiltered(filter, &[9, 1, 2, 3, 250, 5], 3), expect);
        }
        check(0, [9, 1, 2, 3, 250, 5]);
        check(1, [9, 10, 12, 12, 6, 11]);
        check(2, [9, 10, 12, 12, 4, 17]);
        check(3, [9, 10, 12, 12, 7, 14]);
    }

    #[test]
    fn parts_that_are_longer_than_the_frame_are_not_read() {
        #[track_caller]
        fn check(lengths: [u8; 3], expect: bool) {
            // The first part has one byte. The lengths of the others follow it, and then two bytes.
            let mut frame = vec![1 << 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
            frame.extend(lengths);
            frame.extend([8, 9]);
            let mut reader = FrameReader::new(&frame);
            reader.read_exact(&mut [0; 10]).unwrap();
            reader.read_exact(&mut [0; 1]).unwrap();
            assert_eq!(reader.read_exact(&mut [0; 3]).is_ok(), expect);
        }
        check([2, 0, 0], true);
        check([3, 0, 0], false);
        check([0, 0, 1], false);
    }
}

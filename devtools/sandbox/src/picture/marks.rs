//! Draws the number of a photo into its lowest rows of pixels, as black and white squares.
//!
//! A WebP is converted before it is sent to the recogniser, and only the pixels survive the conversion. Squares of the
//! size of a JPEG's blocks stay readable.

use crate::hash::hash;

/// The side of a square, in pixels.
const SQUARE_PX: usize = 8;
/// The number of squares for the photo's number, followed by the number of squares for its checksum.
const NUMBER_BITS: usize = 24;
const CHECK_BITS: usize = 16;

fn squares(number: usize) -> Vec<bool> {
    let check = hash(&["marks".into(), number.into()]);
    let bit = |bits: u64, at: usize| bits >> at & 1 == 1;
    let of_number = (0..NUMBER_BITS).map(|at| bit(number as u64, at));
    let of_check = (0..CHECK_BITS).map(|at| bit(check, at));
    of_number.chain(of_check).collect()
}

/// Draws a number into packed RGB of this width. Does nothing if the picture is too narrow.
pub(super) fn mark(rgb: &mut [u8], width_px: usize, number: usize) {
    let squares = squares(number);
    if width_px < squares.len() * SQUARE_PX {
        return;
    }
    let rows = rgb.chunks_exact_mut(width_px * 3).rev().take(SQUARE_PX);
    for row in rows {
        for (square, is_white) in row.chunks_exact_mut(SQUARE_PX * 3).zip(&squares) {
            square.fill(if *is_white { 255 } else { 0 });
        }
    }
}

/// Reads the number drawn into a picture that was re-encoded as a JPEG; `None` if there is none.
#[must_use]
pub fn read(jpeg: &[u8]) -> Option<usize> {
    let mut decoder = jpeg_decoder::Decoder::new(jpeg);
    let pixels = decoder.decode().ok()?;
    let info = decoder.info()?;
    let width = usize::from(info.width) * info.pixel_format.pixel_bytes();
    let row = pixels.chunks_exact(width.max(1)).rev().nth(SQUARE_PX / 2)?;
    let square = SQUARE_PX * info.pixel_format.pixel_bytes();
    let middle = |square: &[u8]| square.get(square.len() / 2).is_some_and(|part| *part > 127);
    let drawn: Vec<bool> = row
        .chunks_exact(square)
        .take(NUMBER_BITS + CHECK_BITS)
        .map(middle)
        .collect();
    let bits = drawn.iter().take(NUMBER_BITS).enumerate();
    let number = bits
        .map(|(at, is_white)| usize::from(*is_white) << at)
        .sum();
    (squares(number) == drawn).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jpeg(rgb: &[u8], quality: u8) -> Vec<u8> {
        let mut file = Vec::new();
        let encoder = jpeg_encoder::Encoder::new(&mut file, quality);
        let color = jpeg_encoder::ColorType::Rgb;
        encoder.encode(rgb, 340, 123, color).unwrap();
        file
    }

    #[test]
    fn a_number_survives_another_format() {
        for number in [0, 1, 999, 123_456] {
            let mut rgb = [90, 140, 200].repeat(340 * 123);
            mark(&mut rgb, 340, number);
            assert_eq!(read(&jpeg(&rgb, 75)), Some(number));
        }
    }

    #[test]
    fn a_picture_without_a_number_has_none() {
        assert_eq!(read(&jpeg(&[90, 140, 200].repeat(340 * 123), 90)), None);
        assert_eq!(read(b"no picture"), None);
    }
}

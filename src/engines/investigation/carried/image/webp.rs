//! WebP photos, which the recogniser does not take, made into JPEGs.

use std::io::Cursor;

use image_webp::WebPDecoder;
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr};

/// The most memory that decoding takes, in bytes: as much as an isolate can spare.
const MEMORY_BYTES_MAX: u64 = 24_000_000;
/// The bytes that a pixel takes while it is decoded: its parts of brightness and colour, and the pixel
/// itself; without loss the pixel twice.
const LOSSY_BYTES: u64 = 5;
const ALPHA_BYTES: u64 = 7;
const LOSSLESS_BYTES: u64 = 8;
/// The quality of the JPEG, at which faces stay the same. The WebP has lost more.
const QUALITY: u8 = 90;

/// The reason why a WebP photo cannot be made into a JPEG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebpError {
    /// It is an animation.
    Animated,
    /// It has more pixels than there is memory for. No pixel of it was decoded.
    TooLarge,
    /// Its bytes are no WebP photo, or not all of one.
    Unreadable,
}

impl WebpError {
    /// Returns the reason in words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Animated => "it is an animation",
            Self::TooLarge => "it is a WebP of too many pixels",
            Self::Unreadable => "it is a broken WebP",
        }
    }
}

/// Returns whether a file begins as a WebP does.
//= RFC 9649, section 2.4
#[must_use]
pub fn is_webp(photo: &[u8]) -> bool {
    photo.starts_with(b"RIFF") && photo.get(8..12) == Some(b"WEBP")
}

/// Returns the width and the height of a WebP photo, in pixels, as its head says.
#[must_use]
pub fn webp_size(photo: &[u8]) -> Option<(u32, u32)> {
    let decoder = WebPDecoder::new(Cursor::new(photo)).ok()?;
    Some(decoder.dimensions())
}

/// Makes a JPEG of a WebP photo. What is transparent becomes white.
pub fn jpeg_of_webp(photo: &[u8]) -> Result<Vec<u8>, WebpError> {
    let unreadable = |_| WebpError::Unreadable;
    let mut decoder = WebPDecoder::new(Cursor::new(photo)).map_err(unreadable)?;
    if decoder.is_animated() {
        return Err(WebpError::Animated);
    }
    let (width, height) = decoder.dimensions();
    if !has_frames_of(photo, (width, height)) {
        return Err(WebpError::Unreadable);
    }
    let a_pixel = match (decoder.is_lossy(), decoder.has_alpha()) {
        (false, _) => LOSSLESS_BYTES,
        (true, true) => ALPHA_BYTES,
        (true, false) => LOSSY_BYTES,
    };
    let memory_bytes = u64::from(width) * u64::from(height) * a_pixel;
    let size = decoder.output_buffer_size();
    let size = size.filter(|_| memory_bytes <= MEMORY_BYTES_MAX);
    let size = size.ok_or(WebpError::TooLarge)?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(unreadable)?;
    let px = |length: u32| u16::try_from(length).map_err(|_| WebpError::TooLarge);
    let picture = Decoded {
        pixels,
        bytes_per_pixel: if decoder.has_alpha() { 4 } else { 3 },
        width: px(width)?,
        height: px(height)?,
    };
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    // A WebP with loss has its colours at half the size, too.
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    let written = encoder.encode_image(picture);
    written.map_err(|_| WebpError::Unreadable)?;
    Ok(jpeg)
}

/// Returns whether each frame of a file has this size. The decoder reserves memory for the size of a frame, and compares
/// it with that of the file's head only afterwards.
//= RFC 9649, sections 2.3, 2.5 and 2.6; RFC 6386, section 9.1
fn has_frames_of(photo: &[u8], size: (u32, u32)) -> bool {
    const SIDE: u32 = 0x3FFF;
    let mut left = photo.get(12..).unwrap_or_default();
    while let Some((head, rest)) = left.split_first_chunk::<8>() {
        let [kind @ .., a, b, c, d] = *head;
        let found = match (&kind, rest) {
            (b"VP8 ", [_, _, _, _, _, _, a, b, c, d, ..]) => Some((
                u32::from(u16::from_le_bytes([*a, *b])) & SIDE,
                u32::from(u16::from_le_bytes([*c, *d])) & SIDE,
            )),
            (b"VP8L", [_, a, b, c, d, ..]) => {
                let sides = u32::from_le_bytes([*a, *b, *c, *d]);
                Some(((sides & SIDE) + 1, (sides >> 14 & SIDE) + 1))
            }
            (b"VP8 " | b"VP8L", _) => return false,
            _ => None,
        };
        if found.is_some_and(|found| found != size) {
            return false;
        }
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        let length = length.saturating_add(length % 2);
        left = rest.get(length..).unwrap_or_default();
    }
    true
}

/// A decoded photo, as the encoder reads it. The encoder's own readers, of which it compiles one for each order of
/// colours, would make the Worker larger.
struct Decoded {
    /// Red, green, blue, and where there are four bytes for a pixel how opaque it is.
    pixels: Vec<u8>,
    bytes_per_pixel: usize,
    width: u16,
    height: u16,
}

impl ImageBuffer for Decoded {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, [luma, blue, red, _]: &mut [Vec<u8>; 4]) {
        let row_bytes = usize::from(self.width) * self.bytes_per_pixel;
        let row = self.pixels.chunks_exact(row_bytes).nth(usize::from(y));
        for pixel in row.unwrap_or_default().chunks_exact(self.bytes_per_pixel) {
            let [r, g, b] = match *pixel {
                [red, green, blue, alpha] => [red, green, blue].map(|part| on_white(part, alpha)),
                [red, green, blue] => [red, green, blue],
                _ => [u8::MAX; 3],
            };
            let (light, to_blue, to_red) = rgb_to_ycbcr(r, g, b);
            luma.push(light);
            blue.push(to_blue);
            red.push(to_red);
        }
    }
}

/// Returns a part of a colour, of this opacity, laid on white.
fn on_white(part: u8, alpha: u8) -> u8 {
    let alpha = u16::from(alpha);
    let light = u16::from(part) * alpha + 255 * (255 - alpha);
    u8::try_from(light / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image_webp::{ColorType as WebpColor, WebPEncoder};

    fn webp(pixels: &[u8], width: u32, height: u32, color: WebpColor) -> Vec<u8> {
        let mut file = Vec::new();
        let encoder = WebPEncoder::new(&mut file);
        encoder.encode(pixels, width, height, color).unwrap();
        file
    }

    fn color_of(jpeg: &[u8]) -> [u8; 3] {
        let mut decoder = jpeg_decoder::Decoder::new(jpeg);
        let pixels = decoder.decode().unwrap();
        [pixels[0], pixels[1], pixels[2]]
    }

    #[track_caller]
    fn check_color(jpeg: &[u8], expect: [u8; 3]) {
        let color = color_of(jpeg);
        let is_near = color
            .iter()
            .zip(expect)
            .all(|(one, other)| one.abs_diff(other) < 4);
        assert!(is_near, "{color:?} {expect:?}");
    }

    #[test]
    fn a_photo_keeps_its_size_and_its_colours() {
        let file = webp(&[200, 40, 90].repeat(100 * 120), 100, 120, WebpColor::Rgb8);
        assert!(is_webp(&file));
        assert_eq!(webp_size(&file), Some((100, 120)));
        check_color(&jpeg_of_webp(&file).unwrap(), [200, 40, 90]);
    }

    #[test]
    fn what_is_transparent_is_white() {
        let file = webp(&[0, 0, 0, 0].repeat(90 * 90), 90, 90, WebpColor::Rgba8);
        check_color(&jpeg_of_webp(&file).unwrap(), [255, 255, 255]);
        let half = webp(&[0, 0, 0, 128].repeat(90 * 90), 90, 90, WebpColor::Rgba8);
        check_color(&jpeg_of_webp(&half).unwrap(), [127, 127, 127]);
    }

    /// The head of a photo without loss that says to be this large.
    fn head(width: u32, height: u32) -> Vec<u8> {
        let size = (width - 1) | ((height - 1) << 14);
        let mut file = b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f".to_vec();
        file.extend(size.to_le_bytes());
        file.push(0);
        file
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_decoded() {
        assert_eq!(
            jpeg_of_webp(&head(16_383, 16_383)),
            Err(WebpError::TooLarge)
        );
        assert_eq!(jpeg_of_webp(&head(1_733, 1_732)), Err(WebpError::TooLarge));
        assert_eq!(
            jpeg_of_webp(&head(1_731, 1_732)),
            Err(WebpError::Unreadable)
        );
    }

    #[test]
    fn a_frame_of_another_size_than_the_head_is_not_decoded() {
        let mut file = b"RIFF\x2a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x63\0\0\x63\0\0".to_vec();
        file.extend(&head(16_000, 16_000)[12..]);
        assert_eq!(webp_size(&file), Some((100, 100)));
        assert!(!has_frames_of(&file, (100, 100)));
        assert!(has_frames_of(&file, (16_000, 16_000)));
        assert_eq!(jpeg_of_webp(&file), Err(WebpError::Unreadable));
    }

    #[test]
    fn what_is_cut_or_none_is_unreadable() {
        let file = webp(&[7, 8, 9].repeat(100 * 100), 100, 100, WebpColor::Rgb8);
        for length in 0..file.len() {
            assert_eq!(
                jpeg_of_webp(&file[..length]),
                Err(WebpError::Unreadable),
                "{length}"
            );
        }
        assert!(!is_webp(b"RIFF\0\0\0\0WAVE"));
    }
}

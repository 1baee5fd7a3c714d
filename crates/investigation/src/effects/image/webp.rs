//! Converts WebP photos, which the recogniser does not accept, to JPEG.

use std::io::Cursor;

use image_webp::WebPDecoder;
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr};

/// The most memory that decoding takes, in bytes: as much as an isolate can spare.
const MEMORY_BYTES_MAX: u64 = 24_000_000;
/// The memory per pixel while decoding, in bytes: its luma and chroma samples, and the pixel itself.
const OPAQUE_BYTES: u64 = 5;
const ALPHA_BYTES: u64 = 7;
/// The quality of the JPEG. The lossy WebP has already lost more detail than this quality loses, so faces do not
/// change.
const QUALITY: u8 = 90;

/// The reason why a WebP photo cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebpError {
    /// The photo is an animation.
    Animated,
    /// The photo or its alpha channel is lossless, so it was not decoded. The file itself determines how many tables
    /// the decoder allocates, so a file of a few hundred kilobytes could fill an isolate's memory.
    Lossless,
    /// The photo has too many pixels for the available memory, so none was decoded.
    TooLarge,
    /// The bytes are no WebP photo, or not a complete one.
    Unreadable,
}

impl WebpError {
    /// Returns the reason in words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Animated => "it is an animation",
            Self::Lossless => "it is a lossless WebP, which only the binding IMAGES converts",
            Self::TooLarge => "it is a WebP of too many pixels",
            Self::Unreadable => "it is a broken WebP",
        }
    }

    /// Returns whether the platform may still convert the photo.
    pub(super) fn leaves_it_to_the_platform(self) -> bool {
        matches!(self, Self::Lossless | Self::TooLarge)
    }
}

/// Returns whether a file begins like a WebP.
//= RFC 9649, section 2.4
#[must_use]
pub fn is_webp(photo: &[u8]) -> bool {
    photo.starts_with(b"RIFF") && photo.get(8..12) == Some(b"WEBP")
}

/// Returns the width and height of a WebP photo, in pixels, from its headers; `None` if they contradict each other.
#[must_use]
pub fn webp_size(photo: &[u8]) -> Option<(u32, u32)> {
    Heads::of_file(photo).map(|(heads, _)| heads.size)
}

/// Converts a lossy WebP photo to JPEG. Transparent pixels become white.
pub fn jpeg_of_webp(photo: &[u8]) -> Result<Vec<u8>, WebpError> {
    let unreadable = |_| WebpError::Unreadable;
    let (heads, photo) = Heads::of_file(photo).ok_or(WebpError::Unreadable)?;
    if heads.is_animated {
        return Err(WebpError::Animated);
    }
    if heads.is_lossless {
        return Err(WebpError::Lossless);
    }
    let (width, height) = heads.size;
    let a_pixel = if heads.has_alpha {
        ALPHA_BYTES
    } else {
        OPAQUE_BYTES
    };
    let memory_bytes = u64::from(width) * u64::from(height) * a_pixel;
    if memory_bytes > MEMORY_BYTES_MAX {
        return Err(WebpError::TooLarge);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(photo)).map_err(unreadable)?;
    let size = decoder
        .output_buffer_size()
        .filter(|_| decoder.dimensions() == heads.size)
        .ok_or(WebpError::Unreadable)?;
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
    // The JPEG stores colours at half the resolution, as a lossy WebP does.
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    let written = encoder.encode_image(picture);
    written.map_err(|_| WebpError::Unreadable)?;
    Ok(jpeg)
}

/// The headers of a file's chunks. They are checked before decoding, because the decoder reserves memory according to
/// them.
#[derive(Debug, PartialEq, Eq)]
struct Heads {
    /// The width and height, in pixels, of the photo and of each frame in it.
    size: (u32, u32),
    /// Whether the file has animation frames. The decoder reads them even if the file's header announces none.
    is_animated: bool,
    has_alpha: bool,
    /// Whether any part of the photo is lossless.
    is_lossless: bool,
}

impl Heads {
    /// Returns the headers of a file, and the file's bytes up to the end of the photo. Returns `None` if there is no
    /// picture, a chunk is cut off, or two chunks state different sizes.
    //= RFC 9649, sections 2.3, 2.5, 2.6 and 2.7; RFC 6386, section 9.1
    fn of_file(photo: &[u8]) -> Option<(Self, &[u8])> {
        let length_of = |bytes| usize::try_from(u32::from_le_bytes(bytes)).ok();
        let (head, rest) = photo.split_first_chunk::<8>().filter(|_| is_webp(photo))?;
        let [_, _, _, _, length @ ..] = *head;
        let length = length_of(length)?;
        let mut heads = Self {
            size: (0, 0),
            is_animated: false,
            has_alpha: false,
            is_lossless: false,
        };
        let (mut left, mut pictures) = (rest.get(..length)?.get(4..)?, 0_usize);
        while let Some((head, rest)) = left.split_first_chunk::<8>() {
            let [kind @ .., a, b, c, d] = *head;
            let length = length_of([a, b, c, d])?;
            heads.take(kind, rest.get(..length)?)?;
            pictures += usize::from(matches!(&kind, b"VP8 " | b"VP8L"));
            left = rest.get(length + length % 2..).unwrap_or_default();
        }
        let is_one_picture = pictures == 1 || heads.is_animated;
        let file = photo.get(..length.checked_add(8)?)?;
        (is_one_picture && heads.size != (0, 0)).then_some((heads, file))
    }

    fn take(&mut self, kind: [u8; 4], part: &[u8]) -> Option<()> {
        const SIDE: u32 = 0x3FFF;
        const ANIMATION: u8 = 0b10;
        const ALPHA: u8 = 0b1_0000;
        const COMPRESSION: u8 = 0b11;
        match (&kind, part) {
            (b"VP8X", [flags, _, _, _, sides @ ..]) => {
                self.is_animated |= flags & ANIMATION != 0;
                self.has_alpha |= flags & ALPHA != 0;
                let (sides, _) = sides.as_chunks::<3>();
                let [width, height, ..] = sides else {
                    return None;
                };
                let side =
                    |[low, middle, high]: [u8; 3]| u32::from_le_bytes([low, middle, high, 0]) + 1;
                self.agree((side(*width), side(*height)))
            }
            (b"VP8 ", [_, _, _, _, _, _, a, b, c, d, ..]) => self.agree((
                u32::from(u16::from_le_bytes([*a, *b])) & SIDE,
                u32::from(u16::from_le_bytes([*c, *d])) & SIDE,
            )),
            (b"VP8L", [_, a, b, c, d, ..]) => {
                self.is_lossless = true;
                let sides = u32::from_le_bytes([*a, *b, *c, *d]);
                self.agree(((sides & SIDE) + 1, (sides >> 14 & SIDE) + 1))
            }
            (b"ALPH", [flags, ..]) => {
                self.is_lossless |= flags & COMPRESSION != 0;
                Some(())
            }
            (b"ANMF" | b"ANIM", _) => {
                self.is_animated = true;
                Some(())
            }
            (b"VP8X" | b"VP8 " | b"VP8L" | b"ALPH", _) => None,
            _ => Some(()),
        }
    }

    /// Sets the photo's size; `None` if a different size was set before.
    fn agree(&mut self, size: (u32, u32)) -> Option<()> {
        let is_first = self.size == (0, 0);
        self.size = if is_first { size } else { self.size };
        (self.size == size).then_some(())
    }
}

/// A decoded photo that the encoder reads. The encoder's own readers are not used, because they are compiled once for
/// each order of colours and would make the Worker larger.
struct Decoded {
    /// Red, green, blue, and if there are four bytes per pixel, alpha.
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

/// Returns a colour component with this alpha, blended with white.
fn on_white(part: u8, alpha: u8) -> u8 {
    let alpha = u16::from(alpha);
    let light = u16::from(part) * alpha + 255 * (255 - alpha);
    u8::try_from(light / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use webp::{Encoder as WebpEncoder, WebPConfig};

    fn webp(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
        let encoder = WebpEncoder::from_rgb(pixels, width, height);
        encoder.encode(90.0).to_vec()
    }

    /// A photo of 90 pixels a side in one colour and alpha, whose alpha channel is compressed or not.
    fn with_alpha(color: [u8; 4], alpha_compression: i32) -> Vec<u8> {
        let mut config = WebPConfig::new().unwrap();
        config.alpha_compression = alpha_compression;
        let pixels = color.repeat(90 * 90);
        let encoder = WebpEncoder::from_rgba(&pixels, 90, 90);
        encoder.encode_advanced(&config).unwrap().to_vec()
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
        let file = webp(&[200, 40, 90].repeat(100 * 120), 100, 120);
        assert!(is_webp(&file));
        assert_eq!(webp_size(&file), Some((100, 120)));
        check_color(&jpeg_of_webp(&file).unwrap(), [200, 40, 90]);
    }

    #[test]
    fn what_is_transparent_is_white() {
        check_color(&jpeg_of_webp(&with_alpha([0; 4], 0)).unwrap(), [255; 3]);
        let half = with_alpha([0, 0, 0, 128], 0);
        check_color(&jpeg_of_webp(&half).unwrap(), [127; 3]);
    }

    /// The file itself determines how many tables the decoder allocates, so it is never decoded.
    #[test]
    fn what_is_compressed_without_loss_is_left_to_the_platform() {
        assert_eq!(
            jpeg_of_webp(&with_alpha([0, 0, 0, 128], 1)),
            Err(WebpError::Lossless)
        );
        let pixels = [7, 8, 9].repeat(90 * 90);
        let lossless = WebpEncoder::from_rgb(&pixels, 90, 90).encode_lossless();
        assert_eq!(jpeg_of_webp(&lossless), Err(WebpError::Lossless));
        assert_eq!(jpeg_of_webp(&head(80, 80)), Err(WebpError::Lossless));
        for error in [WebpError::Lossless, WebpError::TooLarge] {
            assert!(error.leaves_it_to_the_platform());
        }
        for error in [WebpError::Animated, WebpError::Unreadable] {
            assert!(!error.leaves_it_to_the_platform());
        }
    }

    /// The header of a lossless photo that claims this size.
    fn head(width: u32, height: u32) -> Vec<u8> {
        let size = (width - 1) | ((height - 1) << 14);
        let mut file = b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f".to_vec();
        file.extend(size.to_le_bytes());
        file.push(0);
        file
    }

    /// The header of a lossy photo that claims this size.
    fn lossy_head(width: u16, height: u16) -> Vec<u8> {
        let mut file = b"RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\x10\0\0\x9d\x01\x2a".to_vec();
        file.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
        file
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_decoded() {
        #[track_caller]
        fn check(width: u16, height: u16, expect: WebpError) {
            assert_eq!(jpeg_of_webp(&lossy_head(width, height)), Err(expect));
        }
        check(16_383, 16_383, WebpError::TooLarge);
        check(2_400, 2_001, WebpError::TooLarge);
        check(2_400, 2_000, WebpError::Unreadable);
    }

    #[test]
    fn a_frame_of_another_size_than_the_head_is_not_decoded() {
        let mut file = b"RIFF\x2a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x63\0\0\x63\0\0".to_vec();
        file.extend(&lossy_head(16_000, 16_000)[12..]);
        assert_eq!(webp_size(&file), None);
        assert_eq!(jpeg_of_webp(&file), Err(WebpError::Unreadable));
    }

    #[test]
    fn what_is_cut_or_none_is_unreadable() {
        let file = webp(&[7, 8, 9].repeat(100 * 100), 100, 100);
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

//! Converts WebP photos, which the recogniser does not accept, to JPEG.
//!
//! Both formats store luma and chroma, so no pixel is ever made of them: the decoder's samples are what is encoded.

mod heads;
mod samples;

use image_webp::vp8::Vp8Decoder;
use jpeg_encoder::{Encoder, EncodingError, JfifWrite, SamplingFactor};
use platform::isolate::IMAGE_BYTES_MAX;

use heads::Heads;
use samples::{FrameReader, Samples};

/// The most memory that a conversion takes beyond the photo, in bytes. It leaves an isolate, which has 128 MB, enough for
/// all its other runs.
const MEMORY_BYTES_MAX: usize = 23_000_000;
/// The least memory of a file, in bytes. It doubles until it is exactly as much as the recogniser accepts.
const CAPACITY_MIN: usize = IMAGE_BYTES_MAX >> 5;
/// The samples of a square of 16 times 16 pixels, in bytes: 256 of luma, and 64 of each chroma.
const SQUARE_BYTES: usize = 384;
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
    /// The JPEG would have more bytes than the recogniser accepts.
    LongJpeg,
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
            Self::LongJpeg => "it is over 5 MB as a JPEG",
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
    Heads::of_file(photo).map(|heads| heads.size)
}

/// Converts a lossy WebP photo to JPEG. Transparent pixels become white.
pub fn jpeg_of_webp(photo: &[u8]) -> Result<Vec<u8>, WebpError> {
    let heads = Heads::of_file(photo).ok_or(WebpError::Unreadable)?;
    if heads.is_animated {
        return Err(WebpError::Animated);
    }
    if heads.is_lossless {
        return Err(WebpError::Lossless);
    }
    if memory_bytes(&heads).is_none_or(|bytes| bytes > MEMORY_BYTES_MAX) {
        return Err(WebpError::TooLarge);
    }
    let frame = Vp8Decoder::decode_frame(FrameReader::new(heads.frame))
        .map_err(|_| WebpError::Unreadable)?;
    let samples = Some(frame)
        .filter(|frame| (frame.width.into(), frame.height.into()) == heads.size)
        .and_then(|frame| Samples::new(frame, heads.alpha))
        .ok_or(WebpError::Unreadable)?;
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(JpegFile::new(&mut jpeg), QUALITY);
    // The JPEG stores colours at half the resolution, as a lossy WebP does.
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    let written = encoder.encode_image(samples);
    written.map_err(|_| WebpError::LongJpeg)?;
    Ok(jpeg)
}

/// Returns the most memory that the conversion takes beyond the photo, in bytes: the samples, and beside them first the
/// frame's bytes, which the decoder copies twice, and then the JPEG.
fn memory_bytes(heads: &Heads<'_>) -> Option<usize> {
    let (width, height) = heads.size;
    let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
    let squares = width.div_ceil(16).checked_mul(height.div_ceil(16))?;
    let alpha = heads.alpha.map_or(Some(0), |_| width.checked_mul(height))?;
    let beside = heads.frame.len().checked_mul(2)?;
    squares
        .checked_mul(SQUARE_BYTES)?
        .checked_add(alpha)?
        .checked_add(beside.max(JpegFile::MEMORY_BYTES_MAX))
}

/// A JPEG that is being written. It never becomes longer than the recogniser accepts.
struct JpegFile<'file> {
    bytes: &'file mut Vec<u8>,
}

impl<'file> JpegFile<'file> {
    /// The most memory that the file takes, in bytes: when it grows to its greatest length, half as many are copied.
    const MEMORY_BYTES_MAX: usize = IMAGE_BYTES_MAX + IMAGE_BYTES_MAX / 2;

    /// Creates an empty file.
    fn new(bytes: &'file mut Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes }
    }
}

impl JfifWrite for JpegFile<'_> {
    fn write_all(&mut self, piece: &[u8]) -> Result<(), EncodingError> {
        let length = self.bytes.len() + piece.len();
        if length > IMAGE_BYTES_MAX {
            return Err(EncodingError::Write("the JPEG is too long".into()));
        }
        if length > self.bytes.capacity() {
            let mut capacity = CAPACITY_MIN;
            while capacity < length {
                capacity *= 2;
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }
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
        check(3_600, 2_801, WebpError::TooLarge);
        check(3_600, 2_800, WebpError::Unreadable);
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

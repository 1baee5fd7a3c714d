//! Decodes a file into a small raster, with bounded memory and work.
//!
//! A file that cannot be read within the limits results in no raster, and therefore in no veto, since the recogniser
//! may still be able to read it. The orientation is the only metadata that is read, since the recogniser's boxes refer
//! to the upright photo (Amazon Rekognition, `CelebrityFaces`).

use std::io::Cursor;

use jpeg_decoder::{CodingProcess, ImageInfo, PixelFormat};

use crate::small_picture::{Color, Raster};

/// The most pixels of a photo, chosen so that a hundred photos can be decoded within a run's time.
const PIXELS_MAX: u64 = 16_000_000;
/// The longest side of a photo, in pixels. The decoder counts rows and columns in 16 bits; no real photo is longer.
const SIDE_PX_MAX: u64 = 32_000;
/// The most bytes of a progressive photo's coefficients, each of which has two bytes. All are kept until the photo is
/// decoded, and an isolate cannot spare more.
const COEFFICIENT_BYTES_MAX: u64 = 24_000_000;
/// The most scans of a progressive photo. Each scan processes the whole photo again. Encoders write about ten.
const SCANS_MAX: usize = 64;
const START_OF_SCAN: [u8; 2] = [0xFF, 0xDA];
/// The most pixels of a JPEG per byte of its file. Even a blank block of 8 times 8 pixels takes two bits in the
/// shortest code, so a file with fewer bytes is truncated or has a false header. It is refused, since otherwise
/// strangers could choose the amount of work.
const JPEG_PIXELS_PER_BYTE_MAX: u64 = 256;
/// The most memory of a PNG's own tables, in bytes.
const PNG_BYTES_MAX: usize = 16_000_000;
/// The least length of the longer side after decoding, in pixels. Of the scales 1, 1/2, 1/4 and 1/8, the smallest that
/// keeps a JPEG's longer side at least this long is used.
const LONG_SIDE_PX_MIN: u16 = 300;
/// The greatest length of the longer side of the raster, in pixels. Longer pictures are shrunk.
const LONG_SIDE_PX_MAX: usize = 640;

/// The tag of the orientation in Exif data (Exif 2.32, 4.6.4). The next constant is the type of its value: 16 bits.
const ORIENTATION: u16 = 0x0112;
const ORIENTATION_TYPE: u16 = 3;
/// The length of an Exif entry, in bytes. The next constant is the offset of the value in it.
const EXIF_ENTRY_BYTES: usize = 12;
const EXIF_VALUE_AT: usize = 8;

/// Decodes a JPEG or PNG; `None` if it cannot be read within the limits.
pub(crate) fn decode(bytes: &[u8]) -> Option<Raster> {
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        jpeg(bytes)
    } else if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        png(bytes)
    } else {
        None
    }
}

fn is_within_bounds(width: u64, height: u64) -> bool {
    let is_side = |px: u64| (1..=SIDE_PX_MAX).contains(&px);
    is_side(width) && is_side(height) && width.saturating_mul(height) <= PIXELS_MAX
}

fn jpeg(bytes: &[u8]) -> Option<Raster> {
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    decoder.read_info().ok()?;
    let info = decoder.info()?;
    if !is_decodable_jpeg(info, bytes.len()) || scans(bytes) > SCANS_MAX {
        return None;
    }
    // The decoder stops at the first scale at which one side is long enough, so the shorter side gets a limit that it
    // never reaches.
    let wanted = if info.width >= info.height {
        (LONG_SIDE_PX_MIN, u16::MAX)
    } else {
        (u16::MAX, LONG_SIDE_PX_MIN)
    };
    decoder.scale(wanted.0, wanted.1).ok()?;
    let data = decoder.decode().ok()?;
    let info = decoder.info()?;
    let mut shrinking = Shrinking::new(info.width.into(), info.height.into());
    let format = match info.pixel_format {
        PixelFormat::L8 => RowFormat::Gray,
        PixelFormat::RGB24 => RowFormat::Rgb,
        PixelFormat::CMYK32 => RowFormat::Cmyk,
        PixelFormat::L16 => return None,
    };
    for row in data.chunks_exact(usize::from(info.width).checked_mul(format.bytes())?) {
        shrinking.take(row, format);
    }
    let orientation = decoder.exif_data().map_or(1, orientation);
    Some(shrinking.finish()?.upright(orientation))
}

/// Returns whether decoding a JPEG takes little memory and an amount of work in proportion to the file. A progressive
/// photo is limited further because the decoder keeps all its coefficients, and a lossless photo because the decoder
/// keeps all its samples.
fn is_decodable_jpeg(info: ImageInfo, file_bytes: usize) -> bool {
    let (width, height) = (u64::from(info.width), u64::from(info.height));
    let file_bytes = u64::try_from(file_bytes).unwrap_or(u64::MAX);
    let is_whole = width * height <= file_bytes.saturating_mul(JPEG_PIXELS_PER_BYTE_MAX);
    let parts = match info.pixel_format {
        PixelFormat::L8 | PixelFormat::L16 => 1,
        PixelFormat::RGB24 => 3,
        PixelFormat::CMYK32 => 4,
    };
    let is_light = match info.coding_process {
        CodingProcess::DctSequential => true,
        CodingProcess::DctProgressive => width * height * parts * 2 <= COEFFICIENT_BYTES_MAX,
        CodingProcess::Lossless => false,
    };
    is_whole && is_light && is_within_bounds(width, height)
}

fn scans(bytes: &[u8]) -> usize {
    let pairs = bytes.windows(START_OF_SCAN.len());
    pairs.filter(|pair| **pair == START_OF_SCAN).count()
}

fn png(bytes: &[u8]) -> Option<Raster> {
    let limits = png::Limits {
        bytes: PNG_BYTES_MAX,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let info = reader.info();
    // All passes of an interlaced PNG would have to be kept in memory, so it is refused; hardly any photo is
    // interlaced.
    if !is_within_bounds(info.width.into(), info.height.into()) || info.interlaced {
        return None;
    }
    let mut shrinking = Shrinking::new(
        usize::try_from(info.width).ok()?,
        usize::try_from(info.height).ok()?,
    );
    let format = match reader.output_color_type().0 {
        png::ColorType::Grayscale => RowFormat::Gray,
        png::ColorType::GrayscaleAlpha => RowFormat::GrayAlpha,
        png::ColorType::Rgb => RowFormat::Rgb,
        png::ColorType::Rgba => RowFormat::RgbAlpha,
        png::ColorType::Indexed => return None,
    };
    while let Some(row) = reader.next_row().ok()? {
        shrinking.take(row.data(), format);
    }
    shrinking.finish()
}

/// The pixel format of a decoded row.
#[derive(Debug, Clone, Copy)]
enum RowFormat {
    Gray,
    GrayAlpha,
    Rgb,
    RgbAlpha,
    Cmyk,
}

impl RowFormat {
    fn bytes(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::RgbAlpha | Self::Cmyk => 4,
        }
    }

    fn color(self, bytes: &[u8]) -> Color {
        match (self, bytes) {
            (Self::Gray | Self::GrayAlpha, [gray, ..]) => [*gray; 3],
            (Self::Rgb | Self::RgbAlpha, [red, green, blue, ..]) => [*red, *green, *blue],
            // More ink means less light.
            (Self::Cmyk, [cyan, magenta, yellow, black]) => [cyan, magenta, yellow].map(|ink| {
                let light = (255 - u16::from(*ink)) * (255 - u16::from(*black)) / 255;
                u8::try_from(light).unwrap_or(u8::MAX)
            }),
            _ => [0; 3],
        }
    }
}

/// A picture that is shrunk row by row, to the means of squares of `factor` times `factor` pixels.
struct Shrinking {
    factor: usize,
    width: usize,
    height: usize,
    sums: Vec<[u32; 3]>,
    rows: usize,
    pixels: Vec<Color>,
}

impl Shrinking {
    fn new(width: usize, height: usize) -> Self {
        let factor = width.max(height).div_ceil(LONG_SIDE_PX_MAX).max(1);
        // Pixels at the right and lower edges that do not fill a whole new pixel are dropped.
        let (width, height) = (width / factor, height / factor);
        Self {
            factor,
            width,
            height,
            sums: vec![[0; 3]; width],
            rows: 0,
            pixels: Vec::with_capacity(width.saturating_mul(height)),
        }
    }

    fn take(&mut self, row: &[u8], format: RowFormat) {
        if self.factor == 1 {
            self.keep(row, format);
            return;
        }
        let whole = row.chunks_exact(format.bytes().saturating_mul(self.factor));
        for (sum, group) in self.sums.iter_mut().zip(whole) {
            for pixel in group.chunks_exact(format.bytes()) {
                let color = format.color(pixel);
                for (sum, part) in sum.iter_mut().zip(color) {
                    *sum += u32::from(part);
                }
            }
        }
        self.rows += 1;
        if self.rows == self.factor {
            let count = u32::try_from(self.factor * self.factor).unwrap_or(u32::MAX);
            let mean = |sum: u32| u8::try_from(sum / count).unwrap_or(u8::MAX);
            self.pixels
                .extend(self.sums.iter().map(|sum| sum.map(mean)));
            self.sums.fill([0; 3]);
            self.rows = 0;
        }
    }

    fn keep(&mut self, row: &[u8], format: RowFormat) {
        if let RowFormat::Rgb = format {
            self.pixels.extend_from_slice(row.as_chunks().0);
        } else {
            let pixels = row.chunks_exact(format.bytes());
            self.pixels.extend(pixels.map(|pixel| format.color(pixel)));
        }
    }

    fn finish(mut self) -> Option<Raster> {
        self.pixels.truncate(self.width.checked_mul(self.height)?);
        Raster::new(self.width, self.height, self.pixels)
    }
}

/// Returns the orientation, 1 to 8, in Exif data that begins at its TIFF header. Without a valid one it is 1, upright.
pub(crate) fn orientation(tiff: &[u8]) -> u16 {
    let orientation = read(tiff).unwrap_or(1);
    if (1..=8).contains(&orientation) {
        orientation
    } else {
        1
    }
}

fn read(tiff: &[u8]) -> Option<u16> {
    let is_little = match tiff.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    };
    let bytes: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
    let offset = if is_little {
        u32::from_le_bytes(bytes)
    } else {
        u32::from_be_bytes(bytes)
    };
    let directory = usize::try_from(offset).ok()?;
    let entries = usize::from(short(directory)?);
    let mut places =
        (0..entries).map_while(|entry| directory.checked_add(2 + entry * EXIF_ENTRY_BYTES));
    let entry = places.find(|at| short(*at) == Some(ORIENTATION))?;
    if short(entry.checked_add(2)?)? != ORIENTATION_TYPE {
        return None;
    }
    short(entry.checked_add(EXIF_VALUE_AT)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(width: u16, height: u16, coding_process: CodingProcess, expect: bool) {
        check_file(1_000_000, width, height, coding_process, expect);
    }

    #[track_caller]
    fn check_file(
        bytes: usize,
        width: u16,
        height: u16,
        coding_process: CodingProcess,
        expect: bool,
    ) {
        let info = ImageInfo {
            width,
            height,
            pixel_format: PixelFormat::RGB24,
            coding_process,
        };
        assert_eq!(is_decodable_jpeg(info, bytes), expect);
    }

    #[test]
    fn what_would_need_much_memory_is_not_decoded() {
        check(4_000, 4_000, CodingProcess::DctSequential, true);
        check(4_001, 4_000, CodingProcess::DctSequential, false);
        check(2_000, 2_000, CodingProcess::DctProgressive, true);
        check(2_001, 2_000, CodingProcess::DctProgressive, false);
        check(100, 100, CodingProcess::Lossless, false);
        check(0, 100, CodingProcess::DctSequential, false);
        check(32_000, 400, CodingProcess::DctSequential, true);
        // This size overflowed in the decoder; tests/fuzz found it.
        check(146, 65_535, CodingProcess::DctSequential, false);
    }

    #[test]
    fn a_short_file_that_claims_many_pixels_is_not_decoded() {
        check_file(4_000, 1_024, 1_000, CodingProcess::DctSequential, true);
        check_file(4_000, 1_024, 1_001, CodingProcess::DctSequential, false);
        check_file(4_000, 4_000, 4_000, CodingProcess::DctProgressive, false);
    }

    /// Makes Exif data in which the orientation has this value and follows another entry, as in cameras' files.
    fn exif(is_little: bool, value: u16) -> Vec<u8> {
        let short = |value: u16| {
            if is_little {
                value.to_le_bytes()
            } else {
                value.to_be_bytes()
            }
        };
        let mut tiff = if is_little {
            b"II*\0\x08\0\0\0".to_vec()
        } else {
            b"MM\0*\0\0\0\x08".to_vec()
        };
        tiff.extend(short(2));
        for (tag, value) in [(0x0100, 9), (ORIENTATION, value)] {
            tiff.extend(short(tag));
            tiff.extend(short(ORIENTATION_TYPE));
            tiff.extend([0; 4]);
            tiff.extend(short(value));
            tiff.extend([0; 2]);
        }
        tiff
    }

    #[test]
    fn the_orientation_is_read_in_both_byte_orders() {
        for value in 1..=8 {
            assert_eq!(orientation(&exif(true, value)), value);
            assert_eq!(orientation(&exif(false, value)), value);
        }
    }

    #[test]
    fn what_is_none_is_upright() {
        assert_eq!(orientation(&exif(true, 0)), 1);
        assert_eq!(orientation(&exif(true, 9)), 1);
        let whole = exif(false, 6);
        for length in 0..whole.len() - 2 {
            assert_eq!(orientation(&whole[..length]), 1, "{length}");
        }
        assert_eq!(orientation(b"II*\0\xFF\xFF\xFF\xFF"), 1);
    }
}

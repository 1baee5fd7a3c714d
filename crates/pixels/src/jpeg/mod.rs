//! Decodes a JPEG into a small picture, with bounded memory and work.

mod dc_scans;
mod huffman;
mod means;

use std::io::{self, Read};

use domain::Unjudged;
use metadata::jpeg::{START_OF_SCAN, Segment, Segments};

use crate::shrink::{PixelFormat, Shrinking};
use crate::small_picture::Raster;

use dc_scans::Scale;

/// The mark at the end of a JPEG.
const END: &[u8] = &[0xFF, 0xD9];

/// The most segments of a photo. Cameras write a few dozen.
const SEGMENTS_MAX: usize = 1_000;
/// The most pixels of a photo. At an eighth of its size it takes five megabytes.
const PIXELS_MAX: u64 = 100_000_000;
/// The longest side of a photo, in pixels. The decoder counts rows and columns in 16 bits; no real photo is longer.
const SIDE_PX_MAX: u16 = 32_000;
/// The most bytes of a progressive photo's coefficients, each of which has two bytes, for which they are all kept until
/// the photo is decoded. Of a larger one only the mean of each block is decoded.
const COEFFICIENT_BYTES_MAX: u64 = 14_000_000;
/// The most scans of a photo, since each of them may process the whole photo again. Encoders write about ten.
const SCANS_MAX: usize = 64;
/// The most pixels of a JPEG per byte of its file. Even a blank block of 8 times 8 pixels takes two bits in the
/// shortest code, so a file with fewer bytes is truncated or has a false header. It is refused, since otherwise
/// strangers could choose the amount of work.
const PIXELS_PER_BYTE_MAX: u64 = 256;
/// The least length of the longer side after decoding, in pixels. A JPEG is decoded at the smallest of the scales 1,
/// 1/2, 1/4 and 1/8 at which it has this length.
const LONG_SIDE_PX_MIN: u16 = 300;

const BASELINE: u8 = 0xC0;
const EXTENDED: u8 = 0xC1;
const PROGRESSIVE: u8 = 0xC2;
const HUFFMAN_TABLES: u8 = 0xC4;

/// A decoded JPEG.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) raster: Raster,
    /// Whether the end of the file is missing, so that a part of the picture may be gray.
    pub(crate) is_cut: bool,
}

/// The size of a JPEG and how it is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame {
    marker: u8,
    width: u16,
    height: u16,
    components: Vec<Component>,
}

/// A component of the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Component {
    id: u8,
    /// How many blocks of this component one unit of the picture has in width and height, 1 to 4 each.
    sampling: (u8, u8),
    quantization_table: u8,
}

impl Frame {
    /// Reads the parameters of the frame; `None` if there is none, or no decoder here can read it.
    fn of_segments(segments: &[Segment<'_>]) -> Option<Self> {
        let is_frame = |marker: u8| {
            (0xC0..=0xCF).contains(&marker) && ![HUFFMAN_TABLES, 0xC8, 0xCC].contains(&marker)
        };
        let mut segments = segments.iter();
        let Segment { marker, data, .. } = *segments.find(|segment| is_frame(segment.marker))?;
        let ([precision, h1, h0, w1, w0, count], rest) = data.split_first_chunk::<6>()?;
        let (components, _) = rest.as_chunks::<3>();
        let frame = Self {
            marker,
            width: u16::from_be_bytes([*w1, *w0]),
            height: u16::from_be_bytes([*h1, *h0]),
            components: components
                .iter()
                .map(|[id, sampling, table]| Component {
                    id: *id,
                    sampling: (sampling >> 4, sampling & 15),
                    quantization_table: *table,
                })
                .collect(),
        };
        let is_sampling = |part: u8| (1..=4).contains(&part);
        let is_sampled = |component: &Component| {
            is_sampling(component.sampling.0) && is_sampling(component.sampling.1)
        };
        let is_readable = matches!(marker, BASELINE | EXTENDED | PROGRESSIVE)
            && *precision == 8
            && matches!(frame.components.len(), 1 | 3 | 4)
            && frame.components.len() == usize::from(*count)
            && frame.components.iter().all(is_sampled)
            && frame.width > 0
            && frame.height > 0;
        is_readable.then_some(frame)
    }

    fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Returns the bytes of all coefficients, at most.
    fn coefficient_bytes(&self) -> u64 {
        let (widest, highest) = self.sampling_max();
        let blocks: u64 = self
            .components
            .iter()
            .map(|component| {
                u64::from(self.width).div_ceil(8 * u64::from(widest))
                    * u64::from(self.height).div_ceil(8 * u64::from(highest))
                    * u64::from(component.sampling.0)
                    * u64::from(component.sampling.1)
            })
            .sum();
        blocks * 64 * 2
    }

    /// Returns the largest sampling of all components, in width and height.
    fn sampling_max(&self) -> (u8, u8) {
        let samplings = self.components.iter().map(|component| component.sampling);
        samplings.fold((1, 1), |(width, height), one| {
            (width.max(one.0), height.max(one.1))
        })
    }
}

/// Returns a file's segments, and whether it has an end mark; `None` if it is no JPEG, or has too many segments.
fn read_segments(file: &[u8]) -> Option<(Vec<Segment<'_>>, bool)> {
    let mut left = Segments::of_file(file)?;
    let segments: Vec<Segment<'_>> = left.by_ref().take(SEGMENTS_MAX).collect();
    let is_all = left.next().is_none();
    is_all.then_some((segments, left.has_end()))
}

/// Decodes a JPEG.
pub(crate) fn decode(file: &[u8]) -> Result<Decoded, Unjudged> {
    let (segments, has_end) = read_segments(file).ok_or(Unjudged::Unreadable)?;
    let frame = Frame::of_segments(&segments).ok_or(Unjudged::Unreadable)?;
    let file_bytes = u64::try_from(file.len()).unwrap_or(u64::MAX);
    let is_scan = |segment: &&Segment<'_>| segment.marker == START_OF_SCAN;
    let scans = segments.iter().filter(is_scan).count();
    let is_too_large = frame.pixels() > PIXELS_MAX
        || frame.width.max(frame.height) > SIDE_PX_MAX
        || frame.pixels() > file_bytes.saturating_mul(PIXELS_PER_BYTE_MAX)
        || scans > SCANS_MAX;
    if is_too_large {
        return Err(Unjudged::TooLarge);
    }
    let is_cut = !has_end;
    let raster = raster(file, &segments, &frame).ok_or(Unjudged::Unreadable)?;
    Ok(Decoded {
        raster: raster.upright(metadata::orientation(file)),
        is_cut,
    })
}

/// Decodes a JPEG at the smallest scale at which its longer side is long enough; `None` if it cannot be decoded.
fn raster(file: &[u8], segments: &[Segment<'_>], frame: &Frame) -> Option<Raster> {
    let is_progressive = frame.marker == PROGRESSIVE;
    if is_progressive && frame.coefficient_bytes() > COEFFICIENT_BYTES_MAX {
        return dc_scans::decode(segments, frame, Scale::Eighth);
    }
    let long_side_px = u32::from(frame.width.max(frame.height));
    let is_enough = |factor: u32| long_side_px.div_ceil(factor) >= LONG_SIDE_PX_MIN.into();
    let scale = if is_enough(8) {
        Some(Scale::Eighth)
    } else {
        Some(Scale::Quarter).filter(|_| is_enough(4) && !is_progressive)
    };
    // A few files have no tables of their own, which the library knows.
    let means = scale.and_then(|scale| dc_scans::decode(segments, frame, scale));
    means.or_else(|| scaled(file, frame, LONG_SIDE_PX_MIN))
}

/// Reads a file and then an end mark, even if the file has none: with an end, what is missing is gray, and without one,
/// the decoder would give up.
struct WithEnd<'file> {
    left: &'file [u8],
    has_ended: bool,
}

impl<'file> WithEnd<'file> {
    fn new(file: &'file [u8]) -> Self {
        Self {
            left: file,
            has_ended: false,
        }
    }
}

impl Read for WithEnd<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() && !self.has_ended {
            self.left = END;
            self.has_ended = true;
        }
        self.left.read(bytes)
    }

    // The decoder reads byte by byte, so the common case is short.
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        if self.left.len() >= bytes.len() {
            return self.left.read_exact(bytes);
        }
        let mut missing = bytes;
        while !missing.is_empty() {
            let read = self.read(missing)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            missing = missing.get_mut(read..).unwrap_or_default();
        }
        Ok(())
    }
}

/// Decodes a JPEG at the smallest of the scales 1, 1/2, 1/4 and 1/8 at which its longer side has this length in pixels;
/// `None` if it cannot be decoded.
fn scaled(file: &[u8], frame: &Frame, long_side_px_min: u16) -> Option<Raster> {
    let mut decoder = jpeg_decoder::Decoder::new(WithEnd::new(file));
    decoder.read_info().ok()?;
    // The decoder stops at the first scale at which one side is long enough, so the shorter side gets a limit that it
    // never reaches.
    if frame.width >= frame.height {
        decoder.scale(long_side_px_min, u16::MAX).ok()?;
    } else {
        decoder.scale(u16::MAX, long_side_px_min).ok()?;
    }
    let data = decoder.decode().ok()?;
    let info = decoder.info()?;
    let format = match info.pixel_format {
        jpeg_decoder::PixelFormat::L8 => PixelFormat::Gray,
        jpeg_decoder::PixelFormat::RGB24 => PixelFormat::Rgb,
        jpeg_decoder::PixelFormat::CMYK32 => PixelFormat::Cmyk,
        jpeg_decoder::PixelFormat::L16 => return None,
    };
    // It holds coefficients and the file's metadata, for which there is no memory beside what follows.
    drop(decoder);
    let width = usize::from(info.width);
    let mut shrinking = Shrinking::new(width, info.height.into());
    for (row, pixels) in data.chunks_exact(width * format.bytes()).enumerate() {
        shrinking.add_row(row, pixels, format);
    }
    shrinking.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_segments_are_refused() {
        let file = |segments: &[u8]| [&[0xFF, 0xD8], segments, END].concat();
        let comments = [0xFF, 0xFE, 0, 2].repeat(SEGMENTS_MAX);
        let whole = file(&comments);
        let (segments, has_end) = read_segments(&whole).unwrap();
        assert_eq!((segments.len(), has_end), (SEGMENTS_MAX, true));
        let one_more = [&comments[..], &[0xFF, 0xFE, 0, 2]].concat();
        assert_eq!(read_segments(&file(&one_more)), None);
    }
}

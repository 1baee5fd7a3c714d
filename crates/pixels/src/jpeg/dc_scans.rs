//! Decodes a progressive JPEG at an eighth of its size, from the scans of its DC coefficients alone.
//!
//! The DC coefficient of a block is the mean of its 64 pixels. In a progressive JPEG these coefficients have scans of
//! their own, so a large photo takes a hundredth of the memory and time of the whole one. No decoder library offers
//! this: they keep all coefficients, which an isolate has no memory for.
//!
//! Source: ITU-T T.81, annexes B, F.2 and G.

use metadata::jpeg::{START_OF_SCAN, Segment};

use crate::shrink::{PixelFormat, Shrinking};
use crate::small_picture::Raster;

use super::{Component, Frame, HUFFMAN_TABLES};

const QUANTIZATION_TABLES: u8 = 0xDB;
const RESTART_INTERVAL: u8 = 0xDD;
/// An application segment, in which Adobe's programs say how colours are encoded.
const ADOBE: u8 = 0xEE;
/// The most bits of a Huffman code.
const CODE_BITS_MAX: usize = 16;
/// The most bits of a difference between two DC coefficients.
const DIFFERENCE_BITS_MAX: u8 = 15;
/// The number of tables of each kind.
const TABLES: usize = 4;
/// The number of lowest bits that the first scan may leave to later ones.
const LOW_BITS_MAX: u8 = 13;

/// Decodes the means of all blocks; `None` if the file contradicts itself. A scan that is cut off leaves the rest of
/// its blocks as they were.
pub(super) fn decode(segments: &[Segment<'_>], frame: &Frame) -> Option<Raster> {
    let mut decoder = DcDecoder::new(frame);
    for segment in segments {
        match segment.marker {
            QUANTIZATION_TABLES => decoder.read_quantization(segment.data)?,
            HUFFMAN_TABLES => decoder.read_huffman(segment.data)?,
            RESTART_INTERVAL => {
                let interval = segment.data.first_chunk::<2>()?;
                decoder.restart_interval = usize::from(u16::from_be_bytes(*interval));
            }
            ADOBE => decoder.read_adobe(segment.data),
            START_OF_SCAN => decoder.read_scan(*segment)?,
            _ => {}
        }
    }
    decoder.finish()
}

struct DcDecoder<'frame> {
    frame: &'frame Frame,
    planes: Vec<Plane>,
    /// The step of the DC coefficient in each quantization table.
    steps: [u16; TABLES],
    codes: [Option<HuffmanCodes>; TABLES],
    /// The number of units after which a scan starts anew; 0 if it never does.
    restart_interval: usize,
    /// How Adobe's programs have transformed the colours; `None` if another program made the file.
    adobe_transform: Option<u8>,
}

/// The DC coefficients of one component.
struct Plane {
    component: Component,
    /// The number of blocks of a row and of rows in the units of the whole picture.
    blocks: (usize, usize),
    /// The number of blocks of a row and of rows without those that only fill the last units. A scan of this component
    /// alone has no others.
    own_blocks: (usize, usize),
    coefficients: Vec<i16>,
}

impl Plane {
    fn new(component: Component, frame: &Frame) -> Self {
        let (widest, highest) = frame.sampling_max();
        let sides = |px: u16, sampling: u8, sampling_max: u8| {
            let (px, sampling, most) = (
                usize::from(px),
                usize::from(sampling),
                usize::from(sampling_max),
            );
            let all = px.div_ceil(8 * most) * sampling;
            (all, (px * sampling).div_ceil(most).div_ceil(8))
        };
        let (across, own_across) = sides(frame.width, component.sampling.0, widest);
        let (down, own_down) = sides(frame.height, component.sampling.1, highest);
        Self {
            component,
            blocks: (across, down),
            own_blocks: (own_across, own_down),
            coefficients: vec![0; across * down],
        }
    }

    fn coefficient(&mut self, (column, row): (usize, usize)) -> Option<&mut i16> {
        self.coefficients.get_mut(row * self.blocks.0 + column)
    }
}

/// The parameters of a scan of DC coefficients.
#[derive(Clone, Copy)]
struct ScanBits {
    /// Whether an earlier scan had the higher bits.
    is_refinement: bool,
    /// The number of lowest bits that later scans have.
    low: u8,
}

/// What a scan has of one component.
#[derive(Debug, Clone, Copy)]
struct ScanPart {
    /// The number of the component's plane.
    plane: usize,
    /// The number of the table with its codes.
    codes: usize,
    /// How many blocks wide and high a unit is.
    unit: (usize, usize),
    /// The number of units across and down.
    units: (usize, usize),
}

impl<'frame> DcDecoder<'frame> {
    fn new(frame: &'frame Frame) -> Self {
        let components = frame.components.iter();
        Self {
            frame,
            planes: components
                .map(|component| Plane::new(*component, frame))
                .collect(),
            steps: [1; TABLES],
            codes: [const { None }; TABLES],
            restart_interval: 0,
            adobe_transform: None,
        }
    }

    fn read_quantization(&mut self, data: &[u8]) -> Option<()> {
        let mut left = data;
        while let [head, rest @ ..] = left {
            let bytes = if head >> 4 == 0 { 1 } else { 2 };
            let (table, rest) = rest.split_at_checked(64 * bytes)?;
            let step = match table {
                [step, ..] if bytes == 1 => u16::from(*step),
                [high, low, ..] => u16::from_be_bytes([*high, *low]),
                _ => return None,
            };
            *self.steps.get_mut(usize::from(head & 15))? = step;
            left = rest;
        }
        Some(())
    }

    fn read_huffman(&mut self, data: &[u8]) -> Option<()> {
        let mut left = data;
        while let [head, rest @ ..] = left {
            let (counts, rest) = rest.split_first_chunk::<CODE_BITS_MAX>()?;
            let symbols: usize = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, rest) = rest.split_at_checked(symbols)?;
            // The other class is that of AC coefficients.
            if head >> 4 == 0 {
                let codes = self.codes.get_mut(usize::from(head & 15))?;
                *codes = Some(HuffmanCodes::new(*counts, symbols));
            }
            left = rest;
        }
        Some(())
    }

    fn read_adobe(&mut self, data: &[u8]) {
        if let Some([_, _, _, _, _, _, transform, ..]) = data.strip_prefix(b"Adobe") {
            self.adobe_transform = Some(*transform);
        }
    }

    /// Decodes a scan if it has DC coefficients.
    fn read_scan(&mut self, segment: Segment<'_>) -> Option<()> {
        let [count, rest @ ..] = segment.data else {
            return None;
        };
        let (selectors, rest) = rest.split_at_checked(2 * usize::from(*count))?;
        let [first, _, successive, ..] = rest else {
            return None;
        };
        if *first != 0 {
            return Some(());
        }
        let bits = ScanBits {
            is_refinement: successive >> 4 != 0,
            low: successive & 15,
        };
        if bits.low > LOW_BITS_MAX {
            return None;
        }
        let is_alone = *count == 1;
        let selectors = selectors.as_chunks::<2>().0.iter();
        let parts = selectors.map(|[id, tables]| self.part(*id, tables >> 4, is_alone));
        let parts: Vec<ScanPart> = parts.collect::<Option<_>>()?;
        self.decode_units(&parts, bits, segment.entropy_coded());
        Some(())
    }

    /// Returns the part that a component has in a scan with other components or alone.
    fn part(&self, id: u8, codes: u8, is_alone: bool) -> Option<ScanPart> {
        let mut planes = self.planes.iter();
        let plane = planes.position(|plane| plane.component.id == id)?;
        let Plane {
            component,
            blocks,
            own_blocks,
            ..
        } = self.planes.get(plane)?;
        let unit = (
            usize::from(component.sampling.0),
            usize::from(component.sampling.1),
        );
        let (unit, units) = if is_alone {
            ((1, 1), *own_blocks)
        } else {
            (unit, (blocks.0 / unit.0, blocks.1 / unit.1))
        };
        let codes = usize::from(codes);
        Some(ScanPart {
            plane,
            codes,
            unit,
            units,
        })
    }

    /// Decodes the units of a scan; `None` if its data end before.
    fn decode_units(&mut self, parts: &[ScanPart], bits: ScanBits, data: &[u8]) -> Option<()> {
        let mut reader = BitReader::new(data);
        let mut predictions = [0_i32; TABLES];
        let (across, down) = parts.first()?.units;
        for number in 0..across * down {
            let is_restart = self.restart_interval > 0 && number % self.restart_interval == 0;
            if is_restart && number > 0 {
                reader.restart()?;
                predictions = [0; TABLES];
            }
            let (column, row) = (number % across, number / across);
            for part in parts {
                let (width, height) = part.unit;
                let codes = self.codes.get(part.codes)?.as_ref();
                let plane = self.planes.get_mut(part.plane)?;
                let prediction = predictions.get_mut(part.plane)?;
                for block in 0..width * height {
                    let at = (column * width + block % width, row * height + block / width);
                    let coefficient = plane.coefficient(at)?;
                    if bits.is_refinement {
                        *coefficient |= i16::from(reader.bit()?) << bits.low;
                    } else {
                        *prediction = prediction.wrapping_add(codes?.difference(&mut reader)?);
                        let value = prediction.wrapping_shl(u32::from(bits.low));
                        *coefficient = i16::try_from(value).unwrap_or(0);
                    }
                }
            }
        }
        Some(())
    }

    fn finish(self) -> Option<Raster> {
        let (width, height) = (self.frame.width, self.frame.height);
        let (width, height) = (
            usize::from(width).div_ceil(8),
            usize::from(height).div_ceil(8),
        );
        let format = match self.planes.len() {
            1 => PixelFormat::Gray,
            3 => PixelFormat::Rgb,
            _ => PixelFormat::Cmyk,
        };
        let mut shrinking = Shrinking::new(width, height);
        let mut pixels = Vec::with_capacity(width * format.bytes());
        for row in 0..height {
            pixels.clear();
            for column in 0..width {
                let samples = self.samples(column, row);
                let color = self.color(samples);
                pixels.extend(color.iter().take(format.bytes()));
            }
            shrinking.add_row(row, &pixels, format);
        }
        shrinking.finish()
    }

    /// Returns the mean of each component in a square of eight pixels.
    fn samples(&self, column: usize, row: usize) -> [u8; TABLES] {
        let (widest, highest) = self.frame.sampling_max();
        let mut samples = [0; TABLES];
        for (sample, plane) in samples.iter_mut().zip(&self.planes) {
            let (width, height) = plane.component.sampling;
            let column = column * usize::from(width) / usize::from(widest);
            let row = row * usize::from(height) / usize::from(highest);
            let coefficient = plane.coefficients.get(row * plane.blocks.0 + column);
            let table = usize::from(plane.component.quantization_table);
            let step = self.steps.get(table).copied().unwrap_or(1);
            let value = i32::from(coefficient.copied().unwrap_or(0)) * i32::from(step) / 8 + 128;
            *sample = byte(value);
        }
        samples
    }

    /// Returns the colour of these samples, in the format of as many components.
    fn color(&self, samples: [u8; TABLES]) -> [u8; TABLES] {
        let [first, second, third, black] = samples;
        match (self.planes.len(), self.adobe_transform) {
            (1, _) | (3, Some(0)) => samples,
            (3, None) if self.has_ids(*b"RGB") => samples,
            (3, _) => {
                let [red, green, blue] = rgb(first, second, third);
                [red, green, blue, 0]
            }
            // Adobe's programs, which write nearly all such files, store how much light each ink leaves.
            (_, Some(2)) => {
                let [cyan, magenta, yellow] = rgb(first, second, third);
                [cyan, magenta, yellow, 255 - black]
            }
            _ => samples.map(|light| 255 - light),
        }
    }

    fn has_ids(&self, ids: [u8; 3]) -> bool {
        self.planes.iter().map(|plane| plane.component.id).eq(ids)
    }
}

/// Converts luma and chroma to red, green and blue (ITU-T T.871, section 7).
fn rgb(luma: u8, to_blue: u8, to_red: u8) -> [u8; 3] {
    let (luma, to_blue, to_red) = (
        i32::from(luma),
        i32::from(to_blue) - 128,
        i32::from(to_red) - 128,
    );
    [
        byte(luma + 1_402 * to_red / 1_000),
        byte(luma - (344 * to_blue + 714 * to_red) / 1_000),
        byte(luma + 1_772 * to_blue / 1_000),
    ]
}

fn byte(value: i32) -> u8 {
    u8::try_from(value.clamp(0, 255)).unwrap_or(0)
}

/// The Huffman codes of DC differences.
struct HuffmanCodes {
    counts: [u8; CODE_BITS_MAX],
    symbols: Vec<u8>,
}

impl HuffmanCodes {
    fn new(counts: [u8; CODE_BITS_MAX], symbols: &[u8]) -> Self {
        Self {
            counts,
            symbols: symbols.to_vec(),
        }
    }

    /// Reads the difference from the last coefficient; `None` if the data end or have no such code.
    fn difference(&self, reader: &mut BitReader<'_>) -> Option<i32> {
        let bits = self.symbol(reader)?;
        if bits > DIFFERENCE_BITS_MAX {
            return None;
        }
        let mut value = 0_i32;
        for _ in 0..bits {
            value = value << 1 | i32::from(reader.bit()?);
        }
        // The lower half of the values stands for negative differences.
        let is_negative = bits > 0 && value >> (bits - 1) == 0;
        Some(if is_negative {
            value + 1 - (1 << bits)
        } else {
            value
        })
    }

    fn symbol(&self, reader: &mut BitReader<'_>) -> Option<u8> {
        let (mut code, mut first, mut place) = (0_usize, 0_usize, 0_usize);
        for count in self.counts {
            let count = usize::from(count);
            code = code << 1 | usize::from(reader.bit()?);
            if code < first + count {
                return self.symbols.get(place + code - first).copied();
            }
            place += count;
            first = (first + count) << 1;
        }
        None
    }
}

/// Reads the bits of entropy-coded data.
struct BitReader<'data> {
    left: &'data [u8],
    byte: u8,
    /// The number of bits of `byte` that are not read yet.
    bits: u8,
}

impl<'data> BitReader<'data> {
    fn new(data: &'data [u8]) -> Self {
        Self {
            left: data,
            byte: 0,
            bits: 0,
        }
    }

    /// Reads a bit; `None` at the end and at a restart.
    fn bit(&mut self) -> Option<bool> {
        if self.bits == 0 {
            (self.byte, self.left) = match self.left {
                [0xFF, 0, rest @ ..] => (0xFF, rest),
                [0xFF, ..] | [] => return None,
                [byte, rest @ ..] => (*byte, rest),
            };
            self.bits = 8;
        }
        self.bits -= 1;
        Some(self.byte >> self.bits & 1 == 1)
    }

    /// Continues after the next restart marker; `None` if there is none.
    fn restart(&mut self) -> Option<()> {
        let is_restart = |pair: &[u8]| matches!(pair, [0xFF, 0xD0..=0xD7]);
        let start = self.left.windows(2).position(is_restart)?;
        self.left = self.left.get(start + 2..)?;
        self.bits = 0;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_segments;
    use super::*;

    /// A picture whose colours change slowly, so that the mean of a block is near each of its pixels.
    fn pixels(width: usize, height: usize, channels: usize) -> Vec<u8> {
        let part = |x: usize, y: usize, channel: usize| match channel % 3 {
            0 => x * 255 / width,
            1 => y * 255 / height,
            _ => (x + y) * 255 / (width + height),
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let parts = places.flat_map(|(x, y)| (0..channels).map(move |channel| part(x, y, channel)));
        parts.map(|part| u8::try_from(part).unwrap()).collect()
    }

    fn progressive(
        (width, height): (u16, u16),
        (kind, channels): (jpeg_encoder::ColorType, usize),
        prepare: impl Fn(&mut jpeg_encoder::Encoder<&mut Vec<u8>>),
    ) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
        encoder.set_progressive(true);
        prepare(&mut encoder);
        let pixels = pixels(width.into(), height.into(), channels);
        encoder.encode(&pixels, width, height, kind).unwrap();
        file
    }

    /// Checks that the means of the blocks are what the library decodes at an eighth of the size. It blends the colours
    /// of neighbouring blocks where they have a lower resolution, so some difference remains.
    #[track_caller]
    fn check(file: &[u8]) {
        let (segments, _) = read_segments(file).unwrap();
        let frame = Frame::of_segments(&segments).unwrap();
        let means = decode(&segments, &frame).unwrap();
        let scaled = super::super::scaled(file, &frame, 1).unwrap();
        assert_eq!(
            (means.width(), means.height()),
            (scaled.width(), scaled.height())
        );
        let rows = means.rows().zip(scaled.rows());
        for (mean, expect) in rows.flat_map(|(one, other)| one.iter().zip(other)) {
            let is_near = mean
                .iter()
                .zip(expect)
                .all(|(one, other)| one.abs_diff(*other) <= 10);
            assert!(is_near, "{mean:?} {expect:?}");
        }
    }

    #[test]
    fn the_means_are_those_of_the_whole_photo() {
        use jpeg_encoder::{ColorType, SamplingFactor};
        let rgb = (ColorType::Rgb, 3);
        check(&progressive((640, 400), rgb, |_| {}));
        check(&progressive((333, 217), (ColorType::Luma, 1), |_| {}));
        check(&progressive((333, 217), (ColorType::CmykAsYcck, 4), |_| {}));
        check(&progressive((333, 217), (ColorType::Cmyk, 4), |_| {}));
        for sampling in [
            SamplingFactor::R_4_4_4,
            SamplingFactor::R_4_2_0,
            SamplingFactor::R_4_4_0,
            SamplingFactor::R_4_1_1,
        ] {
            check(&progressive((333, 217), rgb, |encoder| {
                encoder.set_sampling_factor(sampling);
            }));
        }
        check(&progressive((333, 217), rgb, |encoder| {
            encoder.set_restart_interval(5);
        }));
    }

    #[test]
    fn a_photo_that_is_cut_anywhere_is_read_as_far_as_it_goes() {
        let file = progressive((160, 96), (jpeg_encoder::ColorType::Rgb, 3), |_| {});
        for length in 0..file.len() {
            let Some((segments, _)) = read_segments(&file[..length]) else {
                continue;
            };
            if let Some(frame) = Frame::of_segments(&segments) {
                decode(&segments, &frame);
            }
        }
    }
}

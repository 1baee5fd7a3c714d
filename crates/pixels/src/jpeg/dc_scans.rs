//! Decodes a JPEG at an eighth or a quarter of its size, from the first coefficients of its blocks alone.
//!
//! The DC coefficient of a block is the mean of its 64 pixels. In a progressive JPEG these coefficients have scans of
//! their own, so a large photo takes a hundredth of the memory and time of the whole one. In another JPEG, the other
//! coefficients stand between them and are skipped, which takes a third of the time of decoding them. No decoder
//! library offers this: they keep all coefficients, which an isolate has no memory for, or at least decode them. The
//! picture is the one that `jpeg-decoder` makes at this scale.
//!
//! The means of a block's quarters follow from its DC coefficient and three others near it.
//!
//! Source: ITU-T T.81, annexes B, F.2 and G.

use metadata::jpeg::{START_OF_SCAN, Segment};

use crate::small_picture::Raster;

use super::huffman::{BitReader, CODE_BITS_MAX, Codes, CodesDefinition, FIRST};
use super::means::{self, Colors, Plane};
use super::{Frame, HUFFMAN_TABLES, PROGRESSIVE};

const QUANTIZATION_TABLES: u8 = 0xDB;
const RESTART_INTERVAL: u8 = 0xDD;
/// An application segment, in which Adobe's programs say how colours are encoded.
const ADOBE: u8 = 0xEE;

/// The number of tables of each kind.
const TABLES: usize = 4;
/// The number of lowest bits that the first scan may leave to later ones.
const LOW_BITS_MAX: u8 = 13;

/// The size of the picture in relation to that of the JPEG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A pixel for each block of eight times eight.
    Eighth,
    /// A pixel for each quarter of a block. A progressive JPEG is not decoded at this scale.
    Quarter,
}

/// Decodes the means of all blocks or of their quarters; `None` if the file contradicts itself. A scan that is cut off
/// leaves the rest of its blocks as they were.
pub(super) fn decode(segments: &[Segment<'_>], frame: &Frame, scale: Scale) -> Option<Raster> {
    let block_px = match scale {
        Scale::Eighth => 1,
        Scale::Quarter => 2,
    };
    let mut decoder = DcDecoder::new(frame, block_px);
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

struct DcDecoder<'file> {
    frame: &'file Frame,
    /// The width and height of a block in the picture: 1 or 2.
    block_px: usize,
    planes: Vec<Plane>,
    /// The steps of the first coefficients in each quantization table.
    steps: [[u16; FIRST]; TABLES],
    /// The codes of DC coefficients, and those of AC coefficients.
    codes: [[Option<CodesDefinition<'file>>; TABLES]; 2],
    /// The number of units after which a scan starts anew; 0 if it never does.
    restart_interval: usize,
    /// How Adobe's programs have transformed the colours; `None` if another program made the file.
    adobe_transform: Option<u8>,
}

/// What a scan has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanKind {
    /// All coefficients of each block.
    Whole,
    /// The higher bits of the DC coefficients.
    First,
    /// One more bit of each DC coefficient.
    Refinement,
}

/// What a scan has of one component.
#[derive(Debug, Clone, Copy)]
struct ScanPart {
    /// The number of the component's plane.
    plane: usize,
    /// The numbers of the tables with its codes, of each class.
    tables: [usize; 2],
    /// How many blocks wide and high a unit is.
    unit: (usize, usize),
    /// The number of units across and down.
    units: (usize, usize),
}

/// The codes of each class and table.
type CodeTables<'file> = [[Option<Codes<'file>>; TABLES]; 2];

/// A scan that is being decoded.
struct Scan<'scan, 'file> {
    kind: ScanKind,
    /// The number of lowest bits that later scans have.
    low: u8,
    codes: &'scan CodeTables<'file>,
    planes: &'scan mut [Plane],
    reader: BitReader<'file>,
}

impl Scan<'_, '_> {
    /// Decodes the units of a scan; `None` if its data end before or are no codes.
    fn decode<const BLOCK_PX: usize>(
        &mut self,
        parts: &[ScanPart],
        restart_interval: usize,
    ) -> Option<()> {
        let mut predictions = [0_i32; TABLES];
        let (across, down) = parts.first()?.units;
        let mut until_restart = restart_interval;
        for row in 0..down {
            for column in 0..across {
                if restart_interval > 0 {
                    if until_restart == 0 {
                        self.reader.restart()?;
                        predictions = [0; TABLES];
                        until_restart = restart_interval;
                    }
                    until_restart -= 1;
                }
                for part in parts {
                    let prediction = predictions.get_mut(part.plane)?;
                    self.decode_part::<BLOCK_PX>(part, (column, row), prediction)?;
                }
            }
        }
        Some(())
    }

    /// Decodes the blocks that a unit has of one component.
    #[inline]
    fn decode_part<const BLOCK_PX: usize>(
        &mut self,
        part: &ScanPart,
        (column, row): (usize, usize),
        prediction: &mut i32,
    ) -> Option<()> {
        let (width, height) = part.unit;
        let [dc, ac] = self.codes;
        let [dc, ac] = [dc.get(part.tables[0])?, ac.get(part.tables[1])?];
        let plane = self.planes.get_mut(part.plane)?;
        let reader = &mut self.reader;
        for row in row * height..(row + 1) * height {
            for column in column * width..(column + 1) * width {
                let at = (column, row);
                if self.kind == ScanKind::Refinement {
                    *plane.coefficient(at)? |= i16::from(reader.bit()?) << self.low;
                    continue;
                }
                *prediction = prediction.wrapping_add(dc.as_ref()?.difference(reader)?);
                let value = prediction.wrapping_shl(u32::from(self.low));
                let value = i16::try_from(value).unwrap_or(0);
                if self.kind == ScanKind::First {
                    *plane.coefficient(at)? = value;
                    continue;
                }
                let mut first = [value, 0, 0, 0, 0];
                if BLOCK_PX == 1 {
                    ac.as_ref()?.skip_coefficients(reader, 1)?;
                } else {
                    ac.as_ref()?.coefficients(reader, &mut first)?;
                }
                plane.put::<BLOCK_PX>(at, first)?;
            }
        }
        Some(())
    }
}

impl<'file> DcDecoder<'file> {
    fn new(frame: &'file Frame, block_px: usize) -> Self {
        let components = frame.components.iter();
        Self {
            frame,
            block_px,
            planes: components
                .map(|component| Plane::new(*component, frame, block_px))
                .collect(),
            steps: [[1; FIRST]; TABLES],
            codes: [[None; TABLES]; 2],
            restart_interval: 0,
            adobe_transform: None,
        }
    }

    fn read_quantization(&mut self, data: &[u8]) -> Option<()> {
        let mut left = data;
        while let [head, rest @ ..] = left {
            let bytes = if head >> 4 == 0 { 1 } else { 2 };
            let (table, rest) = rest.split_at_checked(64 * bytes)?;
            let steps = self.steps.get_mut(usize::from(head & 15))?;
            for (step, entry) in steps.iter_mut().zip(table.chunks_exact(bytes)) {
                *step = match entry {
                    [high, low] => u16::from_be_bytes([*high, *low]),
                    [step] => u16::from(*step),
                    _ => return None,
                };
            }
            left = rest;
        }
        Some(())
    }

    fn read_huffman(&mut self, data: &'file [u8]) -> Option<()> {
        let mut left = data;
        while let [head, rest @ ..] = left {
            let (counts, rest) = rest.split_first_chunk::<CODE_BITS_MAX>()?;
            let symbols: usize = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, rest) = rest.split_at_checked(symbols)?;
            let class = self.codes.get_mut(usize::from(head >> 4))?;
            let codes = class.get_mut(usize::from(head & 15))?;
            *codes = Some(CodesDefinition { counts, symbols });
            left = rest;
        }
        Some(())
    }

    fn read_adobe(&mut self, data: &[u8]) {
        if let Some([_, _, _, _, _, _, transform, ..]) = data.strip_prefix(b"Adobe") {
            self.adobe_transform = Some(*transform);
        }
    }

    /// Decodes a scan if it has DC coefficients; `None` if it contradicts itself.
    fn read_scan(&mut self, segment: Segment<'file>) -> Option<()> {
        let [count, rest @ ..] = segment.data else {
            return None;
        };
        let (selectors, rest) = rest.split_at_checked(2 * usize::from(*count))?;
        let [first, _, successive, ..] = rest else {
            return None;
        };
        let kind = if self.frame.marker != PROGRESSIVE {
            ScanKind::Whole
        } else if *first != 0 {
            return Some(());
        } else if successive >> 4 == 0 {
            ScanKind::First
        } else {
            ScanKind::Refinement
        };
        let low = if kind == ScanKind::Whole {
            0
        } else {
            successive & 15
        };
        if low > LOW_BITS_MAX {
            return None;
        }
        let is_alone = *count == 1;
        let selectors = selectors.as_chunks::<2>().0.iter();
        let parts = selectors.map(|[id, tables]| self.part(*id, *tables, is_alone));
        let parts: Vec<ScanPart> = parts.collect::<Option<_>>()?;
        let [dc, ac] = self.codes;
        let tables = [
            dc.map(|codes| codes.map(Codes::dc)),
            ac.map(|codes| codes.filter(|_| kind == ScanKind::Whole).map(Codes::ac)),
        ];
        let mut scan = Scan {
            kind,
            low,
            codes: &tables,
            planes: &mut self.planes,
            reader: BitReader::new(segment.entropy_coded()),
        };
        let whole = if self.block_px == 1 {
            scan.decode::<1>(&parts, self.restart_interval)
        } else {
            scan.decode::<2>(&parts, self.restart_interval)
        };
        // What is missing at the end stays as it was.
        let is_readable = whole.is_some() || scan.reader.has_ended();
        is_readable.then_some(())
    }

    /// Returns the part that a component has in a scan with other components or alone.
    fn part(&mut self, id: u8, tables: u8, is_alone: bool) -> Option<ScanPart> {
        let mut planes = self.planes.iter();
        let number = planes.position(|plane| plane.component.id == id)?;
        let Plane {
            component,
            blocks,
            own_blocks,
            steps,
            ..
        } = self.planes.get_mut(number)?;
        // A table that comes later is for later scans.
        *steps = *self.steps.get(usize::from(component.quantization_table))?;
        let unit = (
            usize::from(component.sampling.0),
            usize::from(component.sampling.1),
        );
        let (unit, units) = if is_alone {
            ((1, 1), *own_blocks)
        } else {
            (unit, (blocks.0 / unit.0, blocks.1 / unit.1))
        };
        Some(ScanPart {
            plane: number,
            tables: [tables >> 4, tables & 15].map(usize::from),
            unit,
            units,
        })
    }

    fn finish(mut self) -> Option<Raster> {
        self.planes.iter_mut().for_each(Plane::finish);
        let is_rgb = self.adobe_transform == Some(0)
            || self.adobe_transform.is_none() && has_ids(&self.planes, *b"RGB");
        let colors = match self.planes.len() {
            1 => Colors::Gray,
            3 if is_rgb => Colors::Rgb,
            3 => Colors::Ycc,
            _ if self.adobe_transform == Some(2) => Colors::Ycck,
            _ => Colors::Cmyk,
        };
        means::picture(&self.planes, self.frame, colors)
    }
}

fn has_ids(planes: &[Plane], ids: [u8; 3]) -> bool {
    planes.iter().map(|plane| plane.component.id).eq(ids)
}

#[cfg(test)]
mod tests {
    use metadata::jpeg::Segments;

    use super::*;

    /// A picture with slow changes and fine ones, so that blocks have coefficients of all kinds.
    fn pixels(width: usize, height: usize, channels: usize) -> Vec<u8> {
        let part = |x: usize, y: usize, channel: usize| {
            let slow = match channel % 3 {
                0 => x * 200 / width,
                1 => y * 200 / height,
                _ => (x + y) * 200 / (width + height),
            };
            slow + ((x * 31) ^ (y * 17) ^ (channel * 5)) % 56
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let parts = places.flat_map(|(x, y)| (0..channels).map(move |channel| part(x, y, channel)));
        parts.map(|part| u8::try_from(part).unwrap()).collect()
    }

    fn file_of(
        is_progressive: bool,
        (width, height): (u16, u16),
        (kind, channels): (jpeg_encoder::ColorType, usize),
        prepare: impl Fn(&mut jpeg_encoder::Encoder<&mut Vec<u8>>),
    ) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
        encoder.set_progressive(is_progressive);
        prepare(&mut encoder);
        let pixels = pixels(width.into(), height.into(), channels);
        encoder.encode(&pixels, width, height, kind).unwrap();
        file
    }

    /// Checks that the means of the blocks are exactly what the library decodes at this scale.
    #[track_caller]
    fn check(file: &[u8]) {
        let segments = Segments::of_file(file).unwrap().collect::<Vec<_>>();
        let frame = Frame::of_segments(&segments).unwrap();
        check_at(file, (&segments, &frame), Scale::Eighth);
        if frame.marker != PROGRESSIVE {
            check_at(file, (&segments, &frame), Scale::Quarter);
        }
    }

    #[track_caller]
    fn check_at(file: &[u8], (segments, frame): (&[Segment<'_>], &Frame), scale: Scale) {
        let means = decode(segments, frame, scale).unwrap();
        let side = if scale == Scale::Eighth {
            1
        } else {
            frame.width.div_ceil(8) + 1
        };
        let scaled = super::super::scaled(file, frame, side).unwrap();
        let sides = |raster: &Raster| (raster.width(), raster.height());
        assert_eq!(sides(&means), sides(&scaled));
        for (number, (row, expect)) in means.rows().zip(scaled.rows()).enumerate() {
            assert_eq!(row, expect, "row {number}");
        }
    }

    #[test]
    fn the_means_are_those_of_the_whole_photo() {
        use jpeg_encoder::{ColorType, SamplingFactor};
        let rgb = (ColorType::Rgb, 3);
        for is_progressive in [true, false] {
            let odd = |kind| check(&file_of(is_progressive, (333, 217), kind, |_| {}));
            check(&file_of(is_progressive, (640, 400), rgb, |_| {}));
            odd((ColorType::Luma, 1));
            odd((ColorType::CmykAsYcck, 4));
            odd((ColorType::Cmyk, 4));
            for sampling in [
                SamplingFactor::R_4_4_4,
                SamplingFactor::R_4_2_2,
                SamplingFactor::R_4_2_0,
                SamplingFactor::R_4_4_0,
                SamplingFactor::R_4_1_1,
            ] {
                check(&file_of(is_progressive, (333, 217), rgb, |encoder| {
                    encoder.set_sampling_factor(sampling);
                }));
            }
            check(&file_of(is_progressive, (333, 217), rgb, |encoder| {
                encoder.set_restart_interval(5);
            }));
            // Each component has a scan of its own.
            check(&file_of(is_progressive, (333, 217), rgb, |encoder| {
                encoder.set_optimized_huffman_tables(true);
            }));
        }
    }

    #[test]
    fn a_scan_of_what_is_no_code_is_not_read() {
        let mut file = file_of(false, (333, 217), (jpeg_encoder::ColorType::Rgb, 3), |_| {});
        let middle = file.len() / 2;
        // Ones alone are no code of the usual tables.
        for byte in file[middle..middle + 40].chunks_exact_mut(2) {
            byte.copy_from_slice(&[0xFF, 0]);
        }
        let segments = Segments::of_file(&file).unwrap().collect::<Vec<_>>();
        let frame = Frame::of_segments(&segments).unwrap();
        assert!(decode(&segments, &frame, Scale::Eighth).is_none());
    }

    #[test]
    fn a_photo_that_is_cut_anywhere_is_read_as_far_as_it_goes() {
        let rgb = (jpeg_encoder::ColorType::Rgb, 3);
        for is_progressive in [true, false] {
            let file = file_of(is_progressive, (160, 96), rgb, |_| {});
            for length in 0..file.len() {
                let segments = Segments::of_file(&file[..length]).map(Iterator::collect::<Vec<_>>);
                let frame = segments.as_ref().and_then(|all| Frame::of_segments(all));
                if let (Some(segments), Some(frame)) = (segments, frame) {
                    decode(&segments, &frame, Scale::Eighth);
                    if !is_progressive {
                        decode(&segments, &frame, Scale::Quarter);
                    }
                }
            }
        }
    }
}

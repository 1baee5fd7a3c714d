//! The segments of a JPEG: what its markers say, without decoding it.
//!
//! Source: ITU-T T.81, annex B.

/// The most segments that are read. Cameras write a few dozen.
const SEGMENTS_MAX: usize = 1_000;

/// Start of image, which is the first marker of a file.
const START_OF_IMAGE: [u8; 2] = [0xFF, 0xD8];
const END_OF_IMAGE: u8 = 0xD9;
pub(crate) const START_OF_SCAN: u8 = 0xDA;
pub(crate) const QUANTIZATION_TABLES: u8 = 0xDB;
pub(crate) const HUFFMAN_TABLES: u8 = 0xC4;
pub(crate) const RESTART_INTERVAL: u8 = 0xDD;
const APPLICATION_1: u8 = 0xE1;
/// An application segment, in which Adobe's programs say how colours are encoded.
pub(crate) const ADOBE: u8 = 0xEE;

/// One segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment<'file> {
    /// The second byte of the marker.
    pub(crate) marker: u8,
    /// The parameters, without their length.
    pub(crate) data: &'file [u8],
    /// The entropy-coded data that follow the parameters of a scan; empty for other segments.
    pub(crate) scan: &'file [u8],
}

/// The segments of a file, up to its end mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Segments<'file> {
    pub(crate) all: Vec<Segment<'file>>,
    /// Whether the file has an end mark. Without one, its last part is missing.
    pub(crate) has_end: bool,
}

impl<'file> Segments<'file> {
    /// Reads a file's segments; `None` if it is no JPEG, or has too many of them. What follows the end mark is ignored.
    pub(crate) fn of_file(file: &'file [u8]) -> Option<Self> {
        let mut left = file.strip_prefix(&START_OF_IMAGE)?;
        let mut segments = Self {
            all: Vec::new(),
            has_end: false,
        };
        while let Some((marker, rest)) = next_marker(left) {
            if marker == END_OF_IMAGE {
                segments.has_end = true;
                break;
            }
            if !has_parameters(marker) {
                left = rest;
                continue;
            }
            let Some((data, rest)) = parameters(rest) else {
                break;
            };
            let scan = if marker == START_OF_SCAN {
                entropy_coded(rest)
            } else {
                &[]
            };
            left = rest.get(scan.len()..).unwrap_or_default();
            if segments.all.len() == SEGMENTS_MAX {
                return None;
            }
            segments.all.push(Segment { marker, data, scan });
        }
        Some(segments)
    }

    /// Returns the parameters of the frame, with its marker; `None` if there is none.
    pub(crate) fn frame(&self) -> Option<(u8, &'file [u8])> {
        let is_frame = |marker: u8| {
            (0xC0..=0xCF).contains(&marker) && ![HUFFMAN_TABLES, 0xC8, 0xCC].contains(&marker)
        };
        let frame = self.all.iter().find(|segment| is_frame(segment.marker));
        frame.map(|segment| (segment.marker, segment.data))
    }

    /// Returns the parameters of the application segments in which Exif data stand.
    pub(crate) fn application_1(&self) -> impl Iterator<Item = &'file [u8]> {
        let segments = self.all.iter();
        let exif = segments.filter(|segment| segment.marker == APPLICATION_1);
        exif.map(|segment| segment.data)
    }

    /// Returns the number of scans.
    pub(crate) fn scans(&self) -> usize {
        let scans = self.all.iter();
        scans
            .filter(|segment| segment.marker == START_OF_SCAN)
            .count()
    }
}

/// Returns the next marker and what follows it. Bytes before the marker are skipped, as decoders do.
fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let mut left = bytes;
    loop {
        let start = memchr::memchr(0xFF, left)?;
        left = left.get(start + 1..)?;
        match left {
            // A marker may follow any number of these bytes.
            [0xFF, ..] => {}
            [0, rest @ ..] => left = rest,
            [marker, rest @ ..] => return Some((*marker, rest)),
            [] => return None,
        }
    }
}

/// Returns whether a length and parameters follow a marker.
fn has_parameters(marker: u8) -> bool {
    !matches!(marker, 0x01 | 0xD0..=0xD8)
}

fn parameters(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
    rest.split_at_checked(length)
}

/// Returns the entropy-coded data at the start of these bytes: all until a marker that is not a restart.
fn entropy_coded(bytes: &[u8]) -> &[u8] {
    let marks = memchr::memchr_iter(0xFF, bytes);
    let mut ends = marks.filter(|start| {
        let next = bytes.get(start + 1).copied().unwrap_or(0);
        !matches!(next, 0 | 0xFF | 0xD0..=0xD7)
    });
    bytes
        .get(..ends.next().unwrap_or(bytes.len()))
        .unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &[u8] = &[0xFF, 0xC2, 0, 4, 8, 0];
    const SCAN: &[u8] = &[0xFF, 0xDA, 0, 3, 1, 5, 0xFF, 0, 6, 0xFF, 0xD0, 7];
    const END: &[u8] = &[0xFF, 0xD9];

    fn file(parts: &[&[u8]]) -> Vec<u8> {
        [&[&START_OF_IMAGE[..]], parts].concat().concat()
    }

    #[test]
    fn scans_are_counted_by_their_markers_alone() {
        // A comment, and what follows the end, look like scans.
        let comment: &[u8] = &[0xFF, 0xFE, 0, 6, 0xFF, 0xDA, 0xFF, 0xDA];
        let file = file(&[comment, FRAME, SCAN, SCAN, END, SCAN]);
        let segments = Segments::of_file(&file).unwrap();
        assert_eq!((segments.scans(), segments.has_end), (2, true));
        assert_eq!(segments.frame(), Some((0xC2, &[8, 0][..])));
        let scan = segments.all.last().unwrap();
        assert_eq!((scan.data, scan.scan), (&[1][..], &SCAN[5..]));
    }

    #[test]
    fn a_file_that_is_cut_has_no_end() {
        let whole = file(&[FRAME, SCAN, END]);
        for length in 2..whole.len() {
            let segments = Segments::of_file(&whole[..length]).unwrap();
            assert!(!segments.has_end, "{length}");
        }
        assert_eq!(Segments::of_file(b"\x89PNG"), None);
    }

    #[test]
    fn too_many_segments_are_refused() {
        let comments = [0xFF, 0xFE, 0, 2].repeat(SEGMENTS_MAX);
        assert!(Segments::of_file(&file(&[&comments, END])).is_some());
        assert_eq!(Segments::of_file(&file(&[&comments, FRAME, END])), None);
    }
}

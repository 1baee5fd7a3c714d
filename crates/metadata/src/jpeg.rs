//! The segments of a JPEG: what its markers say, without decoding it.
//!
//! Source: ITU-T T.81, annex B.

/// The first bytes of a JPEG: the start of the image, and the first byte of the next marker.
pub const SIGNATURE: &[u8] = &[0xFF, 0xD8, 0xFF];
/// The marker of a scan, which is followed by entropy-coded data.
pub const START_OF_SCAN: u8 = 0xDA;
/// The marker of an application segment in which Exif data or an XMP packet stands.
pub const APPLICATION_1: u8 = 0xE1;

const START_OF_IMAGE: &[u8] = &[0xFF, 0xD8];
const END_OF_IMAGE: u8 = 0xD9;

/// A segment: a marker with parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'file> {
    /// The second byte of the marker.
    pub marker: u8,
    /// The parameters, without their length.
    pub data: &'file [u8],
    /// The whole rest of the file after the parameters.
    pub after: &'file [u8],
}

impl<'file> Segment<'file> {
    /// Returns the entropy-coded data that follow the parameters of a scan: all until a marker that is not a restart.
    #[must_use]
    pub fn entropy_coded(&self) -> &'file [u8] {
        let mut ends = memchr::memchr_iter(0xFF, self.after).filter(|start| {
            let next = self.after.get(start + 1).copied().unwrap_or(0);
            !matches!(next, 0 | 0xFF | 0xD0..=0xD7)
        });
        let end = ends.next().unwrap_or(self.after.len());
        self.after.get(..end).unwrap_or(self.after)
    }
}

/// The segments of a file up to its end mark, one by one. They end early where a segment is cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments<'file> {
    left: &'file [u8],
    has_end: bool,
}

impl<'file> Segments<'file> {
    /// Begins with a file's first segment; `None` if it is no JPEG.
    #[must_use]
    pub fn of_file(file: &'file [u8]) -> Option<Self> {
        let left = file.strip_prefix(START_OF_IMAGE)?;
        Some(Self {
            left,
            has_end: false,
        })
    }

    /// Returns whether the end mark was reached. A file that has none lacks its last part.
    #[must_use]
    pub fn has_end(&self) -> bool {
        self.has_end
    }

    /// Takes the next marker. Bytes before it are skipped, as decoders do; they are what a scan consists of.
    fn next_marker(&mut self) -> Option<u8> {
        loop {
            let start = memchr::memchr(0xFF, self.left)?;
            self.left = self.left.get(start + 1..)?;
            match self.left {
                // A marker may follow any number of these bytes.
                [0xFF, ..] => {}
                [0, rest @ ..] => self.left = rest,
                [marker, rest @ ..] => {
                    self.left = rest;
                    return Some(*marker);
                }
                [] => return None,
            }
        }
    }

    /// Takes the next segment; `None` at the end mark or where the file cannot be read on.
    fn next_segment(&mut self) -> Option<Segment<'file>> {
        let marker = loop {
            match self.next_marker()? {
                // No length and no parameters follow these.
                0x01 | 0xD0..=0xD8 => {}
                END_OF_IMAGE => {
                    self.has_end = true;
                    return None;
                }
                marker => break marker,
            }
        };
        // The length counts its own two bytes.
        let (length, rest) = self.left.split_first_chunk()?;
        let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
        let (data, after) = rest.split_at_checked(length)?;
        self.left = after;
        Some(Segment {
            marker,
            data,
            after,
        })
    }
}

impl<'file> Iterator for Segments<'file> {
    type Item = Segment<'file>;

    fn next(&mut self) -> Option<Self::Item> {
        let segment = self.next_segment();
        if segment.is_none() {
            // What follows the end mark is another file.
            self.left = &[];
        }
        segment
    }
}

impl std::iter::FusedIterator for Segments<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &[u8] = &[0xFF, 0xC2, 0, 4, 8, 0];
    const SCAN: &[u8] = &[0xFF, 0xDA, 0, 3, 1, 5, 0xFF, 0, 6, 0xFF, 0xD0, 7];
    const END: &[u8] = &[0xFF, 0xD9];

    fn file(parts: &[&[u8]]) -> Vec<u8> {
        [&[START_OF_IMAGE], parts].concat().concat()
    }

    /// Returns the markers of a file, and whether it has an end mark.
    fn markers(file: &[u8]) -> (Vec<u8>, bool) {
        let mut segments = Segments::of_file(file).unwrap();
        let markers = segments.by_ref().map(|segment| segment.marker).collect();
        assert_eq!(segments.next(), None);
        (markers, segments.has_end())
    }

    #[test]
    fn segments_are_found_by_their_markers_alone() {
        // A comment, and what follows the end, look like scans.
        let comment: &[u8] = &[0xFF, 0xFE, 0, 6, 0xFF, 0xDA, 0xFF, 0xDA];
        let file = file(&[comment, FRAME, SCAN, SCAN, END, SCAN]);
        assert_eq!(markers(&file), (vec![0xFE, 0xC2, 0xDA, 0xDA], true));
        let segments = Segments::of_file(&file).unwrap();
        let last = segments.last().unwrap();
        assert_eq!(last.data, [1]);
        assert_eq!(last.entropy_coded(), &SCAN[5..]);
        assert_eq!(last.after, [&SCAN[5..], END, SCAN].concat());
    }

    #[test]
    fn what_has_no_parameters_is_passed_over() {
        let fill: &[u8] = &[0xFF, 0x01, 0xFF, 0xD8, 7, 0xFF, 0xFF];
        assert_eq!(markers(&file(&[fill, FRAME, END])), (vec![0xC2], true));
        let short: &[u8] = &[0xFF, 0xFE, 0, 1];
        assert_eq!(markers(&file(&[short, FRAME, END])), (vec![], false));
    }

    #[test]
    fn a_file_that_is_cut_has_no_end() {
        let whole = file(&[FRAME, SCAN, END]);
        for length in 2..whole.len() {
            assert!(!markers(&whole[..length]).1, "{length}");
        }
        assert_eq!(Segments::of_file(b"\x89PNG"), None);
    }
}

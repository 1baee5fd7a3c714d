//! The Content Credentials of the C2PA (<https://spec.c2pa.org>, 2.3): manifests in JUMBF boxes (ISO 19566-5), whose
//! claims and actions are CBOR.
//!
//! Says what the manifests claim. Whether they belong to the file and who signed them is not verified: a manifest can
//! be removed with ease, so that its presence alone tells something, and what it tells only ever counts against the
//! photo.

mod manifest;

use std::slice::Iter;

use crate::findings::Findings;
use manifest::Manifest;

/// The most packets of a file. At 64 kB each, their boxes would be larger than any photo that is read.
const PACKETS_MAX: usize = 1_024;
/// The largest box that is read, in bytes. Thumbnails may be larger, but are not read.
const BOX_BYTES_MAX: u64 = 65_536;
/// The longest description of a box that is read, in bytes. The rest of a longer one is passed over.
const DESCRIPTION_BYTES_MAX: u64 = 256;
/// The offset of the label in a description, after the type and a byte that says what follows.
const LABEL_AT: usize = 17;

/// A part of JUMBF boxes. A segment of a JPEG holds at most 64 kB, so that larger boxes are spread over several.
pub(crate) struct Packet<'file> {
    /// The number of the box that is spread.
    pub(crate) instance: u16,
    /// The number of this part. Parts with higher numbers follow.
    pub(crate) sequence: u32,
    /// The bytes. In every part they begin with the header of the box.
    pub(crate) boxes: &'file [u8],
}

impl<'file> Packet<'file> {
    /// Makes the only packet of boxes that are not spread.
    pub(crate) fn whole(boxes: &'file [u8]) -> Self {
        Self {
            instance: 0,
            sequence: 0,
            boxes,
        }
    }
}

/// All packets of a file, at most [`PACKETS_MAX`].
#[derive(Default)]
pub(crate) struct Packets<'file>(Vec<Packet<'file>>);

impl<'file> Packets<'file> {
    /// Adds a packet.
    pub(crate) fn push(&mut self, packet: Packet<'file>) {
        if self.0.len() < PACKETS_MAX {
            self.0.push(packet);
        }
    }

    /// Reads the boxes of all packets.
    pub(crate) fn read(mut self, findings: &mut Findings) {
        self.0
            .sort_by_key(|packet| (packet.instance, packet.sequence));
        let is_same_box = |one: &Packet, next: &Packet| {
            one.instance == next.instance && one.sequence < next.sequence
        };
        for packets in self.0.chunk_by(is_same_box) {
            let mut parts: Vec<&[u8]> = packets.iter().map(|packet| packet.boxes).collect();
            for part in parts.iter_mut().skip(1) {
                *part = part.get(header_bytes(part)..).unwrap_or_default();
            }
            read_boxes(Reader::new(&parts), findings);
        }
    }
}

/// Returns the length of the header that a part begins with. A length of 1 is followed by a longer one.
fn header_bytes(part: &[u8]) -> usize {
    if part.starts_with(&[0, 0, 0, 1]) {
        16
    } else {
        8
    }
}

/// Bytes in several parts, which are never joined, since thumbnails make them large.
struct Reader<'parts> {
    left: u64,
    current: &'parts [u8],
    later: Iter<'parts, &'parts [u8]>,
}

impl<'parts> Reader<'parts> {
    fn new(parts: &'parts [&'parts [u8]]) -> Self {
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        Self {
            left: u64::try_from(bytes).unwrap_or(u64::MAX),
            current: &[],
            later: parts.iter(),
        }
    }

    /// Passes over bytes, which are handed to `see` in pieces; `None` if there are too few.
    fn pass(&mut self, mut count: u64, mut see: impl FnMut(&[u8])) -> Option<()> {
        while count > 0 {
            if self.current.is_empty() {
                self.current = self.later.next()?;
                continue;
            }
            let most = usize::try_from(count).unwrap_or(usize::MAX);
            let (piece, rest) = self.current.split_at(most.min(self.current.len()));
            see(piece);
            self.current = rest;
            let passed = u64::try_from(piece.len()).unwrap_or(count);
            count = count.saturating_sub(passed);
            self.left = self.left.saturating_sub(passed);
        }
        Some(())
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.pass(count, |_| ())
    }

    /// Returns the next bytes. The caller bounds their number.
    fn take(&mut self, count: u64) -> Option<Vec<u8>> {
        let mut taken = Vec::new();
        self.pass(count, |piece| taken.extend_from_slice(piece))?;
        Some(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let mut array = [0; LENGTH];
        let mut places = array.iter_mut();
        self.pass(u64::try_from(LENGTH).ok()?, |piece| {
            // In this order, since a pair of which only the first half is left loses that half.
            for (byte, place) in piece.iter().zip(places.by_ref()) {
                *place = *byte;
            }
        })?;
        Some(array)
    }
}

/// Reads boxes one after the other. A superbox begins with its description and consists of boxes, so it is enough to
/// pass over its header: no depth has to be counted.
fn read_boxes(mut reader: Reader, findings: &mut Findings) {
    let mut manifest = Manifest::default();
    let mut label = Vec::new();
    while let Some((kind, bytes)) = header(&mut reader) {
        let is_read = match &kind {
            b"jumb" => Some(()),
            b"jumd" => {
                let kept = bytes.min(DESCRIPTION_BYTES_MAX);
                let Some(description) = reader.take(kept) else {
                    break;
                };
                if description.starts_with(b"c2ma") || description.starts_with(b"c2um") {
                    std::mem::take(&mut manifest).end(findings);
                }
                label = label_of(&description);
                reader.skip(bytes - kept)
            }
            b"cbor" | b"json" if bytes <= BOX_BYTES_MAX && Manifest::has_use_for(&label) => {
                let content = reader.take(bytes);
                content.map(|content| manifest.read(&label, &content, findings))
            }
            _ => reader.skip(bytes),
        };
        if is_read.is_none() {
            break;
        }
    }
    manifest.end(findings);
}

/// Returns a box's type, and the length of its content. A length of 0 means that it extends to the end.
fn header(reader: &mut Reader) -> Option<([u8; 4], u64)> {
    let length = u32::from_be_bytes(reader.array()?);
    let kind = reader.array()?;
    let content = match length {
        0 => reader.left,
        1 => u64::from_be_bytes(reader.array()?).checked_sub(16)?,
        length => u64::from(length).checked_sub(8)?,
    };
    Some((kind, content))
}

/// Returns the label in a description; empty if it has none.
fn label_of(description: &[u8]) -> Vec<u8> {
    let label = description.get(LABEL_AT..).unwrap_or_default();
    let end = label
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(label.len());
    label.get(..end).unwrap_or_default().to_vec()
}

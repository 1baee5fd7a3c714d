//! The blocks of metadata in JPEG, PNG and WebP files. Nothing is copied.

use crate::content_credentials::Packet;
use crate::jpeg::{APPLICATION_1, SIGNATURE, START_OF_SCAN, Segment, Segments};

const PNG_START: &[u8] = b"\x89PNG\r\n\x1A\n";

// The application segments in which Content Credentials and Photoshop's resources stand.
const APPLICATION_11: u8 = 0xEB;
const APPLICATION_13: u8 = 0xED;

// What the segments of a JPEG begin with.
const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const IMAGE_RESOURCES: &[u8] = b"Photoshop 3.0\0";
const JUMBF: &[u8] = b"JP";

/// The keyword of the PNG text that is an XMP packet.
const XMP_KEYWORD: &[u8] = b"XML:com.adobe.xmp";

/// A block of metadata.
pub(crate) enum Block<'file> {
    /// Exif data, from its TIFF header on.
    Exif(&'file [u8]),
    /// An XMP packet.
    Xmp(&'file [u8]),
    /// Photoshop's image resources, one of which has the IPTC-IIM data.
    ImageResources(&'file [u8]),
    /// JUMBF boxes, or a part of them.
    Jumbf(Packet<'file>),
    /// A text of a PNG. It is Latin-1 or UTF-8; empty if it is compressed.
    Text {
        /// The keyword before the text.
        keyword: &'file [u8],
        /// The text.
        text: &'file [u8],
    },
}

/// Hands every block of a file to `take`, in the file's order, up to where the file cannot be read.
pub(crate) fn each_block<'file>(file: &'file [u8], take: &mut impl FnMut(Block<'file>)) {
    // The walkers return `None` where they have to stop.
    let _ = if file.starts_with(SIGNATURE) {
        blocks_of_jpeg(file).map(|blocks| blocks.for_each(take))
    } else if let Some(chunks) = file.strip_prefix(PNG_START) {
        png(chunks, take)
    } else if file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP") {
        webp(file.get(12..).unwrap_or_default(), take)
    } else {
        None
    };
}

/// Returns the blocks of a JPEG until its first scan.
fn blocks_of_jpeg(file: &[u8]) -> Option<impl Iterator<Item = Block<'_>>> {
    let segments = Segments::of_file(file)?;
    let heads = segments.take_while(|segment| segment.marker != START_OF_SCAN);
    Some(heads.filter_map(block_of_segment))
}

/// Returns the first Exif data of a JPEG, wherever in the file they stand.
pub(crate) fn first_exif(jpeg: &[u8]) -> Option<&[u8]> {
    let mut segments = Segments::of_file(jpeg)?;
    segments.find_map(|segment| {
        let data = segment.data.strip_prefix(EXIF);
        data.filter(|_| segment.marker == APPLICATION_1)
    })
}

fn block_of_segment(Segment { marker, data, .. }: Segment<'_>) -> Option<Block<'_>> {
    match marker {
        APPLICATION_1 => {
            let exif = data.strip_prefix(EXIF).map(Block::Exif);
            exif.or_else(|| data.strip_prefix(XMP).map(Block::Xmp))
        }
        APPLICATION_11 => {
            // ISO 19566-5, annex D: the box's number, and the packet's number, which counts the parts of the box.
            let (instance, packet) = data.strip_prefix(JUMBF)?.split_first_chunk()?;
            let (sequence, boxes) = packet.split_first_chunk()?;
            Some(Block::Jumbf(Packet {
                instance: u16::from_be_bytes(*instance),
                sequence: u32::from_be_bytes(*sequence),
                boxes,
            }))
        }
        APPLICATION_13 => data
            .strip_prefix(IMAGE_RESOURCES)
            .map(Block::ImageResources),
        _ => None,
    }
}

/// Walks the chunks of a PNG, including those after the pixels.
fn png<'file>(mut rest: &'file [u8], take: &mut impl FnMut(Block<'file>)) -> Option<()> {
    loop {
        let (length, after) = rest.split_first_chunk()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (data, after) = split_at(after, u32::from_be_bytes(*length))?;
        // The check sum is not checked.
        rest = after.get(4..)?;
        let block = match kind {
            b"caBX" => Some(Block::Jumbf(Packet::whole(data))),
            b"eXIf" => Some(Block::Exif(data)),
            b"iTXt" => international_text(data),
            b"tEXt" | b"zTXt" => text(data, kind == b"tEXt"),
            _ => None,
        };
        if let Some(block) = block {
            take(block);
        }
    }
}

fn text(data: &[u8], is_plain: bool) -> Option<Block<'_>> {
    let (keyword, text) = split_at_nul(data)?;
    let text = if is_plain { text } else { &[] };
    Some(Block::Text { keyword, text })
}

/// Returns a text with a language (PNG, third edition, 11.3.3.4).
fn international_text(data: &[u8]) -> Option<Block<'_>> {
    let (keyword, after) = split_at_nul(data)?;
    let (is_compressed, after) = after.split_first()?;
    let (_method, after) = after.split_first()?;
    let (_language, after) = split_at_nul(after)?;
    let (_translated_keyword, text) = split_at_nul(after)?;
    if *is_compressed != 0 {
        return Some(Block::Text { keyword, text: &[] });
    }
    if keyword == XMP_KEYWORD {
        return Some(Block::Xmp(text));
    }
    Some(Block::Text { keyword, text })
}

/// Walks the chunks of a WebP.
fn webp<'file>(mut rest: &'file [u8], take: &mut impl FnMut(Block<'file>)) -> Option<()> {
    loop {
        let (kind, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        let (data, after) = split_at(after, length)?;
        // A chunk of an odd length is followed by a byte of padding.
        let padding = usize::from(!length.is_multiple_of(2));
        rest = after.get(padding..).unwrap_or_default();
        match kind {
            // Some writers begin it as in a JPEG.
            b"EXIF" => take(Block::Exif(data.strip_prefix(EXIF).unwrap_or(data))),
            b"XMP " => take(Block::Xmp(data)),
            b"C2PA" => take(Block::Jumbf(Packet::whole(data))),
            _ => {}
        }
    }
}

fn split_at(bytes: &[u8], length: u32) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(usize::try_from(length).ok()?)
}

/// Splits bytes at the first zero, which is in neither part.
pub(crate) fn split_at_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let (before, after) = bytes.split_at_checked(end)?;
    Some((before, after.get(1..)?))
}

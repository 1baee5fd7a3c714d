//! Exif data (CIPA DC-008): the camera, the program, the time, the texts in which generators leave their parameters, and
//! how the photo is turned.
//!
//! Only the directory of the picture and the one of Exif are read, each once. The library `kamadak-exif` would follow
//! every pointer to a directory, so that directories that overlap take memory in proportion to the square of the data.

use std::borrow::Cow;

use domain::{DateSource, Statement, Taken};

use crate::findings::Findings;
use crate::generators::is_signed_by_grok;

/// The most entries of a directory that are looked at. Cameras write some fifty.
const ENTRIES_MAX: usize = 512;
/// The most bytes of a name and of a date that are read.
const NAME_BYTES_MAX: usize = 1_024;
/// The most bytes of a description and of a comment that are read. A segment of a JPEG has no more.
const TEXT_BYTES_MAX: usize = 65_536;
/// The length of an entry in bytes.
const ENTRY_BYTES: usize = 12;

// The tags of the picture's directory, and those of the directory of Exif.
const IMAGE_DESCRIPTION: u16 = 0x010E;
const MAKE: u16 = 0x010F;
const MODEL: u16 = 0x0110;
const ORIENTATION: u16 = 0x0112;
const SOFTWARE: u16 = 0x0131;
const ARTIST: u16 = 0x013B;
const EXIF_DIRECTORY: u16 = 0x8769;
const DATE_TIME_ORIGINAL: u16 = 0x9003;
const USER_COMMENT: u16 = 0x9286;

// The types of values, and the character codes of a user comment.
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const UNDEFINED: u16 = 7;
const UTF_8: u16 = 129;
const CODE_UNICODE: &[u8; 8] = b"UNICODE\0";

/// Reads Exif data that begin with their TIFF header.
pub(crate) fn read(bytes: &[u8], findings: &mut Findings) {
    // The reader returns `None` where it has to stop.
    let _ = read_directories(bytes, findings);
}

fn read_directories(bytes: &[u8], findings: &mut Findings) -> Option<()> {
    let tiff = Tiff::of_bytes(bytes)?;
    let picture = tiff.long(4)?;
    let name = |tag| tiff.text(picture, tag, NAME_BYTES_MAX);
    let [make, model, software, artist] = [MAKE, MODEL, SOFTWARE, ARTIST].map(name);
    let description = tiff.text(picture, IMAGE_DESCRIPTION, TEXT_BYTES_MAX);
    findings.camera(make.as_deref(), model.as_deref());
    if let Some(name) = &software {
        findings.program(name, Statement::Software);
    }
    if let Some(name) = &artist {
        findings.credit(name);
    }
    // ComfyUI writes its graph into WebP files as maker and model.
    for text in [&make, &model, &description].into_iter().flatten() {
        findings.text(text);
    }
    if let (Some(artist), Some(description)) = (&artist, &description)
        && is_signed_by_grok(artist, description)
    {
        findings.generated(Statement::GeneratorText, Some("Grok"));
    }
    let exif = tiff.pointer(picture, EXIF_DIRECTORY)?;
    if let Some(time) = tiff.text(exif, DATE_TIME_ORIGINAL, NAME_BYTES_MAX) {
        findings.taken(Taken::read(&time, DateSource::Camera));
    }
    for comment in tiff.user_comment(exif) {
        findings.text(&comment);
    }
    Some(())
}

/// Returns the orientation in Exif data that begin with their TIFF header, from 1 to 8.
pub(crate) fn orientation(bytes: &[u8]) -> Option<u16> {
    let tiff = Tiff::of_bytes(bytes)?;
    let entry = tiff.entry(tiff.long(4)?, ORIENTATION)?;
    let orientation = tiff.short(entry.field)?;
    (entry.kind == SHORT && (1..=8).contains(&orientation)).then_some(orientation)
}

/// Bytes with a TIFF structure in one of the two byte orders.
struct Tiff<'bytes> {
    bytes: &'bytes [u8],
    is_little: bool,
}

/// An entry of a directory.
struct Entry {
    kind: u16,
    count: usize,
    /// The offset of the field that has the value, or the value's offset.
    field: usize,
}

impl<'bytes> Tiff<'bytes> {
    /// Reads the byte order; `None` if the bytes have no TIFF structure.
    fn of_bytes(bytes: &'bytes [u8]) -> Option<Self> {
        let is_little = match bytes.get(..2)? {
            b"II" => true,
            b"MM" => false,
            _ => return None,
        };
        Some(Self { bytes, is_little })
    }

    fn short(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    }

    fn long(&self, at: usize) -> Option<usize> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        let number = if self.is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        };
        usize::try_from(number).ok()
    }

    /// Returns the first entry with this tag of the directory at this offset.
    fn entry(&self, directory: usize, tag: u16) -> Option<Entry> {
        let entries = usize::from(self.short(directory)?).min(ENTRIES_MAX);
        let first = directory.checked_add(2)?;
        let mut places = (0..entries).map_while(|entry| first.checked_add(entry * ENTRY_BYTES));
        let at = places.find(|at| self.short(*at) == Some(tag))?;
        Some(Entry {
            kind: self.short(at.checked_add(2)?)?,
            count: self.long(at.checked_add(4)?)?,
            field: at.checked_add(8)?,
        })
    }

    /// Returns the offset to which an entry points.
    fn pointer(&self, directory: usize, tag: u16) -> Option<usize> {
        let entry = self
            .entry(directory, tag)
            .filter(|entry| entry.kind == LONG)?;
        self.long(entry.field)
    }

    /// Returns the value of an entry of one of these types, all of which count bytes; at most so many of them.
    fn value(
        &self,
        directory: usize,
        tag: u16,
        kinds: &[u16],
        bytes_max: usize,
    ) -> Option<&'bytes [u8]> {
        let entry = self.entry(directory, tag)?;
        if !kinds.contains(&entry.kind) {
            return None;
        }
        // A value of up to four bytes stands in the entry itself.
        let at = if entry.count <= 4 {
            entry.field
        } else {
            self.long(entry.field)?
        };
        let count = entry.count.min(bytes_max);
        self.bytes.get(at..at.checked_add(count)?)
    }

    fn text(&self, directory: usize, tag: u16, bytes_max: usize) -> Option<Cow<'bytes, str>> {
        let value = self.value(directory, tag, &[ASCII, UTF_8], bytes_max)?;
        let text = value.split(|byte| *byte == 0).next()?;
        Some(String::from_utf8_lossy(text))
    }

    /// Returns the user comment. In Unicode it is UTF-16, but writers disagree about the byte order, so that it is
    /// returned in both.
    fn user_comment(&self, directory: usize) -> Vec<Cow<'bytes, str>> {
        let Some(value) = self.value(directory, USER_COMMENT, &[UNDEFINED, ASCII], TEXT_BYTES_MAX)
        else {
            return Vec::new();
        };
        let (code, comment) = value.split_at_checked(8).unwrap_or((&[], value));
        if code != CODE_UNICODE {
            // Some writers leave the code out.
            return vec![String::from_utf8_lossy(value)];
        }
        let text = |order: fn([u8; 2]) -> u16| {
            let units = comment.as_chunks().0.iter().map(|unit| order(*unit));
            let text = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}'));
            Cow::Owned(text.collect())
        };
        vec![text(u16::from_be_bytes), text(u16::from_le_bytes)]
    }
}

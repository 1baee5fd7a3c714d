//! IPTC-IIM data (version 4.2) in Photoshop's image resources: when the photo was taken, and who is credited.

use std::borrow::Cow;

use domain::{DateSource, Statement, Taken};

use crate::findings::Findings;

/// The resource that has the IPTC-IIM data (Adobe Photoshop File Formats Specification, "Image Resource IDs").
const IPTC_RESOURCE: u16 = 0x0404;
/// The byte before every dataset, and the record of which datasets are read.
const TAG_MARKER: u8 = 0x1C;
const APPLICATION_RECORD: u8 = 2;

// The datasets of the application record.
const DATE_CREATED: u8 = 55;
const TIME_CREATED: u8 = 60;
const ORIGINATING_PROGRAM: u8 = 65;
const BY_LINE: u8 = 80;
const CREDIT: u8 = 110;
const SOURCE: u8 = 115;

/// Reads image resources, each of which has a signature, a number, a name and its data.
pub(crate) fn read(resources: &[u8], findings: &mut Findings) {
    let mut rest = resources;
    while let Some((number, data, after)) = resource(rest) {
        if number == IPTC_RESOURCE {
            read_datasets(data, findings);
        }
        rest = after;
    }
}

/// Returns the number and data of the first resource, and what follows it.
fn resource(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let (number, after) = bytes.strip_prefix(b"8BIM")?.split_first_chunk()?;
    // The name begins with its length. Name and data each have an even length in the file.
    let name = usize::from(*after.first()?) + 1;
    let after = after.get(name.next_multiple_of(2)..)?;
    let (length, after) = after.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (data, after) = after.split_at_checked(length)?;
    let after = after.get(length % 2..).unwrap_or_default();
    Some((u16::from_be_bytes(*number), data, after))
}

fn read_datasets(datasets: &[u8], findings: &mut Findings) {
    let (mut date, mut time) = (None, None);
    let mut rest = datasets;
    while let Some((record, number, value, after)) = dataset(rest) {
        rest = after;
        if record != APPLICATION_RECORD {
            continue;
        }
        let text = String::from_utf8_lossy(value);
        match number {
            DATE_CREATED => date = date.or(Some(text)),
            TIME_CREATED => time = time.or(Some(text)),
            ORIGINATING_PROGRAM => findings.program(&text, Statement::Software),
            BY_LINE | CREDIT | SOURCE => findings.credit(&text),
            _ => {}
        }
    }
    if let Some(date) = date {
        let time = time.unwrap_or(Cow::Borrowed(""));
        let taken = Taken::read(&format!("{date} {time}"), DateSource::Caption);
        findings.taken(taken);
    }
}

/// Returns the record, number and value of the first dataset, and what follows it. A dataset of more than 32,767 bytes
/// ends the data; none of those that are read is as long.
fn dataset(bytes: &[u8]) -> Option<(u8, u8, &[u8], &[u8])> {
    let (header, after) = bytes.split_first_chunk::<5>()?;
    let [TAG_MARKER, record, number, high, low] = *header else {
        return None;
    };
    let length = u16::from_be_bytes([high, low]);
    let (value, after) = after.split_at_checked(usize::from(length))?;
    (length <= 0x7FFF).then_some((record, number, value, after))
}

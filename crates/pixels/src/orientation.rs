//! The orientation of a photo by its Exif data: the recogniser's boxes refer to the upright photo (Amazon Rekognition,
//! `CelebrityFaces`).

/// What the segment with Exif data begins with (Exif 2.32, 4.7.2).
const EXIF: &[u8] = b"Exif\0\0";
/// The tag of the orientation in Exif data (Exif 2.32, 4.6.4). The next constant is the type of its value: 16 bits.
const ORIENTATION: u16 = 0x0112;
const ORIENTATION_TYPE: u16 = 3;
/// The length of an Exif entry, in bytes. The next constant is the offset of the value in it.
const EXIF_ENTRY_BYTES: usize = 12;
const EXIF_VALUE_AT: usize = 8;

/// Returns the orientation, 1 to 8, by the application segments 1 of a JPEG. Without a valid one it is 1, upright.
pub(crate) fn of_segments<'file>(segments: impl Iterator<Item = &'file [u8]>) -> u16 {
    let mut tiffs = segments.filter_map(|data| data.strip_prefix(EXIF));
    tiffs.next().map_or(1, of_tiff)
}

/// Returns the orientation, 1 to 8, in Exif data that begins at its TIFF header. Without a valid one it is 1, upright.
fn of_tiff(tiff: &[u8]) -> u16 {
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
            assert_eq!(of_tiff(&exif(true, value)), value);
            assert_eq!(of_tiff(&exif(false, value)), value);
        }
    }

    #[test]
    fn what_is_none_is_upright() {
        assert_eq!(of_tiff(&exif(true, 0)), 1);
        assert_eq!(of_tiff(&exif(true, 9)), 1);
        let whole = exif(false, 6);
        for length in 0..whole.len() - 2 {
            assert_eq!(of_tiff(&whole[..length]), 1, "{length}");
        }
        assert_eq!(of_tiff(b"II*\0\xFF\xFF\xFF\xFF"), 1);
    }
}

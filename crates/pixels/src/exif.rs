//! The way up that a camera was held: the one thing of a photo's metadata that moves its pixels.
//! The recogniser gives its boxes in the upright photo (Amazon Rekognition, `CelebrityFaces`).

/// The tag of the orientation (Exif 2.32, 4.6.4), and the type of its value: 16 bits.
const ORIENTATION: u16 = 0x0112;
const SHORT: u16 = 3;
/// The bytes of an entry, and where its value is.
const ENTRY_BYTES: usize = 12;
const VALUE_AT: usize = 8;

/// Returns the orientation in Exif data (its TIFF header first), 1 to 8. Without an orientation it
/// is 1, upright.
pub(super) fn orientation(tiff: &[u8]) -> u16 {
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
    let directory = if is_little {
        u32::from_le_bytes(bytes)
    } else {
        u32::from_be_bytes(bytes)
    };
    let directory = usize::try_from(directory).ok()?;
    let entries = usize::from(short(directory)?);
    let mut places = (0..entries).map_while(|entry| directory.checked_add(2 + entry * ENTRY_BYTES));
    let entry = places.find(|at| short(*at) == Some(ORIENTATION))?;
    if short(entry.checked_add(2)?)? != SHORT {
        return None;
    }
    short(entry.checked_add(VALUE_AT)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes Exif data of one entry with this value, after another entry as cameras have.
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
            tiff.extend(short(SHORT));
            tiff.extend([0; 4]);
            tiff.extend(short(value));
            tiff.extend([0; 2]);
        }
        tiff
    }

    #[test]
    fn the_orientation_is_read_in_both_byte_orders() {
        for value in 1..=8 {
            assert_eq!(orientation(&exif(true, value)), value);
            assert_eq!(orientation(&exif(false, value)), value);
        }
    }

    #[test]
    fn what_is_none_is_upright() {
        assert_eq!(orientation(&exif(true, 0)), 1);
        assert_eq!(orientation(&exif(true, 9)), 1);
        let whole = exif(false, 6);
        for length in 0..whole.len() - 2 {
            assert_eq!(orientation(&whole[..length]), 1, "{length}");
        }
        assert_eq!(orientation(b"II*\0\xFF\xFF\xFF\xFF"), 1);
    }
}

//! How a photo is turned, by its Exif data.

use super::builders::{exif_segment, jpeg, xmp, xmp_segment};

/// Makes Exif data in which the orientation has this value and type and follows another entry, as in cameras' files.
fn exif(is_little: bool, kind: u16, value: u16) -> Vec<u8> {
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
    for (tag, kind, value) in [(0x0100, 3, 9), (0x0112, kind, value)] {
        tiff.extend(short(tag));
        tiff.extend(short(kind));
        tiff.extend([0; 4]);
        tiff.extend(short(value));
        tiff.extend([0; 2]);
    }
    tiff
}

#[track_caller]
fn is_turned(tiff: &[u8], expect: u16) {
    assert_eq!(crate::orientation(&jpeg(&[exif_segment(tiff)])), expect);
}

#[test]
fn the_orientation_is_read_in_both_byte_orders() {
    for value in 1..=8 {
        is_turned(&exif(true, 3, value), value);
        is_turned(&exif(false, 3, value), value);
    }
}

#[test]
fn what_is_no_orientation_is_upright() {
    is_turned(&exif(true, 3, 0), 1);
    is_turned(&exif(true, 3, 9), 1);
    is_turned(&exif(true, 1, 6), 1);
    let whole = exif(false, 3, 6);
    for length in 0..whole.len() - 2 {
        is_turned(&whole[..length], 1);
    }
    is_turned(b"II*\0\xFF\xFF\xFF\xFF", 1);
    for file in [&b"\xFF\xD8"[..], b"\x89PNG\r\n\x1A\n"] {
        assert_eq!(crate::orientation(file), 1);
    }
}

#[test]
fn the_first_exif_data_count() {
    let exif_of = |value| exif_segment(&exif(true, 3, value));
    let segments = [xmp_segment(&xmp("", " ")), exif_of(6), exif_of(3)];
    assert_eq!(crate::orientation(&jpeg(&segments)), 6);
    let broken = [exif_segment(b"II"), exif_of(6)];
    assert_eq!(crate::orientation(&jpeg(&broken)), 1);
}

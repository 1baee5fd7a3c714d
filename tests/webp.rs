//! WebP photos of another encoder (libwebp), converted to JPEG.

use std::fs;

use investigation::effects::{WebpError, jpeg_of_webp, webp_size};
use jpeg_decoder::Decoder;

fn file(name: &str) -> Vec<u8> {
    fs::read(format!("tests/photos/{name}.webp")).unwrap()
}

/// Returns the mean colours of the quarters: top left and right, then bottom.
fn quarters(jpeg: &[u8]) -> Vec<[u32; 3]> {
    let mut decoder = Decoder::new(jpeg);
    let pixels = decoder.decode().unwrap();
    let info = decoder.info().unwrap();
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    let mean = |left: usize, top: usize| {
        let (columns, rows) = (left..left + width / 2, top..top + height / 2);
        let count = u32::try_from(columns.len() * rows.len()).unwrap();
        let mut sums = [0; 3];
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
            let pixel = &pixels[(row * width + column) * 3..][..3];
            for (sum, part) in sums.iter_mut().zip(pixel) {
                *sum += u32::from(*part);
            }
        }
        sums.map(|sum| sum / count)
    };
    vec![
        mean(0, 0),
        mean(width / 2, 0),
        mean(0, height / 2),
        mean(width / 2, height / 2),
    ]
}

#[track_caller]
fn check(name: &str, size: (u32, u32), expect: [[u32; 3]; 4]) {
    let photo = file(name);
    assert_eq!(webp_size(&photo), Some(size));
    let found = quarters(&jpeg_of_webp(&photo).unwrap());
    for (found, expect) in found.iter().zip(expect) {
        let is_near = found
            .iter()
            .zip(expect)
            .all(|(one, other)| one.abs_diff(other) <= 2);
        assert!(is_near, "{name}: {found:?}, not {expect:?}");
    }
}

/// The colours are those of another decoder (libwebp, on white).
#[test]
fn photos_keep_their_colours() {
    let sky = [
        [135, 124, 174],
        [125, 86, 111],
        [138, 171, 174],
        [92, 119, 90],
    ];
    check("lossy", (120, 90), sky);
}

#[test]
fn what_is_compressed_without_loss_is_not_decoded() {
    for name in ["lossless", "alpha"] {
        assert_eq!(
            jpeg_of_webp(&file(name)),
            Err(WebpError::Lossless),
            "{name}"
        );
    }
}

#[test]
fn an_animation_is_no_photo() {
    assert_eq!(jpeg_of_webp(&file("animated")), Err(WebpError::Animated));
}

#[test]
fn a_broken_photo_is_none_or_another() {
    for name in ["lossy", "lossless", "alpha", "animated"] {
        let photo = file(name);
        for length in 0..photo.len() {
            drop(jpeg_of_webp(&photo[..length]));
        }
        for place in 0..photo.len() {
            let mut broken = photo.clone();
            broken[place] ^= 0x55;
            drop(jpeg_of_webp(&broken));
        }
    }
}

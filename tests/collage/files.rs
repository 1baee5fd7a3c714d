//! Photos in every file format, and invalid ones.

use domain::{CollageCheck, FaceBox, Unjudged, Veto};
use sandbox::own_world;
use sandbox::picture::{CaptureSettings, Collage, Format};

use super::pictures::{PictureKind, check_file, drawn, judged, usual, veto};

/// Larger than the analysed size: a JPEG is decoded at half its size, a PNG's rows are merged.
#[test]
fn large_photos_are_looked_at_in_small() {
    let world = own_world().unwrap();
    for format in [Format::Jpeg, Format::Png] {
        let take = CaptureSettings {
            drawn_px: 1_300,
            published_px: 1_300,
            format,
            ..usual(4)
        };
        let collage = drawn(&world, PictureKind::Collage(Collage::Bordered), take);
        assert_eq!(veto(&collage), Some(Veto::Seam), "{format:?}");
        let honest = drawn(&world, PictureKind::Ordinary, take);
        assert_eq!(veto(&honest), None, "{format:?}");
    }
}

/// The recogniser's boxes refer to the upright photo, as browsers show it.
#[test]
fn a_photo_is_looked_at_upright() {
    let world = own_world().unwrap();
    let take = CaptureSettings {
        format: Format::Jpeg,
        ..usual(4)
    };
    let picture = drawn(&world, PictureKind::Collage(Collage::Bordered), take);
    let mut decoder = jpeg_decoder::Decoder::new(picture.file.as_slice());
    let pixels = decoder.decode().unwrap();
    let (width, height) = picture.size_px;
    // Stored rotated to the left: its right side is the first row.
    let pixel = |column: u16, row: u16| {
        let at = 3 * (usize::from(row) * usize::from(width) + usize::from(column));
        pixels[at..at + 3].to_vec()
    };
    let rows = (0..width).rev();
    let stored: Vec<u8> = rows
        .flat_map(|column| (0..height).flat_map(move |row| pixel(column, row)))
        .collect();
    let mut turned = picture.clone();
    turned.file.clear();
    let mut encoder = jpeg_encoder::Encoder::new(&mut turned.file, 90);
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    encoder.add_app_segment(1, exif.to_vec()).unwrap();
    encoder
        .encode(&stored, height, width, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    assert_eq!(veto(&picture), Some(Veto::Seam));
    assert_eq!(veto(&turned), Some(Veto::Seam));
    // Without it, the same pixels have their seam elsewhere.
    let plain = turned.file.iter().position(|byte| *byte == 0xE1).unwrap();
    turned.file[plain] = 0xED;
    assert_eq!(veto(&turned), None);
}

#[test]
fn printers_colors_and_progressive_photos_are_read() {
    let world = own_world().unwrap();
    let take = CaptureSettings {
        format: Format::Jpeg,
        ..usual(4)
    };
    let picture = drawn(&world, PictureKind::Collage(Collage::Bordered), take);
    let pixels = jpeg_decoder::Decoder::new(picture.file.as_slice())
        .decode()
        .unwrap();
    let (width, height) = picture.size_px;
    let inks: Vec<u8> = pixels
        .chunks_exact(3)
        .flat_map(|light| [255 - light[0], 255 - light[1], 255 - light[2], 0])
        .collect();
    let mut printed = picture.clone();
    printed.file.clear();
    let encoder = jpeg_encoder::Encoder::new(&mut printed.file, 90);
    encoder
        .encode(&inks, width, height, jpeg_encoder::ColorType::Cmyk)
        .unwrap();
    assert_eq!(veto(&printed), Some(Veto::Seam), "in inks");
    let mut progressive = picture;
    progressive.file.clear();
    let mut encoder = jpeg_encoder::Encoder::new(&mut progressive.file, 90);
    encoder.set_progressive(true);
    encoder
        .encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    assert_eq!(veto(&progressive), Some(Veto::Seam), "progressive");
    // No encoder makes so many scans, each of which would be decoded.
    let end = progressive.file.len() - 2;
    let scan = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0];
    progressive.file.splice(end..end, scan.repeat(64));
    let unjudged = CollageCheck::NotJudged(Unjudged::TooLarge);
    assert_eq!(judged(&progressive), unjudged, "too many scans");
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    let world = own_world().unwrap();
    let face = FaceBox {
        left: 0.1,
        top: 0.3,
        width: 0.2,
        height: 0.3,
    };
    let faces = [face, FaceBox { left: 0.7, ..face }];
    for seed in [4, 5] {
        let file = drawn(
            &world,
            PictureKind::Collage(Collage::SideBySide),
            usual(seed),
        )
        .file;
        // Truncated anywhere, it must not panic.
        for length in (0..file.len()).step_by(997) {
            assert_ne!(
                check_file(&file[..length], &faces),
                CollageCheck::Passed,
                "{length}"
            );
        }
        assert_eq!(
            check_file(&file[..200], &faces),
            CollageCheck::NotJudged(Unjudged::Unreadable)
        );
    }
    for bytes in [
        &b""[..],
        b"GIF89a",
        b"<html>",
        b"\xFF\xD8\xFF",
        b"\x89PNG\r\n\x1A\n",
    ] {
        assert_eq!(
            check_file(bytes, &faces),
            CollageCheck::NotJudged(Unjudged::Unreadable)
        );
    }
}

/// Scaled down, its height would be zero pixels.
#[test]
fn a_strip_that_is_hardly_high_is_not_judged() {
    let left = FaceBox {
        left: 0.1,
        top: 0.1,
        width: 0.1,
        height: 0.8,
    };
    let faces = [left, FaceBox { left: 0.8, ..left }];
    for (width, height) in [(32_000, 8), (8, 32_000)] {
        let gray = vec![128; 32_000 * 8];
        let mut file = Vec::new();
        jpeg_encoder::Encoder::new(&mut file, 50)
            .encode(&gray, width, height, jpeg_encoder::ColorType::Luma)
            .unwrap();
        assert_eq!(
            check_file(&file, &faces),
            CollageCheck::NotJudged(Unjudged::Unreadable),
            "{width} x {height}"
        );
    }
}

#[test]
fn faces_at_impossible_places_do_no_harm() {
    let world = own_world().unwrap();
    let file = drawn(&world, PictureKind::Collage(Collage::SideBySide), usual(4)).file;
    let at = |left, top, width, height| FaceBox {
        left,
        top,
        width,
        height,
    };
    for wild in [f64::NAN, f64::INFINITY, -7.0, 0.0, 1.0, 9e99] {
        let faces = [
            at(wild, 0.3, 0.2, 0.2),
            at(0.7, wild, 0.2, wild),
            at(0.1, 0.1, wild, 0.1),
        ];
        let _ = check_file(&file, &faces);
    }
}

//! JPEG photos that would take a lot of memory.

use super::noise;

fn jpeg(
    width: u16,
    height: u16,
    is_progressive: bool,
    kind: jpeg_encoder::ColorType,
    parts: usize,
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 60);
    encoder.set_progressive(is_progressive);
    let pixels = noise(usize::from(width) * usize::from(height) * parts);
    encoder.encode(&pixels, width, height, kind).unwrap();
    file
}

/// A JPEG of four inks, each of which has a scan of its own.
fn separate(width: u16, height: u16) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 60);
    encoder.set_optimized_huffman_tables(true);
    let pixels = noise(usize::from(width) * usize::from(height) * 4);
    encoder
        .encode(&pixels, width, height, jpeg_encoder::ColorType::Cmyk)
        .unwrap();
    file
}

/// A JPEG whose header claims this size.
fn jpeg_of_size(mut file: Vec<u8>, width: u16, height: u16) -> Vec<u8> {
    let frame = file
        .windows(2)
        .position(|pair| matches!(pair, [0xFF, 0xC0 | 0xC2]))
        .unwrap();
    file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    file
}

pub fn jpegs() -> Vec<(&'static str, Vec<u8>)> {
    use jpeg_encoder::ColorType::{Cmyk, Rgb};
    let plain = || jpeg(600, 400, false, Rgb, 3);
    let progressive = || jpeg(600, 400, true, Rgb, 3);
    let many = |marker: u8, segment: &[u8], count: usize| {
        let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
        let one = [&[0xFF, marker][..], &length, segment].concat();
        [&plain()[..2], &one.repeat(count), &plain()[2..]].concat()
    };
    let with_profiles = |file: Vec<u8>| {
        let profile = [b"ICC_PROFILE\0\x01\xFF", &vec![7; 65_000][..]].concat();
        let length = u16::try_from(profile.len() + 2).unwrap().to_be_bytes();
        let one = [&[0xFF, 0xE2][..], &length, &profile].concat();
        [&file[..2], &one.repeat(68), &file[2..]].concat()
    };
    let cut = |file: Vec<u8>| file[..file.len() - 2].to_vec();
    let largest_progressive = || with_profiles(jpeg_of_size(progressive(), 2_399, 1_930));
    let four_inks = || jpeg(1_200, 800, false, Cmyk, 4);
    vec![
        (
            "plain, large by its head",
            jpeg_of_size(plain(), 65_535, 65_535),
        ),
        (
            "plain, as large as is decoded",
            jpeg_of_size(jpeg(1_200, 800, false, Rgb, 3), 10_000, 10_000),
        ),
        (
            "four inks, as large as is decoded",
            jpeg_of_size(four_inks(), 10_000, 10_000),
        ),
        (
            "four inks, as large as is decoded, with profiles, cut",
            cut(with_profiles(jpeg_of_size(four_inks(), 10_000, 10_000))),
        ),
        (
            "four inks, a scan each, as large as is decoded, with profiles",
            with_profiles(jpeg_of_size(separate(1_200, 800), 10_000, 10_000)),
        ),
        (
            "four inks, as large as is not only the means, with profiles, cut",
            cut(with_profiles(jpeg_of_size(four_inks(), 2_399, 2_399))),
        ),
        (
            "progressive, large by its head",
            jpeg_of_size(progressive(), 65_535, 65_535),
        ),
        (
            "progressive, as large as is decoded",
            jpeg_of_size(progressive(), 2_000, 2_000),
        ),
        (
            "progressive, as large as is wholly decoded, with profiles",
            largest_progressive(),
        ),
        (
            "progressive, as large as is wholly decoded, with profiles, cut",
            cut(largest_progressive()),
        ),
        (
            "progressive, large, four inks, with profiles",
            with_profiles(jpeg_of_size(
                jpeg(1_200, 800, true, Cmyk, 4),
                10_000,
                10_000,
            )),
        ),
        (
            "many profiles",
            many(
                0xE2,
                &[b"ICC_PROFILE\0\x01\xFF", &[7; 65_000][..]].concat(),
                70,
            ),
        ),
        ("many comments", many(0xFE, &[7; 65_000], 70)),
        (
            "many tables",
            many(0xDB, &[&[0][..], &[1; 64]].concat(), 60_000),
        ),
        ("ordinary", plain()),
    ]
}

//! WebP photos that would take a lot of memory.

use super::bits::Bits;
use super::noise;

/// The width and height of the largest photo that is decoded.
const LARGEST: (u16, u16) = (3_600, 2_800);

/// The lossless data of 80 by 80 pixels with this many groups of five trees.
fn many_groups(groups: u64, has_head: bool) -> Vec<u8> {
    let mut bits = Bits::default();
    if has_head {
        bits.put(0x2F, 8);
        bits.put(79, 14);
        bits.put(79, 14);
        bits.put(0, 4);
    }
    // No transform, no colour cache; the groups have blocks of 128 pixels, of which there is one.
    bits.put(0, 2);
    bits.put(1, 1);
    bits.put(5, 3);
    bits.put(0, 1);
    let last = groups - 1;
    bits.single(last & 0xFF);
    bits.single(last >> 8);
    bits.single(0);
    bits.single(0);
    bits.put(0b0001, 4);
    for _ in 0..groups * 5 {
        bits.deep_tree();
    }
    for _ in 0..80 * 80 * 4 {
        bits.put(0, 1);
    }
    bits.finish()
}

/// A WebP of these chunks.
fn riff(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (kind, data) in chunks {
        body.extend(*kind);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data);
        body.extend(vec![0; data.len() % 2]);
    }
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [&b"RIFF"[..], &length, &body].concat()
}

fn extended(flags: u8, width: u32, height: u32) -> (&'static [u8; 4], Vec<u8>) {
    let side = |side: u32| (side - 1).to_le_bytes();
    let (width, height) = (side(width), side(height));
    (
        b"VP8X",
        [&[flags, 0, 0, 0], &width[..3], &height[..3]].concat(),
    )
}

/// A real lossy photo, as its only chunk.
fn lossy(width: u32, height: u32) -> Vec<u8> {
    let pixels = noise(width as usize * height as usize * 3);
    let file = webp::Encoder::from_rgb(&pixels, width, height).encode(70.0);
    file[20..].to_vec()
}

/// A photo whose header claims this size.
fn lossy_of_size(width: u16, height: u16) -> Vec<u8> {
    with_size(lossy(96, 96), width, height)
}

fn with_size(mut frame: Vec<u8>, width: u16, height: u16) -> Vec<u8> {
    frame[6..8].copy_from_slice(&width.to_le_bytes());
    frame[8..10].copy_from_slice(&height.to_le_bytes());
    frame
}

/// A frame of this size, with as many bytes behind it as a file can have.
fn long_frame(width: u16, height: u16) -> Vec<u8> {
    let mut frame = lossy_of_size(width, height);
    frame.resize(5_200_000, 0x55);
    frame
}

/// A whole photo of this size. Its JPEG has so many bytes that it is given up.
fn whole(width: u16, height: u16) -> Vec<u8> {
    let (width, height) = (u32::from(width), u32::from(height));
    let pixels = noise((width * height * 3) as usize);
    let mut config = webp::WebPConfig::new().unwrap();
    config.method = 0;
    config.quality = 20.0;
    let encoder = webp::Encoder::from_rgb(&pixels, width, height);
    encoder.encode_advanced(&config).unwrap()[20..].to_vec()
}

/// A whole photo of this size, about as busy as photos are.
fn large_photo(width: u32, height: u32) -> Vec<u8> {
    let grain = noise((width * height) as usize);
    let pixels = grain.iter().enumerate().flat_map(|(place, grain)| {
        let slope = (place % width as usize / 16) & 0x7F;
        let light = u8::try_from(slope).unwrap() + grain / 4;
        [light, light / 2 + 40, 255 - light]
    });
    let pixels: Vec<u8> = pixels.collect();
    let mut config = webp::WebPConfig::new().unwrap();
    config.method = 0;
    let encoder = webp::Encoder::from_rgb(&pixels, width, height);
    encoder.encode_advanced(&config).unwrap().to_vec()
}

/// A photo whose pixels have an uncompressed opacity.
fn transparent(width: u16, height: u16, frame: Vec<u8>) -> Vec<u8> {
    let pixels = usize::from(width) * usize::from(height);
    let alpha = [&[0b1100][..], &vec![9; pixels]].concat();
    riff(&[
        extended(16, width.into(), height.into()),
        (b"ALPH", alpha),
        (b"VP8 ", frame),
    ])
}

/// The data of an animation frame with this chunk.
fn framed(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    [&[0; 16][..], &kind, &length, data, &vec![0; data.len() % 2]].concat()
}

/// A file that ends before its picture. Its header is so long that a reader which does not count it reads past the end.
fn behind(picture: &[u8]) -> Vec<u8> {
    let (kind, mut head) = extended(0, 80, 80);
    head.resize(2 * picture.len(), 0);
    let file = riff(&[(kind, head)]);
    let length = u32::try_from(picture.len()).unwrap().to_le_bytes();
    [&file[..], b"VP8L", &length, picture].concat()
}

/// A frame in eight parts, the first of which claims the largest length that three bytes can express.
fn long_parts() -> Vec<u8> {
    let pixels = noise(96 * 96 * 3);
    let mut config = webp::WebPConfig::new().unwrap();
    config.method = 0;
    config.partitions = 3;
    let encoder = webp::Encoder::from_rgb(&pixels, 96, 96);
    let file = encoder.encode_advanced(&config).unwrap();
    let mut frame = with_size(file[20..].to_vec(), LARGEST.0, LARGEST.1);
    let tag = u32::from_le_bytes([frame[0], frame[1], frame[2], 0]);
    let lengths = 10 + (tag >> 5) as usize;
    frame[lengths..lengths + 3].fill(u8::MAX);
    frame
}

pub fn webps() -> Vec<(&'static str, Vec<u8>)> {
    let bomb = many_groups(12_000, true);
    let alpha = [&[1][..], &many_groups(12_000, false)].concat();
    let animation = (0..50_000).map(|_| (b"ANMF", vec![0; 24]));
    let animated = [extended(2, 80, 80), (b"ANIM", vec![0; 6])].into_iter();
    vec![
        ("groups", riff(&[(b"VP8L", bomb.clone())])),
        (
            "groups, as many as there can be",
            riff(&[(b"VP8L", many_groups(65_000, true))]),
        ),
        (
            "groups of the alpha",
            riff(&[
                extended(16, 80, 80),
                (b"ALPH", alpha.clone()),
                (b"VP8 ", lossy(80, 80)),
            ]),
        ),
        (
            "groups after a lossy frame",
            riff(&[
                extended(0, 80, 80),
                (b"VP8 ", lossy(80, 80)),
                (b"VP8L", bomb.clone()),
            ]),
        ),
        (
            "groups in a frame of no animation",
            riff(&[
                extended(0, 80, 80),
                (b"VP8 ", lossy(80, 80)),
                (b"ANMF", framed(*b"VP8L", &bomb)),
            ]),
        ),
        (
            "groups of the alpha in a frame of no animation",
            riff(&[
                extended(16, 80, 80),
                (b"VP8 ", lossy(80, 80)),
                (b"ANMF", framed(*b"ALPH", &alpha)),
            ]),
        ),
        ("groups behind the file", behind(&bomb)),
        ("large", riff(&[(b"VP8 ", lossy_of_size(16_383, 16_383))])),
        (
            "as large as is decoded",
            riff(&[(b"VP8 ", lossy_of_size(LARGEST.0, LARGEST.1))]),
        ),
        (
            "as large as is decoded, of noise",
            riff(&[(b"VP8 ", whole(LARGEST.0, LARGEST.1))]),
        ),
        (
            "as large as is decoded, of many bytes",
            riff(&[(b"VP8 ", long_frame(3_200, 2_480))]),
        ),
        (
            "opacities, as many as there can be",
            transparent(2_400, 2_000, lossy_of_size(2_400, 2_000)),
        ),
        (
            "opacities of noise",
            transparent(1_600, 1_200, whole(1_600, 1_200)),
        ),
        ("wide", riff(&[(b"VP8 ", lossy_of_size(16_383, 608))])),
        ("long parts", riff(&[(b"VP8 ", long_parts())])),
        (
            "many chunks",
            riff(&(0..400_000).fold(vec![extended(0, 80, 80)], |mut all, _| {
                all.push((b"none", Vec::new()));
                all
            })),
        ),
        (
            "many frames",
            riff(&animated.chain(animation).collect::<Vec<_>>()),
        ),
        ("ordinary", riff(&[(b"VP8 ", lossy(1_200, 800))])),
        ("ordinary", large_photo(3_264, 2_448)),
    ]
}

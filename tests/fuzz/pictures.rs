//! Small photos of all kinds that decoders support, so that mutations mostly hit their headers.

use jpeg_encoder::{ColorType, Encoder};

const SIDE_PX: u16 = 88;
/// An Exif segment with only the orientation, upside down.
const EXIF: &[u8] =
    b"\xFF\xE1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0";

fn pixels(parts: usize) -> Vec<u8> {
    let side = usize::from(SIDE_PX);
    let parts_of = |at: usize| (0..parts).map(move |part| (at * (part + 3) / 7).to_le_bytes()[0]);
    (0..side * side).flat_map(parts_of).collect()
}

fn jpeg(kind: ColorType, parts: usize, is_progressive: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 40);
    encoder.set_progressive(is_progressive);
    encoder
        .encode(&pixels(parts), SIDE_PX, SIDE_PX, kind)
        .expect("a JPEG can be written");
    bytes
}

/// Sequential, progressive, grey, CMYK, and one with Exif data.
pub fn jpegs() -> Vec<Vec<u8>> {
    let plain = jpeg(ColorType::Rgb, 3, false);
    let turned = [&plain[..2], EXIF, &plain[2..]].concat();
    vec![
        plain,
        turned,
        jpeg(ColorType::Rgb, 3, true),
        jpeg(ColorType::Luma, 1, false),
        jpeg(ColorType::Cmyk, 4, false),
    ]
}

fn png(kind: png::ColorType, parts: usize, depth: png::BitDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    let side = u32::from(SIDE_PX);
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    if kind == png::ColorType::Indexed {
        encoder.set_palette(vec![7; 768]);
    }
    let mut writer = encoder.write_header().expect("a PNG can be written");
    let bytes_of = if depth == png::BitDepth::Sixteen {
        2
    } else {
        1
    };
    writer
        .write_image_data(&pixels(parts * bytes_of))
        .expect("a PNG can be written");
    writer.finish().expect("a PNG can be written");
    bytes
}

/// One PNG for each pixel format.
pub fn pngs() -> Vec<Vec<u8>> {
    use png::BitDepth::{Eight, Sixteen};
    use png::ColorType;
    vec![
        png(ColorType::Rgb, 3, Eight),
        png(ColorType::Rgba, 4, Eight),
        png(ColorType::Grayscale, 1, Eight),
        png(ColorType::GrayscaleAlpha, 2, Sixteen),
        png(ColorType::Indexed, 1, Eight),
    ]
}

/// A WebP photo with transparency, without lossless compression.
fn webp_with_alpha() -> Vec<u8> {
    let side = u32::from(SIDE_PX);
    let mut config = webp::WebPConfig::new().expect("libwebp has settings");
    config.alpha_compression = 0;
    let pixels = pixels(4);
    let encoder = webp::Encoder::from_rgba(&pixels, side, side);
    let file = encoder.encode_advanced(&config);
    file.expect("a WebP can be written").to_vec()
}

/// Photos of another encoder: lossy, lossless, transparent, and animated.
pub fn webps() -> Vec<Vec<u8>> {
    vec![
        webp_with_alpha(),
        include_bytes!("../photos/lossy.webp").to_vec(),
        include_bytes!("../photos/lossless.webp").to_vec(),
        include_bytes!("../photos/alpha.webp").to_vec(),
        include_bytes!("../photos/animated.webp").to_vec(),
    ]
}

/// Files with each kind of metadata, written by other programs (tests/photos/metadata/README.md).
pub fn with_metadata() -> Vec<Vec<u8>> {
    let files: [&[u8]; 10] = [
        include_bytes!("../photos/metadata/c2pa-captured.jpg"),
        include_bytes!("../photos/metadata/c2pa-first-version.jpg"),
        include_bytes!("../photos/metadata/c2pa-generated.png"),
        include_bytes!("../photos/metadata/c2pa-generated.webp"),
        include_bytes!("../photos/metadata/exiftool-camera.jpg"),
        include_bytes!("../photos/metadata/exiftool-camera.webp"),
        include_bytes!("../photos/metadata/exiftool-iptc.jpg"),
        include_bytes!("../photos/metadata/exiftool-text.png"),
        include_bytes!("../photos/metadata/exiftool-xmp.jpg"),
        include_bytes!("../photos/metadata/piexif-parameters.jpg"),
    ];
    files.map(<[u8]>::to_vec).to_vec()
}

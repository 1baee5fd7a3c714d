//! Encodes pixels as labelled files, and shrinks pictures.

use super::label::{KEYWORD, Label};
use crate::hash::{below, hash};
use crate::world::TrapKind;

/// The formats of photos. The recogniser accepts PNG and JPEG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// The lossless format, for one photo in eight.
    Png,
    /// The lossy format, for seven photos in eight.
    Jpeg,
    /// A web format that the recogniser refuses. It has no label.
    Webp,
}

impl Format {
    /// Returns the value for a `Content-Type` header.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// Returns the file extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

const JPEG_QUALITY: u8 = 88;
const WEBP_QUALITY: f32 = 80.0;
const JPEG_APP1: u8 = 1;
const JPEG_APP11: u8 = 11;
const JPEG_APP12: u8 = 12;
/// The parameters that Stable Diffusion's web interface writes into its PNGs.
const PROMPT: &str = "two people at a gala, photograph\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 480x320";
const XMP_HEADER: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
/// The packet in which the IPTC has the digital source type.
const XMP_CLAIM: &[u8] = br#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>"#;

/// Encodes packed RGB as a file. Returns `None` if the sizes do not match or the label is too long.
pub(super) fn encode(
    rgb: &[u8],
    width_px: u16,
    height_px: u16,
    format: Format,
    label: &Label,
) -> Option<Vec<u8>> {
    encode_at(JPEG_QUALITY, rgb, width_px, height_px, format, label)
}

/// Encodes like [`encode`], with what the file of a trap has: a generator's claim, or one of several encodings of a
/// collage. A WebP has none of it.
pub(super) fn encode_trap(
    rgb: &[u8],
    (width_px, height_px): (u16, u16),
    format: Format,
    label: &Label,
    trap: Option<TrapKind>,
) -> Option<Vec<u8>> {
    let drawn = |count: usize| below(hash(&["trap file".into(), label.photo.into()]), count);
    match (trap, format) {
        (Some(TrapKind::Generated), Format::Png) => {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, width_px.into(), height_px.into());
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_compression(png::Compression::Fast);
            let texts = [
                (KEYWORD, label.to_text()),
                ("parameters", PROMPT.to_owned()),
            ];
            for (keyword, text) in texts {
                encoder.add_text_chunk(keyword.to_owned(), text).ok()?;
            }
            let mut writer = encoder.write_header().ok()?;
            writer.write_image_data(rgb).ok()?;
            writer.finish().ok()?;
            Some(file)
        }
        (Some(TrapKind::Generated), Format::Jpeg) => {
            let claim = match drawn(2) {
                0 => [XMP_HEADER, XMP_CLAIM].concat(),
                _ => exif_software("DALL-E 3"),
            };
            encode_jpeg(rgb, (width_px, height_px), label, |encoder| {
                encoder.add_app_segment(JPEG_APP1, claim).ok()
            })
        }
        (Some(TrapKind::Collage), Format::Jpeg) => match drawn(4) {
            0 => encode_jpeg(rgb, (width_px, height_px), label, |encoder| {
                encoder.set_progressive(true);
                Some(())
            }),
            1 => encode_jpeg(rgb, (width_px, height_px), label, |encoder| {
                // A segment without a picture in it looks like many scans.
                let scans = [0xFF, 0xDA].repeat(200);
                encoder.add_app_segment(JPEG_APP12, scans).ok()
            }),
            2 => {
                // The file has no mark at its end.
                let mut file = encode(rgb, width_px, height_px, format, label)?;
                file.truncate(file.len().saturating_sub(2));
                Some(file)
            }
            _ => encode(rgb, width_px, height_px, format, label),
        },
        _ => encode(rgb, width_px, height_px, format, label),
    }
}

fn encode_jpeg(
    rgb: &[u8],
    (width_px, height_px): (u16, u16),
    label: &Label,
    prepare: impl FnOnce(&mut jpeg_encoder::Encoder<&mut Vec<u8>>) -> Option<()>,
) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, JPEG_QUALITY);
    let segment = [KEYWORD.as_bytes(), &[0], label.to_text().as_bytes()].concat();
    encoder.add_app_segment(JPEG_APP11, segment).ok()?;
    prepare(&mut encoder)?;
    encoder
        .encode(rgb, width_px, height_px, jpeg_encoder::ColorType::Rgb)
        .ok()?;
    Some(file)
}

/// Returns Exif data with one tag, `Software` (0x0131), in the byte order of Motorola.
fn exif_software(software: &str) -> Vec<u8> {
    let text = [software.as_bytes(), &[0]].concat();
    let count = u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes();
    [
        b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x31\0\x02".as_slice(),
        &count,
        // The text stands behind the directory, which has no successor.
        &[0, 0, 0, 26, 0, 0, 0, 0],
        &text,
    ]
    .concat()
}

/// Encodes like [`encode`]; the quality, from 1 to 100, only matters for a JPEG.
pub(super) fn encode_at(
    quality: u8,
    rgb: &[u8],
    width_px: u16,
    height_px: u16,
    format: Format,
    label: &Label,
) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    match format {
        Format::Png => {
            let mut encoder = png::Encoder::new(&mut file, width_px.into(), height_px.into());
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_compression(png::Compression::Fast);
            encoder
                .add_text_chunk(KEYWORD.to_owned(), label.to_text())
                .ok()?;
            let mut writer = encoder.write_header().ok()?;
            writer.write_image_data(rgb).ok()?;
            writer.finish().ok()?;
        }
        Format::Jpeg => {
            let mut encoder = jpeg_encoder::Encoder::new(&mut file, quality);
            let segment = [KEYWORD.as_bytes(), &[0], label.to_text().as_bytes()].concat();
            encoder.add_app_segment(JPEG_APP11, segment).ok()?;
            encoder
                .encode(rgb, width_px, height_px, jpeg_encoder::ColorType::Rgb)
                .ok()?;
        }
        Format::Webp => {
            // The encoder trusts the size and reads as many bytes as it implies, so the length is checked first.
            if rgb.len() != usize::from(width_px) * usize::from(height_px) * 3 {
                return None;
            }
            let encoder = webp::Encoder::from_rgb(rgb, width_px.into(), height_px.into());
            file.extend_from_slice(&encoder.encode(WEBP_QUALITY));
        }
    }
    Some(file)
}

/// Shrinks a picture. Each new pixel is the mean of the old pixels that it covers.
pub(super) fn shrink(rgb: &[u8], from: (usize, usize), to: (usize, usize)) -> Vec<u8> {
    let (pixels, _) = rgb.as_chunks::<3>();
    let mut small = Vec::with_capacity(to.0 * to.1 * 3);
    for row in 0..to.1 {
        for column in 0..to.0 {
            let mut sums = [0_usize; 3];
            let mut count = 0;
            for y in row * from.1 / to.1..((row + 1) * from.1).div_ceil(to.1) {
                for x in column * from.0 / to.0..((column + 1) * from.0).div_ceil(to.0) {
                    if let Some(pixel) = pixels.get(y * from.0 + x) {
                        for (sum, part) in sums.iter_mut().zip(pixel) {
                            *sum += usize::from(*part);
                        }
                        count += 1;
                    }
                }
            }
            small.extend(sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)));
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_keeps_an_even_color() {
        let rgb = [10, 20, 30].repeat(480 * 320);
        assert_eq!(
            shrink(&rgb, (480, 320), (150, 100)),
            [10, 20, 30].repeat(150 * 100)
        );
    }

    #[test]
    fn pixels_that_do_not_fit_make_no_file() {
        let label = Label {
            world: String::new(),
            photo: 0,
            faces: Vec::new(),
        };
        assert_eq!(encode(&[0; 5], 10, 10, Format::Png, &label), None);
        assert_eq!(encode(&[0; 5], 10, 10, Format::Jpeg, &label), None);
        assert_eq!(encode(&[0; 5], 10, 10, Format::Webp, &label), None);
    }
}

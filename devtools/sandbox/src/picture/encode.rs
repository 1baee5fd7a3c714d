//! Encodes pixels as labelled files, and shrinks pictures.

use super::label::{KEYWORD, Label};

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

/// The quality of every JPEG of a world.
pub(super) const JPEG_QUALITY: u8 = 88;
const WEBP_QUALITY: f32 = 80.0;
const JPEG_APP11: u8 = 11;

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
            jpeg_encoder(&mut file, quality, label)?
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

/// Returns an encoder of a JPEG with a label, or `None` if the label is too long.
pub(super) fn jpeg_encoder<'file>(
    file: &'file mut Vec<u8>,
    quality: u8,
    label: &Label,
) -> Option<jpeg_encoder::Encoder<&'file mut Vec<u8>>> {
    let mut encoder = jpeg_encoder::Encoder::new(file, quality);
    let segment = [KEYWORD.as_bytes(), &[0], label.to_text().as_bytes()].concat();
    encoder.add_app_segment(JPEG_APP11, segment).ok()?;
    Some(encoder)
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

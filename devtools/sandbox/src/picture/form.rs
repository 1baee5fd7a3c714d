//! The form of a photo's file: its format, its encoding, and what it says about itself.

use super::claims::{Claim, jpeg_segment};
use super::encode::{Format, JPEG_QUALITY, encode, jpeg_encoder};
use super::label::{KEYWORD, Label};
use super::png_chunks::{self, SIGNATURE, chunk};
use crate::hash::{below, hash};
use crate::world::{Rules, TrapKind, World};

/// The marker of a comment in a JPEG.
const JPEG_COMMENT: u8 = 0xfe;
/// The number of marks in a comment that looks like so many scans.
const MARKS: usize = 100;
/// The seven passes of an interlaced PNG: the first column, the columns' distance, the first row, the rows' distance.
const PASSES: [[usize; 4]; 7] = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
];

/// How the pixels of a file are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// As in every honest photo of this format.
    Usual(Format),
    /// A progressive JPEG.
    Progressive,
    /// A progressive JPEG with a comment that looks like many scans.
    MarksInComment,
    /// A JPEG without the mark at its end.
    Endless,
    /// A JPEG without its last hundredth.
    Cut,
    /// A PNG in seven passes.
    InterlacedPng,
    /// A PNG with an opacity that is different everywhere.
    TransparentPng,
}

/// The encodings of collages.
const OF_COLLAGES: [Encoding; 8] = [
    Encoding::Usual(Format::Jpeg),
    Encoding::Usual(Format::Png),
    Encoding::Progressive,
    Encoding::MarksInComment,
    Encoding::Endless,
    Encoding::Cut,
    Encoding::InterlacedPng,
    Encoding::TransparentPng,
];

/// The form of a photo's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    encoding: Encoding,
    claim: Option<Claim>,
}

/// Returns the format of a photo: JPEG for seven of eight, as on the web. Collages and generated pictures have every
/// format equally often.
#[must_use]
pub fn format_of(world: &World, photo: usize, rules: Rules) -> Format {
    Form::of(world, photo, rules).format()
}

impl Form {
    pub(super) fn of(world: &World, photo: usize, rules: Rules) -> Self {
        let draw = |what: &str, count| below(hash(&[what.into(), photo.into()]), count);
        let honest = Self {
            encoding: Encoding::Usual(match draw("format", 8) {
                0 => Format::Png,
                _ => Format::Jpeg,
            }),
            claim: None,
        };
        match world.trap_in(photo, rules).map(|trap| trap.kind) {
            Some(TrapKind::Collage) => {
                let encoding = OF_COLLAGES.get(draw("encoding", OF_COLLAGES.len()));
                Self {
                    encoding: encoding.copied().unwrap_or(honest.encoding),
                    claim: None,
                }
            }
            Some(TrapKind::Generated) => Self {
                encoding: Encoding::Usual(match draw("generated format", 2) {
                    0 => Format::Png,
                    _ => Format::Jpeg,
                }),
                claim: Claim::ALL.get(draw("claim", Claim::ALL.len())).copied(),
            },
            Some(TrapKind::Wax | TrapKind::Twice { .. }) | None => honest,
        }
    }

    /// Returns the usual form in another format. What the file says about itself remains, as where sites keep it.
    pub(super) fn converted_to(self, format: Format) -> Self {
        Self {
            encoding: Encoding::Usual(format),
            ..self
        }
    }

    pub(super) fn format(self) -> Format {
        match self.encoding {
            Encoding::Usual(format) => format,
            Encoding::InterlacedPng | Encoding::TransparentPng => Format::Png,
            Encoding::Progressive
            | Encoding::MarksInComment
            | Encoding::Endless
            | Encoding::Cut => Format::Jpeg,
        }
    }

    /// Encodes packed RGB as a file. Returns `None` if the sizes do not match or the label is too long.
    pub(super) fn encode(self, rgb: &[u8], size_px: (u16, u16), label: &Label) -> Option<Vec<u8>> {
        let (width_px, height_px) = size_px;
        let usual = |format| encode(rgb, width_px, height_px, format, label);
        let file = match self.encoding {
            Encoding::Usual(format) => usual(format)?,
            Encoding::Progressive => progressive(rgb, size_px, label)?,
            Encoding::MarksInComment => with_marks(&progressive(rgb, size_px, label)?)?,
            Encoding::Endless => without_end(usual(Format::Jpeg)?, 2),
            Encoding::Cut => {
                let file = usual(Format::Jpeg)?;
                let hundredth = file.len() / 100;
                without_end(file, hundredth)
            }
            Encoding::InterlacedPng => interlaced(rgb, size_px, label)?,
            Encoding::TransparentPng => transparent(rgb, size_px, label)?,
        };
        match self.claim {
            Some(claim) => claim.added_to(&file, self.format(), size_px),
            None => Some(file),
        }
    }
}

fn progressive(rgb: &[u8], (width_px, height_px): (u16, u16), label: &Label) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder(&mut file, JPEG_QUALITY, label)?;
    encoder.set_progressive(true);
    let color = jpeg_encoder::ColorType::Rgb;
    encoder.encode(rgb, width_px, height_px, color).ok()?;
    Some(file)
}

/// Returns a JPEG with a comment behind its first mark that looks like the beginnings of many scans.
fn with_marks(file: &[u8]) -> Option<Vec<u8>> {
    let comment = jpeg_segment(JPEG_COMMENT, &[0xff, 0xda].repeat(MARKS))?;
    let (start, rest) = file.split_at_checked(2)?;
    Some([start, &comment, rest].concat())
}

fn without_end(mut file: Vec<u8>, bytes: usize) -> Vec<u8> {
    file.truncate(file.len().saturating_sub(bytes));
    file
}

/// Encodes the seven passes of an interlaced PNG, which the encoder does not write.
fn interlaced(rgb: &[u8], (width_px, height_px): (u16, u16), label: &Label) -> Option<Vec<u8>> {
    let (width, height) = (usize::from(width_px), usize::from(height_px));
    let (pixels, _) = rgb.as_chunks::<3>();
    let mut rows = Vec::new();
    for [first, step, top, down] in PASSES {
        for y in (top..height).step_by(down) {
            // Each row begins with the number of its filter: none.
            rows.push(0);
            for x in (first..width).step_by(step) {
                rows.extend(pixels.get(y * width + x)?);
            }
        }
    }
    let side = |px: u16| u32::from(px).to_be_bytes();
    let head = [&side(width_px)[..], &side(height_px), &[8, 2, 0, 0, 1]].concat();
    let text = [KEYWORD.as_bytes(), &[0], label.to_text().as_bytes()].concat();
    let chunks = [
        SIGNATURE.to_vec(),
        chunk(*b"IHDR", &head)?,
        chunk(*b"tEXt", &text)?,
        chunk(*b"IDAT", &png_chunks::stored(&rows)?)?,
        chunk(*b"IEND", &[])?,
    ];
    Some(chunks.concat())
}

/// Encodes a PNG that is transparent in such a way that it looks like the picture in front of white.
fn transparent(rgb: &[u8], (width_px, height_px): (u16, u16), label: &Label) -> Option<Vec<u8>> {
    let (pixels, _) = rgb.as_chunks::<3>();
    let mut seen_through = Vec::with_capacity(pixels.len() * 4);
    for (place, pixel) in pixels.iter().enumerate() {
        // The darkest colour needs the most opacity.
        let darkest = u8::MAX - pixel.iter().copied().min().unwrap_or(u8::MAX);
        let varied = u8::try_from(place % 251).unwrap_or(u8::MAX);
        let alpha = darkest.max(varied).max(1);
        for light in pixel {
            let dark = u16::from(u8::MAX - light) * 255 / u16::from(alpha);
            seen_through.push(u8::MAX - u8::try_from(dark).unwrap_or(u8::MAX));
        }
        seen_through.push(alpha);
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width_px.into(), height_px.into());
    encoder.set_color(png::ColorType::Rgba);
    encoder
        .add_text_chunk(KEYWORD.to_owned(), label.to_text())
        .ok()?;
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&seen_through).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::super::label::{LabelledFace, inspect};
    use super::*;

    const SIZE_PX: (u16, u16) = (101, 90);

    fn label() -> Label {
        Label {
            world: "00ff".into(),
            photo: 4,
            faces: vec![LabelledFace {
                person: 17,
                left: 0.25,
                top: 0.1875,
                width: 0.125,
                height: 0.3,
            }],
        }
    }

    /// Returns a picture that is different everywhere.
    fn rgb() -> Vec<u8> {
        let places = (0..SIZE_PX.1).flat_map(|y| (0..SIZE_PX.0).map(move |x| (x, y)));
        let pixels = places.map(|(x, y)| [x, y, x / 2 + y / 2].map(|light| light as u8 + 20));
        pixels.flatten().collect()
    }

    fn encoded(encoding: Encoding, claim: Option<Claim>) -> Vec<u8> {
        let form = Form { encoding, claim };
        form.encode(&rgb(), SIZE_PX, &label()).unwrap()
    }

    /// Decodes a PNG as it looks in front of white.
    fn looks(png: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let on_white = |pixel: &[u8]| {
            let alpha = u16::from(pixel.get(3).copied().unwrap_or(255));
            let [red, green, blue, ..] = *pixel else {
                panic!("a pixel without colours");
            };
            [red, green, blue].map(|light| {
                let dark = u16::from(255 - light) * alpha / 255;
                255 - u8::try_from(dark).unwrap()
            })
        };
        let samples = info.color_type.samples();
        bytes.chunks(samples).flat_map(on_white).collect()
    }

    #[test]
    fn whole_files_have_the_label_and_the_picture() {
        for encoding in OF_COLLAGES {
            let file = encoded(encoding, None);
            let inspected = inspect(&file);
            if matches!(encoding, Encoding::Endless | Encoding::Cut) {
                assert!(inspected.is_err(), "{encoding:?}");
                continue;
            }
            assert_eq!(inspected.unwrap().label, Some(label()), "{encoding:?}");
            let form = Form {
                encoding,
                claim: None,
            };
            if form.format() == Format::Png {
                let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > 1;
                let seen = looks(&file);
                let others = seen
                    .iter()
                    .zip(&rgb())
                    .filter(|pair| differs(*pair))
                    .count();
                assert_eq!((seen.len(), others), (rgb().len(), 0), "{encoding:?}");
            } else {
                let pixels = jpeg_decoder::Decoder::new(&*file).decode().unwrap();
                assert_eq!(pixels.len(), rgb().len(), "{encoding:?}");
            }
        }
    }

    #[test]
    fn a_claim_leaves_label_and_picture_as_they_are() {
        for claim in Claim::ALL {
            for format in [Format::Jpeg, Format::Png] {
                let plain = encoded(Encoding::Usual(format), None);
                let file = encoded(Encoding::Usual(format), Some(claim));
                assert!(file.len() > plain.len());
                assert_eq!(inspect(&file), inspect(&plain), "{claim:?} {format:?}");
            }
            let plain = encoded(Encoding::Usual(Format::Png), None);
            let file = encoded(Encoding::Usual(Format::Png), Some(claim));
            assert_eq!(looks(&file), looks(&plain), "{claim:?}");
            let webp = encoded(Encoding::Usual(Format::Webp), Some(claim));
            let features = webp::BitstreamFeatures::new(&webp).unwrap();
            assert_eq!((features.width(), features.height()), (101, 90));
            let decoded = webp::Decoder::new(&webp).decode().unwrap();
            let plain = encoded(Encoding::Usual(Format::Webp), None);
            assert_eq!(*decoded, *webp::Decoder::new(&plain).decode().unwrap());
        }
    }

    #[test]
    fn every_form_occurs_and_an_honest_photo_has_its_own() {
        let world = World::generate(5, 150, 2_000);
        let rules = Rules {
            traps: 1.0,
            ..Rules::default()
        };
        let photos = 0..world.photos.len();
        let forms: Vec<Form> = photos.map(|photo| Form::of(&world, photo, rules)).collect();
        for encoding in OF_COLLAGES {
            assert!(forms.iter().any(|form| form.encoding == encoding));
        }
        for claim in Claim::ALL {
            for format in [Format::Jpeg, Format::Png] {
                let is_so = |form: &&Form| form.claim == Some(claim) && form.format() == format;
                assert!(
                    forms.iter().any(|form| is_so(&form)),
                    "{claim:?} {format:?}"
                );
            }
        }
        let honest = (0..2_000).map(|photo| Form::of(&world, photo, Rules::default()));
        let is_usual =
            |form: Form| form.claim.is_none() && matches!(form.encoding, Encoding::Usual(_));
        assert!(honest.into_iter().all(is_usual));
    }
}

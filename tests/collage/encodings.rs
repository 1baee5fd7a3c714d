//! Collages and photos in every encoding: none lets a collage through that another one rejects.

use domain::{CollageCheck, Unjudged};
use jpeg_encoder::{ColorType, Encoder};
use sandbox::own_world;
use sandbox::picture::{CaptureSettings, Collage, Format, TestPicture};

use super::figures::setting;
use super::pictures::{PictureKind, drawn, judged, usual};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Baseline,
    /// A progressive JPEG of so many pixels that only the means of its blocks are decoded.
    Progressive,
    /// A JPEG in printers' colours.
    Inks,
    /// A segment without a picture looks like many scans.
    MarksInComment,
    /// What follows the end looks like many scans.
    MarksBehind,
    /// A JPEG of 17 megapixels or more.
    Large,
    /// A JPEG without the mark at its end.
    Endless,
    /// A JPEG without its last hundredth.
    Cut,
    InterlacedPng,
    /// A PNG with an opacity that is different everywhere.
    TransparentPng,
}

impl Encoding {
    const ALL: [Self; 10] = [
        Self::Baseline,
        Self::Progressive,
        Self::Inks,
        Self::MarksInComment,
        Self::MarksBehind,
        Self::Large,
        Self::Endless,
        Self::Cut,
        Self::InterlacedPng,
        Self::TransparentPng,
    ];

    /// How many times wider and higher the file is than the drawn picture.
    fn times(self) -> usize {
        match self {
            Self::Progressive => 6,
            Self::Large => 11,
            _ => 1,
        }
    }
}

/// The pixels of a picture.
struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Pixels {
    /// Decodes a picture, and repeats each of its pixels this many times in width and height.
    fn of(picture: &TestPicture, times: usize) -> Self {
        let mut decoder = jpeg_decoder::Decoder::new(picture.file.as_slice());
        let bytes = decoder.decode().unwrap();
        let (rgb, _) = bytes.as_chunks::<3>();
        let (width, height) = (
            usize::from(picture.size_px.0),
            usize::from(picture.size_px.1),
        );
        let places = (0..height * times).flat_map(|y| (0..width * times).map(move |x| (x, y)));
        Self {
            width: width * times,
            height: height * times,
            rgb: places
                .map(|(x, y)| rgb[y / times * width + x / times])
                .collect(),
        }
    }

    fn jpeg(&self, color: ColorType, prepare: impl Fn(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
        let px = |side: usize| u16::try_from(side).unwrap();
        let bytes: Vec<u8> = match color {
            ColorType::Cmyk => {
                let inks = |light: &[u8; 3]| [255 - light[0], 255 - light[1], 255 - light[2], 0];
                self.rgb.iter().flat_map(inks).collect()
            }
            _ => self.rgb.as_flattened().to_vec(),
        };
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 88);
        prepare(&mut encoder);
        encoder
            .encode(&bytes, px(self.width), px(self.height), color)
            .unwrap();
        file
    }

    fn transparent_png(&self) -> Vec<u8> {
        let px = |side: usize| u32::try_from(side).unwrap();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, px(self.width), px(self.height));
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().unwrap();
        // The colours behind the opacity are such that the picture looks as before in front of white.
        let behind = |light: u8, alpha: u16| {
            let light = 255 - u16::from(255 - light) * 255 / alpha;
            u8::try_from(light).unwrap()
        };
        let pixels = self.rgb.iter().enumerate().flat_map(|(place, rgb)| {
            let darkest = 255 - u16::from(*rgb.iter().min().unwrap());
            let alpha = darkest.max(1).max(u16::try_from(place % 251).unwrap());
            let [red, green, blue] = rgb.map(|light| behind(light, alpha));
            [red, green, blue, u8::try_from(alpha).unwrap()]
        });
        let pixels: Vec<u8> = pixels.collect();
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        file
    }

    /// Encodes the picture in the seven passes of an interlaced PNG, which the encoder cannot.
    fn interlaced_png(&self) -> Vec<u8> {
        const PASSES: [[usize; 4]; 7] = [
            [0, 8, 0, 8],
            [4, 8, 0, 8],
            [0, 4, 4, 8],
            [2, 4, 0, 4],
            [0, 2, 2, 4],
            [1, 2, 0, 2],
            [0, 1, 1, 2],
        ];
        let mut rows = Vec::new();
        for [first, step, top, down] in PASSES {
            for y in (top..self.height).step_by(down) {
                rows.push(0);
                let row = (first..self.width).step_by(step);
                rows.extend(row.flat_map(|x| self.rgb[y * self.width + x]));
            }
        }
        let side = |side: usize| u32::try_from(side).unwrap().to_be_bytes();
        let head = [&side(self.width)[..], &side(self.height), &[8, 2, 0, 0, 1]].concat();
        crate::png_chunks::png_of(&[
            (b"IHDR", head),
            (b"IDAT", crate::png_chunks::zlib(&rows)),
            (b"IEND", Vec::new()),
        ])
    }
}

fn encoded(picture: &TestPicture, encoding: Encoding) -> Vec<u8> {
    let pixels = Pixels::of(picture, encoding.times());
    let baseline = |pixels: &Pixels| pixels.jpeg(ColorType::Rgb, |_| {});
    let marks = [0xFF, 0xDA].repeat(100);
    match encoding {
        Encoding::Baseline | Encoding::Large => baseline(&pixels),
        Encoding::Progressive => {
            pixels.jpeg(ColorType::Rgb, |encoder| encoder.set_progressive(true))
        }
        Encoding::Inks => pixels.jpeg(ColorType::Cmyk, |_| {}),
        Encoding::MarksInComment => pixels.jpeg(ColorType::Rgb, |encoder| {
            encoder.set_progressive(true);
            encoder.add_app_segment(7, marks.clone()).unwrap();
        }),
        Encoding::MarksBehind => {
            let mut file = pixels.jpeg(ColorType::Rgb, |encoder| encoder.set_progressive(true));
            file.extend(marks);
            file
        }
        Encoding::Endless => {
            let mut file = baseline(&pixels);
            file.truncate(file.len() - 2);
            file
        }
        Encoding::Cut => {
            let mut file = baseline(&pixels);
            file.truncate(file.len() * 99 / 100);
            file
        }
        Encoding::InterlacedPng => pixels.interlaced_png(),
        Encoding::TransparentPng => pixels.transparent_png(),
    }
}

/// Checks pictures of a kind in an encoding.
fn checks(kind: PictureKind, encoding: Encoding, count: usize) -> Vec<CollageCheck> {
    let world = own_world().unwrap();
    let pictures = (0..count).map(|seed| {
        let take = CaptureSettings {
            format: Format::Jpeg,
            ..usual(seed)
        };
        let mut picture = drawn(&world, kind, take);
        picture.file = encoded(&picture, encoding);
        judged(&picture)
    });
    pictures.collect()
}

fn is_let_through(check: CollageCheck) -> bool {
    matches!(check, CollageCheck::Passed | CollageCheck::Doubtful)
}

#[test]
fn no_encoding_lets_a_collage_through() {
    for encoding in Encoding::ALL {
        let all = checks(PictureKind::Collage(Collage::Bordered), encoding, 3);
        assert!(
            !all.iter().copied().any(is_let_through),
            "{encoding:?}: {all:?}"
        );
    }
}

#[test]
fn only_what_is_cut_is_not_judged() {
    for encoding in Encoding::ALL {
        let all = checks(PictureKind::Ordinary, encoding, 2);
        let is_cut = matches!(encoding, Encoding::Endless | Encoding::Cut);
        let expect = if is_cut {
            CollageCheck::NotJudged(Unjudged::Cut)
        } else {
            CollageCheck::Passed
        };
        assert!(
            all.iter().all(|check| *check == expect),
            "{encoding:?}: {all:?}"
        );
    }
}

#[test]
#[ignore = "a table to read: several minutes"]
fn table_of_all_encodings() {
    let count = setting("COUNT", 20);
    println!("%                 collages let through  not judged  photos rejected  not judged");
    for encoding in Encoding::ALL {
        let (mut collages, mut photos) = (Vec::new(), Vec::new());
        for kind in PictureKind::all() {
            let all = checks(kind, encoding, count);
            match kind {
                PictureKind::Collage(_) => collages.extend(all),
                PictureKind::Ordinary | PictureKind::Honest(_) => photos.extend(all),
            }
        }
        let percent = |checks: &[CollageCheck], is: fn(CollageCheck) -> bool| {
            100.0 * checks.iter().filter(|check| is(**check)).count() as f64 / checks.len() as f64
        };
        let is_vetoed = |check: CollageCheck| check.veto().is_some();
        let is_unjudged = |check: CollageCheck| check.unjudged().is_some();
        println!(
            "{:<17} {:>20.1} {:>11.1} {:>16.1} {:>11.1}",
            format!("{encoding:?}"),
            percent(&collages, is_let_through),
            percent(&collages, is_unjudged),
            percent(&photos, is_vetoed),
            percent(&photos, is_unjudged)
        );
    }
}

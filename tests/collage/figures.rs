//! Statistics to read: a table of all kinds of pictures, and the milliseconds per megapixel.

use domain::CollageCheck;
use sandbox::own_world;
use sandbox::picture::{CaptureSettings, Collage, Prop};

use crate::random::XorShift64;

use super::pictures::{PictureKind, drawn, held_out, judged, thumbnail, usual, veto};

pub fn setting(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |given| given.parse().unwrap())
}

#[test]
#[ignore = "a table to read: a minute or more"]
fn table_of_all_kinds() {
    let world = own_world().unwrap();
    let (from, count) = (setting("FROM", 0), setting("COUNT", 40));
    let wanted = std::env::var("KIND").unwrap_or_default();
    println!(
        "wrong, %                     usual  held out  thumbnails  doubtful: usual  thumbnails  (seeds from {from})"
    );
    for kind in PictureKind::all() {
        let name = format!("{kind:?}");
        if !name.contains(&wanted) {
            continue;
        }
        let is_collage = matches!(kind, PictureKind::Collage(_));
        let percent = |count: usize, take: fn(usize) -> CaptureSettings| {
            let pictures = (from..from + count).map(|seed| drawn(&world, kind, take(seed)));
            let wrong = pictures.filter(|picture| veto(picture).is_some() != is_collage);
            100.0 * wrong.count() as f64 / count.max(1) as f64
        };
        let (first, second, third) = (
            percent(count, usual),
            percent(count.div_ceil(3), held_out),
            percent(count.div_ceil(2), thumbnail),
        );
        let doubtful = |count: usize, take: fn(usize) -> CaptureSettings| {
            let pictures = (from..from + count).map(|seed| drawn(&world, kind, take(seed)));
            let doubtful = pictures.filter(|picture| judged(picture) == CollageCheck::Doubtful);
            100.0 * doubtful.count() as f64 / count.max(1) as f64
        };
        let (usually, small) = (
            doubtful(count, usual),
            doubtful(count.div_ceil(2), thumbnail),
        );
        println!(
            "{name:<28} {first:>5.1} {second:>9.1} {third:>11.1} {usually:>15.1} {small:>11.1}"
        );
    }
}

/// A JPEG full of grain: about 290 kB per megapixel.
fn dense(width: u16, height: u16) -> Vec<u8> {
    let mut random = XorShift64(0x9E37_79B9_7F4A_7C15);
    let mut grain = || random.next().to_le_bytes()[0] / 5;
    let pixels = usize::from(width) * usize::from(height);
    let rgb: Vec<u8> = (0..pixels)
        .flat_map(|at| [at % usize::from(width) / 9 % 150; 3])
        .map(|part| u8::try_from(part).unwrap() + grain())
        .collect();
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 80);
    encoder
        .encode(&rgb, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    file
}

#[test]
#[ignore = "a figure to read, not a test: it needs a release build and a quiet machine"]
#[expect(
    clippy::disallowed_methods,
    reason = "measures wall time and asserts nothing"
)]
fn milliseconds_for_a_megapixel() {
    let world = own_world().unwrap();
    let take = CaptureSettings {
        drawn_px: 1_224,
        published_px: 1_224,
        ..usual(0)
    };
    let mut pictures = vec![
        drawn(&world, PictureKind::Ordinary, take),
        drawn(&world, PictureKind::Collage(Collage::SideBySide), take),
        drawn(&world, PictureKind::Honest(Prop::Pillar), take),
    ];
    let mut noisy = pictures[0].clone();
    noisy.size_px = (1_224, 817);
    noisy.file = dense(noisy.size_px.0, noisy.size_px.1);
    pictures.push(noisy);
    for picture in pictures {
        let megapixels = f64::from(picture.size_px.0) * f64::from(picture.size_px.1) / 1e6;
        let mut fastest = f64::MAX;
        for _ in 0..40 {
            let begin = std::time::Instant::now();
            let _ = veto(&picture);
            fastest = fastest.min(begin.elapsed().as_secs_f64() * 1e3);
        }
        let kilobytes = picture.file.len() / 1_000;
        println!(
            "{megapixels:.2} MP, {kilobytes} kB: {:.1} ms/MP",
            fastest / megapixels
        );
    }
}

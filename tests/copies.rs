//! Detecting copies of photos by their pixels, on drawn pictures: each is encoded and decoded like a picture from the
//! web.
//!
//! Statistics over many: `cargo test --release --test all copies -- --ignored --nocapture`.

use domain::{Fingerprint, Placements};
use pixels::SmallPicture;
use platform::fingerprint_of;
use sandbox::picture::{CaptureSettings, Format, TestSubject, copy, photo, test_picture};
use sandbox::{COPIES, Listed, Rules, World, own_world};

fn fingerprint(file: &[u8]) -> Fingerprint {
    fingerprint_of(&SmallPicture::read(file).unwrap())
}

fn is_part_of(part: &Fingerprint, whole: &Fingerprint) -> bool {
    let wholes = [(whole, ())].into_iter();
    part.first_whole(wholes, &mut Placements::default())
        .is_some()
}

/// Takes a photo of these people, at the seed's place and in its light.
fn moment(world: &World, seed: usize, people: &[usize], quality: u8) -> Fingerprint {
    let take = CaptureSettings {
        seed,
        drawn_px: 480,
        published_px: 480,
        format: Format::Jpeg,
        quality,
        is_mirrored: false,
    };
    let picture = test_picture(world, 0, TestSubject::Ordinary(people), take).unwrap();
    fingerprint(&picture.file)
}

/// Returns how many copies of this many photos are detected, and how many there are.
fn told(world: &World, photos: usize) -> (usize, usize) {
    let rules = Rules::default();
    let (mut told, mut all) = (0, 0);
    for number in 0..photos {
        let whole = fingerprint(&photo(world, number, rules, 1).unwrap().file);
        for listed in (1..=COPIES).map(|copy| Listed {
            photo: number,
            copy,
        }) {
            let part = fingerprint(&copy(world, listed, rules).unwrap().file);
            told += usize::from(is_part_of(&part, &whole));
            all += 1;
        }
    }
    (told, all)
}

/// Returns how many photos with an additional person are mistaken for copies.
fn mistaken(world: &World, moments: usize) -> usize {
    let people = world.people.len();
    let is_mistaken = |seed: &usize| {
        let shown: Vec<usize> = (0..=seed % 4)
            .map(|one| (seed * 7 + one * 13) % people)
            .collect();
        let (before, after) = (
            moment(world, *seed, &shown[..seed % 4], 88),
            moment(world, *seed, &shown, 80),
        );
        is_part_of(&after, &before)
    };
    (0..moments)
        .filter(|seed| seed % 4 > 0)
        .filter(is_mistaken)
        .count()
}

#[test]
fn copies_are_told_smaller_and_cut() {
    let (told, all) = told(&own_world().unwrap(), 40);
    assert!(told * 100 >= all * 95, "{told} of {all}");
}

#[test]
fn no_photo_that_shows_somebody_new_is_a_copy() {
    assert_eq!(mistaken(&own_world().unwrap(), 80), 0);
}

/// A drawn photo as packed RGB, with its width and height.
type Rgb = (Vec<u8>, usize, usize);

fn rgb_of(world: &World, seed: usize, people: &[usize]) -> Rgb {
    let take = CaptureSettings {
        seed,
        drawn_px: 480,
        published_px: 480,
        format: Format::Png,
        quality: 100,
        is_mirrored: false,
    };
    let picture = test_picture(world, 0, TestSubject::Ordinary(people), take).unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&picture.file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    (rgb, info.width as usize, info.height as usize)
}

fn jpeg_of((rgb, width, height): &Rgb) -> Fingerprint {
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 80);
    let [width, height] = [*width, *height].map(|side| u16::try_from(side).unwrap());
    encoder
        .encode(rgb, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    fingerprint(&file)
}

fn in_light((rgb, width, height): &Rgb, light: impl Fn(f64) -> f64) -> Rgb {
    let lit = |part: &u8| light(f64::from(*part) / 255.0).clamp(0.0, 1.0) * 255.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 255"
    )]
    let rgb = rgb.iter().map(|part| lit(part) as u8).collect();
    (rgb, *width, *height)
}

fn in_mirror((rgb, width, height): &Rgb) -> Rgb {
    let rows = rgb.chunks_exact(width * 3);
    let rows = rows.flat_map(|row| row.chunks_exact(3).rev().flatten().copied());
    (rows.collect(), *width, *height)
}

fn in_frame((rgb, width, height): &Rgb, [across, down]: [usize; 2], color: [u8; 3]) -> Rgb {
    let (wide, high) = (width + 2 * across, height + 2 * down);
    let mut framed = color.repeat(wide * high);
    for (row, line) in rgb.chunks_exact(width * 3).enumerate() {
        let start = ((row + down) * wide + across) * 3;
        framed[start..start + line.len()].copy_from_slice(line);
    }
    (framed, wide, high)
}

/// Returns the variants in which one photo is republished.
fn republished(photo: &Rgb) -> Vec<(&'static str, Rgb)> {
    vec![
        ("mirrored", in_mirror(photo)),
        ("a quarter brighter", in_light(photo, |light| light * 1.25)),
        ("a quarter darker", in_light(photo, |light| light * 0.75)),
        (
            "with more contrast",
            in_light(photo, |light| (light - 0.5) * 1.3 + 0.5),
        ),
        ("gamma", in_light(photo, |light| light.powf(0.7))),
        ("lifted", in_light(photo, |light| 0.1 + light * 0.9)),
        ("in a white frame", in_frame(photo, [20, 20], [255; 3])),
        ("in a black frame", in_frame(photo, [30, 45], [0; 3])),
        ("with bars", in_frame(photo, [0, 40], [10; 3])),
        (
            "mirrored and brighter",
            in_mirror(&in_light(photo, |light| light * 1.25)),
        ),
        (
            "framed and darker",
            in_frame(&in_light(photo, |light| light * 0.8), [25, 25], [240; 3]),
        ),
    ]
}

#[test]
fn a_photo_that_is_published_otherwise_is_a_copy() {
    let world = own_world().unwrap();
    let mut missed = Vec::new();
    let photos = 24;
    for seed in 0..photos {
        let people: Vec<usize> = (0..=seed % 3).map(|one| seed * 7 + one * 13).collect();
        let people: Vec<usize> = people.iter().map(|one| one % world.people.len()).collect();
        let photo = rgb_of(&world, seed, &people);
        let whole = jpeg_of(&photo);
        for (how, other) in republished(&photo) {
            if !is_part_of(&jpeg_of(&other), &whole) {
                missed.push((seed, how));
            }
        }
    }
    // Clipped skies and bright walls lose the distinguishing details.
    assert!(missed.len() * 50 <= photos * 11, "{missed:?}");
}

#[test]
fn no_photo_that_shows_somebody_new_is_a_copy_in_another_light() {
    let world = own_world().unwrap();
    let people = world.people.len();
    for seed in 0..40 {
        let shown: Vec<usize> = (0..=seed % 3)
            .map(|one| (seed * 7 + one * 13) % people)
            .collect();
        let without = &shown[..shown.len() - 1];
        if without.is_empty() {
            continue;
        }
        let before = jpeg_of(&rgb_of(&world, seed, without));
        for (how, other) in republished(&rgb_of(&world, seed, &shown)) {
            assert!(!is_part_of(&jpeg_of(&other), &before), "{seed} {how}");
        }
    }
}

#[test]
fn a_photo_at_another_quality_is_a_copy() {
    let world = own_world().unwrap();
    for seed in 0..20 {
        let [fine, rough] = [92, 60].map(|quality| moment(&world, seed, &[1, 2, 3], quality));
        assert!(is_part_of(&rough, &fine), "{seed}");
        assert!(is_part_of(&fine, &rough), "{seed}");
    }
}

#[test]
#[ignore = "figures to read, not a test: a minute"]
fn figures_of_many() {
    let world = own_world().unwrap();
    let (told, all) = told(&world, 200);
    println!("{told} of {all} copies told");
    println!(
        "{} of 500 photos with somebody new taken for copies",
        mistaken(&world, 667)
    );
}

// This measures time.
#[allow(clippy::disallowed_methods)]
#[test]
#[ignore = "a figure to read, not a test: it needs a release build and a quiet machine"]
fn milliseconds_of_a_fingerprint() {
    let world = own_world().unwrap();
    let files: Vec<_> = (0..40)
        .map(|number| photo(&world, number, Rules::default(), 4).unwrap())
        .collect();
    let pixels: f64 = files
        .iter()
        .map(|file| f64::from(file.width_px) * f64::from(file.height_px))
        .sum();
    let pictures: Vec<SmallPicture> = files
        .iter()
        .filter_map(|file| SmallPicture::read(&file.file).ok())
        .collect();
    let begin = std::time::Instant::now();
    let prints: Vec<Fingerprint> = pictures.iter().map(fingerprint_of).collect();
    let made = begin.elapsed();
    println!(
        "fingerprint: {:.3} ms a megapixel",
        made.as_secs_f64() * 1e9 / pixels
    );
    let begin = std::time::Instant::now();
    let pairs = prints.len() * prints.len();
    let mut placements = Placements::default();
    let found = prints.iter().filter(|one| {
        let others = prints.iter().filter(|other| !std::ptr::eq(*other, *one));
        let others = others.map(|other| (other, ()));
        one.first_whole(others, &mut placements).is_some()
    });
    let found = found.count();
    println!(
        "comparison: {:.1} microseconds a pair, {found} found",
        begin.elapsed().as_secs_f64() * 1e6 / pairs as f64
    );
}

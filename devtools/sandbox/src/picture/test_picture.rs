//! Pictures for testing the veto on collages: collages of people who never met, and genuine photos that look like
//! collages. Each is drawn, processed and encoded like a picture from the web.

use super::camera::{self, u16_of};
use super::collage::{self, Collage};
use super::encode::{Format, encode_at, shrink};
use super::group::Backdrop;
use super::keyed_rng::KeyedRng;
use super::label::{Label, LabelledFace};
use super::pixels::Pixels;
use super::props::Prop;
use crate::hash::hash;
use crate::world::World;

/// The scene in front of the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestSubject<'people> {
    /// People at one of the six places, as in all photos of a world.
    Ordinary(&'people [usize]),
    /// People in a room with something that looks like a seam.
    Honest(Prop, &'people [usize]),
    /// Groups that never met, each in a photo of its own, and the kind of collage made of them.
    Collage(Collage, &'people [&'people [usize]]),
}

/// How a test picture is taken and published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureSettings {
    /// The seed; another seed makes another picture of the same subject.
    pub seed: usize,
    /// The long side of the drawing, in pixels.
    pub drawn_px: u16,
    /// The long side of the published picture, in pixels; shrinking blurs every edge.
    pub published_px: u16,
    /// The format in which the file is encoded.
    pub format: Format,
    /// The quality of a JPEG, from 1 to 100.
    pub quality: u8,
    /// Whether the picture is mirrored.
    pub is_mirrored: bool,
}

/// A picture for testing the veto on collages.
#[derive(Clone, Debug, PartialEq)]
pub struct TestPicture {
    /// The file, labelled for the sandbox's recogniser.
    pub file: Vec<u8>,
    /// The positions of the faces in the published picture.
    pub faces: Vec<LabelledFace>,
    /// The width and height as published.
    pub size_px: (u16, u16),
}

/// Draws a test picture, always with the same bytes; `photo` is the photo's number in its label.
#[must_use]
pub fn test_picture(
    world: &World,
    photo: usize,
    subject: TestSubject<'_>,
    take: CaptureSettings,
) -> Option<TestPicture> {
    let rng = KeyedRng::new(hash(&[
        "trial".into(),
        world.name.as_str().into(),
        take.seed.into(),
    ]));
    let (mut pixels, mut faces) = match subject {
        TestSubject::Collage(kind, groups) => {
            collage::paint(world, groups, kind, take.drawn_px, rng)?
        }
        TestSubject::Ordinary(people) => photo_of(world, people, Backdrop::Place, take, rng)?,
        TestSubject::Honest(prop, people) => {
            // Most people stand close and hide the line behind them; some stand apart and show it.
            let apart = match (rng.chance("apart", 35), people.len()) {
                (true, 0..=2) => rng.span("how far", 1.2, 1.7),
                (true, _) => 1.25,
                (false, _) => rng.span("how near", 0.95, 1.1),
            };
            photo_of(world, people, Backdrop::Room(prop, apart), take, rng)?
        }
    };
    if take.is_mirrored {
        pixels.mirror();
        for face in &mut faces {
            face.left = 1.0 - face.left - face.width;
        }
    }
    let size_px = published(pixels.size_px(), take.published_px)?;
    let from = pixels.size_px();
    let rgb = if size_px == from {
        pixels.into_rgb()
    } else {
        let wide = |(width, height): (u16, u16)| (usize::from(width), usize::from(height));
        shrink(&pixels.into_rgb(), wide(from), wide(size_px))
    };
    let label = Label {
        world: world.fingerprint(),
        photo,
        faces,
    };
    let file = encode_at(
        take.quality,
        &rgb,
        size_px.0,
        size_px.1,
        take.format,
        &label,
    )?;
    Some(TestPicture {
        file,
        faces: label.faces,
        size_px,
    })
}

fn photo_of(
    world: &World,
    people: &[usize],
    setting: Backdrop,
    take: CaptureSettings,
    rng: KeyedRng,
) -> Option<(Pixels, Vec<LabelledFace>)> {
    let shape = rng.span("shape", 0.62, 0.8);
    let short = u16_of(f32::from(take.drawn_px) * shape)?;
    let size_px = if people.len() <= 3 && rng.chance("upright", 20) {
        (short, take.drawn_px)
    } else {
        (take.drawn_px, short)
    };
    camera::photo(world, people, size_px, rng, setting)
}

fn published((width, height): (u16, u16), long_px: u16) -> Option<(u16, u16)> {
    let long = width.max(height);
    if long_px >= long {
        return Some((width, height));
    }
    let shrunk = |side: u16| u32::from(side) * u32::from(long_px) / u32::from(long);
    Some((
        u16::try_from(shrunk(width)).ok()?,
        u16::try_from(shrunk(height)).ok()?,
    ))
}

//! Draws the photos of a world.

use std::borrow::Cow;

use super::camera;
use super::collage::{self, Collage};
use super::copying::copied;
use super::encode::{Format, encode, shrink};
use super::form::{Form, format_of};
use super::group::Backdrop;
use super::keyed_rng::KeyedRng;
use super::label::{Label, LabelledFace};
use super::marks::mark;
use super::pixels::Pixels;
use crate::hash::{below, hash, unit};
use crate::world::{Listed, Rules, Trap, TrapKind, World};

/// The longer side of a thumbnail, in pixels. Clients ignore smaller thumbnails.
const THUMBNAIL_LONG_SIDE_PX: usize = 300;
/// The longer side of a collage in pixels, equal to that of most photos.
const COLLAGE_LONG_SIDE_PX: u16 = 480;
/// The widths and heights of photos, in pixels; a few are upright.
const SIZES: [(u16, u16); 8] = [
    (480, 320),
    (500, 334),
    (480, 320),
    (512, 340),
    (480, 320),
    (460, 345),
    (480, 320),
    (340, 460),
];

/// The width and height of a portrait, in pixels.
const PORTRAIT_SIZE: (u16, u16) = (320, 360);

/// A photo's file and its thumbnail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPhoto {
    /// The labelled bytes, as PNG or JPEG according to [`format_of`].
    pub file: Vec<u8>,
    /// The width of the file.
    pub width_px: u16,
    /// The height of the file.
    pub height_px: u16,
    /// A small JPEG of the photo, which has the file's label.
    pub thumbnail: Vec<u8>,
    /// The width of the thumbnail.
    pub thumbnail_width_px: u16,
    /// The height of the thumbnail.
    pub thumbnail_height_px: u16,
}

/// Returns whether a photo's file is a WebP. `share` is the share of such files, from 0 to 1.
#[must_use]
pub fn is_webp(photo: usize, share: f64) -> bool {
    unit(hash(&["webp".into(), photo.into()])) < share
}

/// Draws a photo, always with the same bytes. The rules decide whether it is a trap. A JPEG has `magnification`
/// times the width and height of the painting.
#[must_use]
pub fn draw(world: &World, photo: usize, rules: Rules, magnification: u16) -> Option<DrawnPhoto> {
    let painted = paint(world, photo, rules)?;
    let size = (painted.width_px, painted.height_px);
    let large = magnified(size, painted.form.format(), magnification);
    let mut pixels = Cow::Borrowed(&*painted.rgb);
    if large != size {
        let seed = hash(&["grain".into(), photo.into()]);
        pixels = Cow::Owned(Pixels::new(size, &painted.rgb).magnified(large, seed));
    }
    let (width_px, height_px) = large;
    let file = painted.form.encode(&pixels, large, &painted.label)?;
    let (thumbnail_width_px, thumbnail_height_px) = thumbnail_size_px(size);
    Some(DrawnPhoto {
        file,
        width_px,
        height_px,
        thumbnail: thumbnail(&painted)?,
        thumbnail_width_px,
        thumbnail_height_px,
    })
}

/// Draws a photo with the photo's number in its lowest rows of pixels, where the number survives re-encoding.
#[must_use]
pub fn draw_marked(world: &World, photo: usize, rules: Rules, format: Format) -> Option<Vec<u8>> {
    let mut painted = paint(world, photo, rules)?;
    let size = (painted.width_px, painted.height_px);
    mark(&mut painted.rgb, painted.width_px.into(), photo);
    let form = painted.form.converted_to(format);
    form.encode(&painted.rgb, size, &painted.label)
}

/// Draws a copy of a photo: a smaller JPEG, possibly cropped. Its label only lists the people who are still in it.
#[must_use]
pub fn draw_copy(world: &World, listed: Listed, rules: Rules) -> Option<DrawnPhoto> {
    let painted = paint(world, listed.photo, rules)?;
    let size = (painted.width_px, painted.height_px);
    let (rgb, copied_size, label) =
        copied(&Pixels::new(size, &painted.rgb), &painted.label, listed);
    let (width_px, height_px) = copied_size;
    let (thumbnail_width_px, thumbnail_height_px) = thumbnail_size_px(size);
    Some(DrawnPhoto {
        file: (painted.form.converted_to(Format::Jpeg)).encode(&rgb, copied_size, &label)?,
        width_px,
        height_px,
        thumbnail: thumbnail(&painted)?,
        thumbnail_width_px,
        thumbnail_height_px,
    })
}

/// Returns the size of a photo's file. A PNG keeps the painting's size, since a magnified lossless photo would exceed
/// the recogniser's limit.
fn magnified(size: (u16, u16), format: Format, magnification: u16) -> (u16, u16) {
    match format {
        Format::Png | Format::Webp => size,
        Format::Jpeg => (
            size.0.saturating_mul(magnification),
            size.1.saturating_mul(magnification),
        ),
    }
}

/// A photo's file without its thumbnail, and the faces in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The bytes of the file, as in [`DrawnPhoto`].
    pub file: Vec<u8>,
    /// The positions of the faces; a trap has those of both photos.
    pub faces: Vec<LabelledFace>,
}

/// Draws a photo without its thumbnail.
#[must_use]
pub fn picture(world: &World, photo: usize, rules: Rules) -> Option<Picture> {
    let painted = paint(world, photo, rules)?;
    let size = (painted.width_px, painted.height_px);
    Some(Picture {
        file: painted.form.encode(&painted.rgb, size, &painted.label)?,
        faces: painted.label.faces,
    })
}

/// Draws a portrait of one person, as a JPEG. It has a label without faces: as a photo, it shows nobody.
#[must_use]
pub fn draw_portrait(world: &World, person: usize) -> Option<Picture> {
    let key = &world.people.get(person)?.key;
    let rng = KeyedRng::new(hash(&["portrait".into(), key.as_str().into()]));
    let (width, height) = PORTRAIT_SIZE;
    let (pixels, faces) = camera::photo(world, &[person], PORTRAIT_SIZE, rng, Backdrop::Place)?;
    let label = Label {
        world: String::new(),
        photo: 0,
        faces: Vec::new(),
    };
    let file = encode(&pixels.into_rgb(), width, height, Format::Jpeg, &label)?;
    Some(Picture { file, faces })
}

/// Draws a photo that is one pixel too small for the recogniser.
#[must_use]
pub fn draw_tiny(world: &World, photo: usize, rules: Rules) -> Option<Vec<u8>> {
    let painted = paint(world, photo, rules)?;
    let size = (painted.width_px.into(), painted.height_px.into());
    let side_px: u16 = 79;
    let pixels = shrink(&painted.rgb, size, (side_px.into(), side_px.into()));
    let form = painted.form.converted_to(Format::Jpeg);
    form.encode(&pixels, (side_px, side_px), &painted.label)
}

struct Painted {
    rgb: Vec<u8>,
    width_px: u16,
    height_px: u16,
    label: Label,
    form: Form,
}

fn paint(world: &World, photo: usize, rules: Rules) -> Option<Painted> {
    world.photos.get(photo)?;
    let rng = KeyedRng::new(hash(&[
        "picture".into(),
        world.name.as_str().into(),
        photo.into(),
    ]));
    let trap = world.trap_in(photo, rules);
    let collage = trap.filter(|trap| trap.kind == TrapKind::Collage);
    let (pixels, faces) = if let Some(Trap { other, .. }) = collage {
        paint_collage(world, photo, other, rng)?
    } else {
        let people = world.people_shown(photo, rules);
        let size_px = size_of(photo, people.len())?;
        camera::photo(world, &people, size_px, rng, Backdrop::Place)?
    };
    let (width_px, height_px) = pixels.size_px();
    Some(Painted {
        rgb: pixels.into_rgb(),
        width_px,
        height_px,
        label: Label {
            world: world.fingerprint(),
            photo,
            faces,
        },
        form: Form::of(world, photo, rules),
    })
}

/// Paints a collage of this photo's people and of those of another photo.
fn paint_collage(
    world: &World,
    photo: usize,
    other: usize,
    rng: KeyedRng,
) -> Option<(Pixels, Vec<LabelledFace>)> {
    let groups = [photo, other].map(|photo| world.people_in(photo));
    let kind = rng.pick("collage", &Collage::ALL, Collage::SideBySide);
    let kind = match groups {
        // The small picture of an inset only has space for one person.
        [_, [_, _, ..]] if kind == Collage::Inset => Collage::SideBySide,
        _ => kind,
    };
    collage::paint(world, &groups, kind, COLLAGE_LONG_SIDE_PX, rng)
}

/// Returns the width and height of a photo in pixels. Only a collage must be drawn to find them.
#[must_use]
pub fn size_px(
    world: &World,
    photo: usize,
    rules: Rules,
    magnification: u16,
) -> Option<(u16, u16)> {
    world.photos.get(photo)?;
    let trap = world.trap_in(photo, rules);
    let size = if trap.is_some_and(|trap| trap.kind == TrapKind::Collage) {
        let painted = paint(world, photo, rules)?;
        (painted.width_px, painted.height_px)
    } else {
        size_of(photo, world.people_shown(photo, rules).len())?
    };
    let format = format_of(world, photo, rules);
    Some(magnified(size, format, magnification))
}

/// Returns the width and height of the thumbnail of a photo of this size.
#[must_use]
pub fn thumbnail_size_px((width_px, height_px): (u16, u16)) -> (u16, u16) {
    let (width, height) = (usize::from(width_px), usize::from(height_px));
    let long = width.max(height).max(1);
    let shrunk = |length: usize| {
        let length = (length * THUMBNAIL_LONG_SIDE_PX).div_ceil(long);
        u16::try_from(length).unwrap_or(u16::MAX)
    };
    (shrunk(width), shrunk(height))
}

fn size_of(photo: usize, people: usize) -> Option<(u16, u16)> {
    // A group of more than three needs the width, so it is never upright.
    let sizes = if people > 3 {
        SIZES.len() - 1
    } else {
        SIZES.len()
    };
    SIZES
        .get(below(hash(&["size".into(), photo.into()]), sizes))
        .copied()
}

fn thumbnail(painted: &Painted) -> Option<Vec<u8>> {
    let size = (painted.width_px, painted.height_px);
    let (width_px, height_px) = thumbnail_size_px(size);
    let small = (width_px.into(), height_px.into());
    let pixels = shrink(&painted.rgb, (size.0.into(), size.1.into()), small);
    let form = painted.form.converted_to(Format::Jpeg);
    form.encode(&pixels, (width_px, height_px), &painted.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_known_before_the_photo_is_drawn() {
        let world = World::generate(8, 30, 24);
        let rules = Rules {
            traps: 0.3,
            ..Rules::default()
        };
        let traps = (0..24).filter(|photo| world.trap_in(*photo, rules).is_some());
        assert!((1..24).contains(&traps.count()));
        for (photo, times) in (0..24).map(|photo| (photo, 1 + u16::from(photo % 5 == 0))) {
            let drawn = draw(&world, photo, rules, times).unwrap();
            let size = (drawn.width_px, drawn.height_px);
            assert_eq!(size_px(&world, photo, rules, times), Some(size));
            let file = imagesize::blob_size(&drawn.file).unwrap();
            assert_eq!((file.width, file.height), (size.0.into(), size.1.into()));
            let small = (drawn.thumbnail_width_px, drawn.thumbnail_height_px);
            assert_eq!(thumbnail_size_px(size), small);
        }
        assert_eq!(size_px(&world, 24, rules, 1), None);
    }

    #[test]
    fn a_trap_shows_the_people_of_both_photos_and_some_of_them_twice() {
        let world = World::generate(5, 150, 400);
        let rules = Rules {
            traps: 1.0,
            ..Rules::default()
        };
        let mut count = 0;
        for photo in 0..60 {
            let Some(trap) = world.trap_in(photo, rules) else {
                assert_eq!(world.people_in(photo), [0; 0]);
                continue;
            };
            let faces = picture(&world, photo, rules).unwrap().faces;
            let mut drawn: Vec<usize> = faces.iter().map(|face| face.person).collect();
            let mut shown = world.people_shown(photo, rules);
            drawn.sort_unstable();
            shown.sort_unstable();
            assert_eq!(drawn, shown, "{trap:?}");
            let Some(person) = trap.twice() else { continue };
            let of_person = faces.iter().filter(|face| face.person == person);
            let [one, other] = of_person.collect::<Vec<_>>()[..] else {
                panic!("{person} is not there twice: {faces:?}");
            };
            assert!((one.left - other.left).abs() > 2.0 * one.width, "{faces:?}");
            count += 1;
        }
        assert!(count > 5, "{count}");
    }
}

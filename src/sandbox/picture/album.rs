//! The photos of a world, drawn when first asked for and kept for a while.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::brush::{Brush, Dice, faint, rgb};
use super::encode::{Format, encode, shrink};
use super::label::Label;
use super::layout::spots;
use super::look::Look;
use super::{portrait, scene};
use crate::sandbox::hash::{below, hash};
use crate::sandbox::world::World;

/// How many drawn photos are kept: about 60 MB.
const KEPT_MAX: usize = 600;
const THUMBNAIL_LONG_SIDE_PX: usize = 150;
/// Width and height; a few are upright.
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

/// One drawn photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The file.
    pub file: Vec<u8>,
    /// Its width in pixels.
    pub width_px: u16,
    /// Its height in pixels.
    pub height_px: u16,
    /// A small JPEG of it that carries the same label.
    pub thumbnail: Vec<u8>,
    /// The small one's width.
    pub thumbnail_width_px: u16,
    /// The small one's height.
    pub thumbnail_height_px: u16,
}

/// Draws photos and keeps the latest.
#[derive(Clone, Debug, Default)]
pub struct Album {
    drawn: BTreeMap<usize, Arc<Drawn>>,
    /// Photo numbers, the longest unused first.
    used: VecDeque<usize>,
}

impl Album {
    /// The photo's file and thumbnail; `None` for a photo that does not exist.
    pub fn photo(&mut self, world: &World, photo: usize) -> Option<Arc<Drawn>> {
        if let Some(known) = self.drawn.get(&photo).cloned() {
            self.used.retain(|other| *other != photo);
            self.used.push_back(photo);
            return Some(known);
        }
        let drawn = Arc::new(draw(world, photo)?);
        self.drawn.insert(photo, Arc::clone(&drawn));
        self.used.push_back(photo);
        while self.used.len() > KEPT_MAX {
            if let Some(oldest) = self.used.pop_front() {
                self.drawn.remove(&oldest);
            }
        }
        Some(drawn)
    }
}

/// The format of a photo: about half each.
#[must_use]
pub fn format_of(photo: usize) -> Format {
    if hash(&["format".into(), photo.into()]).is_multiple_of(2) {
        Format::Jpeg
    } else {
        Format::Png
    }
}

/// Draws a photo, the same bytes every time.
#[must_use]
pub fn draw(world: &World, photo: usize) -> Option<Drawn> {
    let painted = paint(world, photo)?;
    let size = (painted.width_px, painted.height_px);
    develop(&painted.rgb, size, photo, &painted.label)
}

/// The photo one pixel smaller than the recogniser takes.
#[must_use]
pub fn draw_tiny(world: &World, photo: usize) -> Option<Vec<u8>> {
    let painted = paint(world, photo)?;
    let size = (painted.width_px.into(), painted.height_px.into());
    let side_px: u16 = 79;
    let pixels = shrink(&painted.rgb, size, (side_px.into(), side_px.into()));
    encode(&pixels, side_px, side_px, Format::Jpeg, &painted.label)
}

struct Painted {
    rgb: Vec<u8>,
    width_px: u16,
    height_px: u16,
    label: Label,
}

fn paint(world: &World, photo: usize) -> Option<Painted> {
    let people = world.photos.get(photo)?.people.as_slice();
    let dice = Dice::new(hash(&[
        "picture".into(),
        world.name.as_str().into(),
        photo.into(),
    ]));
    let (width_px, height_px) = size_of(world, photo)?;
    let mut brush = Brush::new(width_px.into(), height_px.into())?;
    let (width, height) = (brush.width(), brush.height());
    let light = scene::paint(&mut brush, dice);
    let mut faces = Vec::with_capacity(people.len());
    for spot in spots(people.len(), width, height, dice) {
        let Some(number) = people.get(spot.position) else {
            continue;
        };
        let person = world.people.get(*number)?;
        portrait::draw(&mut brush, &Look::of(person), &spot, light);
        faces.push(spot.face(*number, width, height));
    }
    finish(&mut brush);
    let label = Label {
        world: world.fingerprint(),
        photo,
        faces,
    };
    Some(Painted {
        rgb: brush.into_rgb(),
        width_px,
        height_px,
        label,
    })
}

fn size_of(world: &World, photo: usize) -> Option<(u16, u16)> {
    // A crowd needs the width, so it gets none of the upright sizes.
    let sizes = if world.people_in(photo).len() > 3 {
        SIZES.len() - 1
    } else {
        SIZES.len()
    };
    SIZES
        .get(below(hash(&["size".into(), photo.into()]), sizes))
        .copied()
}

/// Darker corners and a little warm light from above hold the picture together.
fn finish(brush: &mut Brush) {
    let (width, height) = (brush.width(), brush.height());
    brush.glow(
        width * 0.3,
        0.0,
        width * 0.34,
        faint(rgb(0x00ff_f0cf), 0.12),
    );
    for corner in [0.0, width] {
        brush.glow(corner, height, width * 0.3, faint(rgb(0x0014_0a1c), 0.34));
        brush.glow(corner, 0.0, width * 0.22, faint(rgb(0x0014_0a1c), 0.24));
    }
}

fn develop(rgb: &[u8], size: (u16, u16), photo: usize, label: &Label) -> Option<Drawn> {
    let (width, height) = (usize::from(size.0), usize::from(size.1));
    let long = width.max(height);
    let shrunk = |length: usize| (length * THUMBNAIL_LONG_SIDE_PX).div_ceil(long);
    let small = (shrunk(width), shrunk(height));
    let (small_width_px, small_height_px) =
        (u16::try_from(small.0).ok()?, u16::try_from(small.1).ok()?);
    let pixels = shrink(rgb, (width, height), small);
    Some(Drawn {
        file: encode(rgb, size.0, size.1, format_of(photo), label)?,
        width_px: size.0,
        height_px: size.1,
        thumbnail: encode(
            &pixels,
            small_width_px,
            small_height_px,
            Format::Jpeg,
            label,
        )?,
        thumbnail_width_px: small_width_px,
        thumbnail_height_px: small_height_px,
    })
}

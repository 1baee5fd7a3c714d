//! The photos of a world, drawn when first asked for and kept for a while.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use super::brush::Dice;
use super::camera;
use super::collage::{self, Collage};
use super::encode::{Format, encode, shrink};
use super::group::Setting;
use super::label::{Face, Label};
use crate::sandbox::hash::{below, hash};
use crate::sandbox::rules::Rules;
use crate::sandbox::world::World;

/// How many drawn photos are kept: about 60 MB.
const KEPT_MAX: usize = 600;
const THUMBNAIL_LONG_SIDE_PX: usize = 150;
/// Of a collage: as long as most photos.
const TRAP_LONG_SIDE_PX: u16 = 480;
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
    /// What [`draw_tiny`] gives.
    tiny: OnceLock<Option<Vec<u8>>>,
}

/// The photos that were drawn last, for all worlds and sandboxes of a process: drawing is most of a
/// sandbox's work, and a photo is the same every time.
#[derive(Debug, Default)]
struct Album {
    drawn: BTreeMap<Key, Arc<Drawn>>,
    /// The longest unused first.
    used: VecDeque<Key>,
}

static ALBUM: LazyLock<Mutex<Album>> = LazyLock::new(Mutex::default);

/// All that a photo's bytes depend on: the world and the photo's number, who is shown there, and
/// with which photo it is put together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    world: String,
    photo: usize,
    shown: Vec<String>,
    trap: Option<usize>,
}

impl Key {
    fn of(world: &World, photo: usize, rules: Rules) -> Self {
        let shown = world.people_shown(photo, rules).into_iter();
        let keys = shown.filter_map(|person| Some(world.people.get(person)?.key.clone()));
        Self {
            world: format!("{} {}", world.name, world.fingerprint()),
            photo,
            shown: keys.collect(),
            trap: world.trap_in(photo, rules),
        }
    }
}

impl Album {
    fn take(&mut self, key: &Key) -> Option<Arc<Drawn>> {
        let known = self.drawn.get(key).cloned()?;
        self.used.retain(|other| other != key);
        self.used.push_back(key.clone());
        Some(known)
    }

    fn keep(&mut self, key: Key, drawn: Arc<Drawn>) {
        if self.drawn.insert(key.clone(), drawn).is_none() {
            self.used.push_back(key);
        }
        while self.used.len() > KEPT_MAX {
            if let Some(oldest) = self.used.pop_front() {
                self.drawn.remove(&oldest);
            }
        }
    }
}

/// The photo's file and thumbnail, drawn now or before; `None` for a photo that does not exist.
#[must_use]
pub fn photo(world: &World, photo: usize, rules: Rules) -> Option<Arc<Drawn>> {
    let key = Key::of(world, photo, rules);
    // A thread that panicked left nothing half done here.
    let album = || ALBUM.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = album().take(&key) {
        return Some(known);
    }
    // Drawn without the lock: two who want the same photo draw it twice, and nobody waits.
    let drawn = Arc::new(draw(world, photo, rules)?);
    album().keep(key, Arc::clone(&drawn));
    Some(drawn)
}

/// The format of a photo: JPEG for seven of eight, as on the web.
#[must_use]
pub fn format_of(photo: usize) -> Format {
    if hash(&["format".into(), photo.into()]).is_multiple_of(8) {
        Format::Png
    } else {
        Format::Jpeg
    }
}

/// Draws a photo, the same bytes every time; a collage where the rules make it one.
#[must_use]
pub fn draw(world: &World, photo: usize, rules: Rules) -> Option<Drawn> {
    let painted = paint(world, photo, rules)?;
    let size = (painted.width_px, painted.height_px);
    develop(&painted.rgb, size, photo, &painted.label)
}

/// A photo's file without its thumbnail, and the faces in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The same bytes as in [`Drawn`].
    pub file: Vec<u8>,
    /// Everybody in it.
    pub faces: Vec<Face>,
}

/// Draws a photo without its thumbnail.
#[must_use]
pub fn picture(world: &World, photo: usize, rules: Rules) -> Option<Picture> {
    let painted = paint(world, photo, rules)?;
    let (width_px, height_px) = (painted.width_px, painted.height_px);
    let format = format_of(photo);
    Some(Picture {
        file: encode(&painted.rgb, width_px, height_px, format, &painted.label)?,
        faces: painted.label.faces,
    })
}

/// The photo one pixel smaller than the recogniser takes, drawn now or before.
#[must_use]
pub fn draw_tiny(world: &World, number: usize, rules: Rules) -> Option<Vec<u8>> {
    let drawn = photo(world, number, rules)?;
    let tiny = drawn
        .tiny
        .get_or_init(|| develop_tiny(world, number, rules));
    tiny.clone()
}

fn develop_tiny(world: &World, photo: usize, rules: Rules) -> Option<Vec<u8>> {
    let painted = paint(world, photo, rules)?;
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

fn paint(world: &World, photo: usize, rules: Rules) -> Option<Painted> {
    let people = world.photos.get(photo)?.people.as_slice();
    let dice = Dice::new(hash(&[
        "picture".into(),
        world.name.as_str().into(),
        photo.into(),
    ]));
    if let Some(other) = world.trap_in(photo, rules) {
        return paint_trap(world, photo, other, dice);
    }
    let (width_px, height_px) = size_of(world, photo)?;
    let size_px = (width_px, height_px);
    let (pixels, faces) = camera::photo(world, people, size_px, dice, Setting::Place)?;
    let label = Label {
        world: world.fingerprint(),
        photo,
        faces,
    };
    Some(Painted {
        rgb: pixels.into_rgb(),
        width_px,
        height_px,
        label,
    })
}

/// A collage of two photos' people.
fn paint_trap(world: &World, photo: usize, other: usize, dice: Dice) -> Option<Painted> {
    let groups = [photo, other].map(|photo| world.people_in(photo));
    let kind = dice.pick("collage", &Collage::ALL, Collage::SideBySide);
    let kind = match groups {
        // A small picture in a corner has room for one.
        [_, [_, _, ..]] if kind == Collage::Inset => Collage::SideBySide,
        _ => kind,
    };
    let (pixels, faces) = collage::paint(world, &groups, kind, TRAP_LONG_SIDE_PX, dice)?;
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
        tiny: OnceLock::new(),
    })
}

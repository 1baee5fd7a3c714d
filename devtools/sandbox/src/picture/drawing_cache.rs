//! A cache of drawn photos.

use std::sync::Arc;

use crate::world::{Listed, Rules, Trap, World};

use super::drawing::{DrawnPhoto, Picture, draw, draw_copy, draw_marked, draw_portrait, draw_tiny};
use super::encode::Format;
use super::recently_used::RecentlyUsed;

/// The most recently used photos, at most 400 MB, shared by all sandboxes of a process. Drawing is most of a sandbox's
/// work and a photo never changes, so a cache saves most of the time.
static PHOTOS: RecentlyUsed<DrawingKey, DrawnPhoto> = RecentlyUsed::new(400_000_000);
/// The most recently used special forms of photos' files, at most 100 MB.
static FILES: RecentlyUsed<(DrawingKey, FileForm), Vec<u8>> = RecentlyUsed::new(100_000_000);

/// The most recently used portraits, at most 20 MB, by world and person.
static PORTRAITS: RecentlyUsed<(String, String), Picture> = RecentlyUsed::new(20_000_000);

/// The key of a drawing. It has everything that the bytes depend on: the world, the photo's number, the people in it,
/// and how it is combined with another photo.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DrawingKey {
    world: String,
    photo: usize,
    copy: usize,
    shown: Vec<String>,
    trap: Option<Trap>,
    magnification: u16,
}

/// A special form of a photo's file: too small, or marked with the photo's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileForm {
    Tiny,
    Marked(Format),
}

impl DrawingKey {
    fn of(world: &World, listed: Listed, rules: Rules, magnification: u16) -> Self {
        let Listed { photo, copy } = listed;
        let shown = world.people_shown(photo, rules).into_iter();
        let keys = shown.filter_map(|person| Some(world.people.get(person)?.key.clone()));
        Self {
            world: format!("{} {}", world.name, world.fingerprint()),
            photo,
            copy,
            shown: keys.collect(),
            trap: world.trap_in(photo, rules),
            magnification,
        }
    }
}

/// Returns the photo's file and thumbnail, drawn if not cached. Returns `None` if the photo does not exist.
#[must_use]
pub fn photo(
    world: &World,
    photo: usize,
    rules: Rules,
    magnification: u16,
) -> Option<Arc<DrawnPhoto>> {
    let listed = Listed { photo, copy: 0 };
    let key = DrawingKey::of(world, listed, rules, magnification);
    PHOTOS.get(key, || draw(world, photo, rules, magnification).map(sized))
}

/// Returns the file and the thumbnail of a copy of a photo, drawn if not cached.
#[must_use]
pub fn copy(world: &World, listed: Listed, rules: Rules) -> Option<Arc<DrawnPhoto>> {
    let key = DrawingKey::of(world, listed, rules, 1);
    PHOTOS.get(key, || draw_copy(world, listed, rules).map(sized))
}

/// Returns the photo that is one pixel too small for the recogniser, drawn if not cached.
#[must_use]
pub fn tiny_photo(world: &World, photo: usize, rules: Rules) -> Option<Arc<Vec<u8>>> {
    let draw = || draw_tiny(world, photo, rules);
    file(world, photo, rules, FileForm::Tiny, draw)
}

/// Returns the photo with the photo's number in its lowest rows of pixels. Draws it if it is not cached.
#[must_use]
pub fn marked_photo(
    world: &World,
    photo: usize,
    rules: Rules,
    format: Format,
) -> Option<Arc<Vec<u8>>> {
    let draw = || draw_marked(world, photo, rules, format);
    file(world, photo, rules, FileForm::Marked(format), draw)
}

/// Returns the portrait of one person, drawn if not cached.
#[must_use]
pub fn portrait(world: &World, person: usize) -> Option<Arc<Picture>> {
    let key = world.people.get(person)?.key.clone();
    let world_key = format!("{} {}", world.name, world.fingerprint());
    PORTRAITS.get((world_key, key), || {
        let portrait = draw_portrait(world, person)?;
        let bytes = portrait.file.len();
        Some((portrait, bytes))
    })
}

fn file(
    world: &World,
    photo: usize,
    rules: Rules,
    form: FileForm,
    draw: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<Arc<Vec<u8>>> {
    let key = DrawingKey::of(world, Listed { photo, copy: 0 }, rules, 1);
    FILES.get((key, form), || {
        let file = draw()?;
        let bytes = file.len();
        Some((file, bytes))
    })
}

fn sized(photo: DrawnPhoto) -> (DrawnPhoto, usize) {
    let bytes = photo.file.len() + photo.thumbnail.len();
    (photo, bytes)
}

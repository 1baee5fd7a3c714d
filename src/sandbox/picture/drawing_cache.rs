//! The photos that were drawn last.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use crate::world::{Listed, Rules, World};

use super::drawing::{DrawnPhoto, draw, draw_copy, draw_tiny};

/// The number of bytes of drawn photos that are kept.
const KEPT_BYTES_MAX: usize = 400_000_000;

/// The photos that were drawn last, shared by all worlds and sandboxes of a process. Drawing is
/// most of a sandbox's work, and a photo is the same every time.
#[derive(Debug, Default)]
struct DrawingCache {
    drawn: BTreeMap<DrawingKey, Arc<Drawing>>,
    /// The keys of the photos, those that were unused for longest first.
    used: VecDeque<DrawingKey>,
    bytes: usize,
}

/// A photo, and its smallest copy once that is asked for.
#[derive(Debug)]
struct Drawing {
    photo: Arc<DrawnPhoto>,
    tiny: OnceLock<Option<Vec<u8>>>,
}

impl Drawing {
    fn bytes(&self) -> usize {
        self.photo.file.len() + self.photo.thumbnail.len()
    }
}

static DRAWINGS: LazyLock<Mutex<DrawingCache>> = LazyLock::new(Mutex::default);

/// The key of a drawing, with all that a photo's bytes depend on: the world and the photo's number,
/// the people shown there, and the photo that it is put together with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DrawingKey {
    world: String,
    photo: usize,
    copy: usize,
    shown: Vec<String>,
    trap: Option<usize>,
    magnification: u16,
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

impl DrawingCache {
    fn take(&mut self, key: &DrawingKey) -> Option<Arc<Drawing>> {
        let known = self.drawn.get(key).cloned()?;
        self.used.retain(|other| other != key);
        self.used.push_back(key.clone());
        Some(known)
    }

    fn keep(&mut self, key: DrawingKey, drawn: Arc<Drawing>) {
        let bytes = drawn.bytes();
        match self.drawn.insert(key.clone(), drawn) {
            None => self.used.push_back(key),
            Some(before) => self.bytes = self.bytes.saturating_sub(before.bytes()),
        }
        self.bytes = self.bytes.saturating_add(bytes);
        while self.bytes > KEPT_BYTES_MAX
            && let Some(oldest) = self.used.pop_front()
        {
            let before = self.drawn.remove(&oldest);
            let freed = before.map_or(0, |drawn| drawn.bytes());
            self.bytes = self.bytes.saturating_sub(freed);
        }
    }
}

/// Returns the photo's file and thumbnail, drawn now or before. Returns `None` for a photo that
/// does not exist.
#[must_use]
pub fn photo(
    world: &World,
    photo: usize,
    rules: Rules,
    magnification: u16,
) -> Option<Arc<DrawnPhoto>> {
    let drawing = drawing(world, Listed { photo, copy: 0 }, rules, magnification)?;
    Some(Arc::clone(&drawing.photo))
}

/// Returns the file and the thumbnail of a copy of a photo, drawn now or before.
#[must_use]
pub fn copy(world: &World, listed: Listed, rules: Rules) -> Option<Arc<DrawnPhoto>> {
    let drawing = drawing(world, listed, rules, 1)?;
    Some(Arc::clone(&drawing.photo))
}

/// Returns the photo whose sides are one pixel shorter than the recogniser takes, drawn now or
/// before.
#[must_use]
pub fn tiny_photo(world: &World, photo: usize, rules: Rules) -> Option<Vec<u8>> {
    let drawing = drawing(world, Listed { photo, copy: 0 }, rules, 1)?;
    let tiny = drawing.tiny.get_or_init(|| draw_tiny(world, photo, rules));
    tiny.clone()
}

fn drawing(
    world: &World,
    listed: Listed,
    rules: Rules,
    magnification: u16,
) -> Option<Arc<Drawing>> {
    let key = DrawingKey::of(world, listed, rules, magnification);
    // A thread that panicked left nothing half done here.
    let drawings = || DRAWINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = drawings().take(&key) {
        return Some(known);
    }
    // The photo is drawn without the lock: two callers who want the same photo draw it twice, and
    // nobody waits.
    let drawing = Arc::new(Drawing {
        photo: Arc::new(match listed.copy {
            0 => draw(world, listed.photo, rules, magnification)?,
            _ => draw_copy(world, listed, rules)?,
        }),
        tiny: OnceLock::new(),
    });
    drawings().keep(key, Arc::clone(&drawing));
    Some(drawing)
}

//! The photos that were drawn last.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use crate::world::{Rules, World};

use super::drawing::{DrawnPhoto, draw, draw_tiny};

/// The bytes of drawn photos that are kept.
const KEPT_BYTES_MAX: usize = 400_000_000;

/// The photos that were drawn last, for all worlds and sandboxes of a process: drawing is most of a
/// sandbox's work, and a photo is the same every time.
#[derive(Debug, Default)]
struct DrawingCache {
    drawn: BTreeMap<DrawingKey, Arc<Drawing>>,
    /// The longest unused first.
    used: VecDeque<DrawingKey>,
    bytes: usize,
}

/// A photo, and its smallest copy where somebody wants one.
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

/// All that a photo's bytes depend on: the world and the photo's number, who is shown there, and
/// with which photo it is put together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DrawingKey {
    world: String,
    photo: usize,
    shown: Vec<String>,
    trap: Option<usize>,
    magnification: u16,
}

impl DrawingKey {
    fn of(world: &World, photo: usize, rules: Rules, magnification: u16) -> Self {
        let shown = world.people_shown(photo, rules).into_iter();
        let keys = shown.filter_map(|person| Some(world.people.get(person)?.key.clone()));
        Self {
            world: format!("{} {}", world.name, world.fingerprint()),
            photo,
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

/// The photo's file and thumbnail, drawn now or before; `None` for a photo that does not exist.
#[must_use]
pub fn photo(
    world: &World,
    photo: usize,
    rules: Rules,
    magnification: u16,
) -> Option<Arc<DrawnPhoto>> {
    let drawing = drawing(world, photo, rules, magnification)?;
    Some(Arc::clone(&drawing.photo))
}

/// The photo one pixel smaller than the recogniser takes, drawn now or before.
#[must_use]
pub fn tiny_photo(world: &World, photo: usize, rules: Rules) -> Option<Vec<u8>> {
    let drawing = drawing(world, photo, rules, 1)?;
    let tiny = drawing.tiny.get_or_init(|| draw_tiny(world, photo, rules));
    tiny.clone()
}

fn drawing(world: &World, photo: usize, rules: Rules, magnification: u16) -> Option<Arc<Drawing>> {
    let key = DrawingKey::of(world, photo, rules, magnification);
    // A thread that panicked left nothing half done here.
    let drawings = || DRAWINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = drawings().take(&key) {
        return Some(known);
    }
    // Drawn without the lock: two who want the same photo draw it twice, and nobody waits.
    let drawing = Arc::new(Drawing {
        photo: Arc::new(draw(world, photo, rules, magnification)?),
        tiny: OnceLock::new(),
    });
    drawings().keep(key, Arc::clone(&drawing));
    Some(drawing)
}

//! The photos that were drawn last.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use crate::sandbox::world::{Rules, World};

use super::drawing::{DrawnPhoto, draw, draw_tiny};

/// How many drawn photos are kept: about 60 MB.
const KEPT_MAX: usize = 600;

/// The photos that were drawn last, for all worlds and sandboxes of a process: drawing is most of a
/// sandbox's work, and a photo is the same every time.
#[derive(Debug, Default)]
struct DrawingCache {
    drawn: BTreeMap<DrawingKey, Arc<Drawing>>,
    /// The longest unused first.
    used: VecDeque<DrawingKey>,
}

/// A photo, and its smallest copy where somebody wants one.
#[derive(Debug)]
struct Drawing {
    photo: Arc<DrawnPhoto>,
    tiny: OnceLock<Option<Vec<u8>>>,
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
}

impl DrawingKey {
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

impl DrawingCache {
    fn take(&mut self, key: &DrawingKey) -> Option<Arc<Drawing>> {
        let known = self.drawn.get(key).cloned()?;
        self.used.retain(|other| other != key);
        self.used.push_back(key.clone());
        Some(known)
    }

    fn keep(&mut self, key: DrawingKey, drawn: Arc<Drawing>) {
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
pub fn photo(world: &World, photo: usize, rules: Rules) -> Option<Arc<DrawnPhoto>> {
    Some(Arc::clone(&drawing(world, photo, rules)?.photo))
}

/// The photo one pixel smaller than the recogniser takes, drawn now or before.
#[must_use]
pub fn tiny_photo(world: &World, photo: usize, rules: Rules) -> Option<Vec<u8>> {
    let drawing = drawing(world, photo, rules)?;
    let tiny = drawing.tiny.get_or_init(|| draw_tiny(world, photo, rules));
    tiny.clone()
}

fn drawing(world: &World, photo: usize, rules: Rules) -> Option<Arc<Drawing>> {
    let key = DrawingKey::of(world, photo, rules);
    // A thread that panicked left nothing half done here.
    let drawings = || DRAWINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = drawings().take(&key) {
        return Some(known);
    }
    // Drawn without the lock: two who want the same photo draw it twice, and nobody waits.
    let drawing = Arc::new(Drawing {
        photo: Arc::new(draw(world, photo, rules)?),
        tiny: OnceLock::new(),
    });
    drawings().keep(key, Arc::clone(&drawing));
    Some(drawing)
}

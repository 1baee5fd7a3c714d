//! What the model of the photo memory does not store again.

use std::collections::{BTreeMap, BTreeSet};

use domain::{PhotoToRemember, Sha256Digest};
use visual_degrees::memory::named_people;

/// What is not stored again, and what may soon be forgotten.
#[derive(Debug, Clone, Default)]
pub(super) struct Forgotten {
    /// Digests of photos, and of people's ids.
    pub(super) for_good: BTreeSet<Sha256Digest>,
    /// By photo, the days on which it failed and the last of them.
    pub(super) failed: BTreeMap<Sha256Digest, (u64, u64)>,
}

impl Forgotten {
    /// Returns whether a photo must not be stored.
    pub(super) fn holds(&self, photo: &PhotoToRemember) -> bool {
        let named = named_people(&photo.answer.faces);
        let mut ids = named.keys().map(|id| Sha256Digest::of(id.as_bytes()));
        self.for_good.contains(&photo.digest) || ids.any(|id| self.for_good.contains(&id))
    }
}

//! The photos and people that the model of the photo memory must not store again.

use std::collections::{BTreeMap, BTreeSet};

use domain::{PhotoToRemember, Sha256Digest};
use visual_degrees::memory::named_people;

/// The photos and people that must not be stored again, and the photos that have failed.
#[derive(Debug, Clone, Default)]
pub(super) struct Forgotten {
    /// The digests of deleted photos, and of the ids of deleted people.
    pub(super) for_good: BTreeSet<Sha256Digest>,
    /// For each failing photo, the number of days on which it failed, and the last of these days.
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

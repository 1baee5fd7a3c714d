//! The memory of photos, by address and by digest, so that none is paid for twice.

use crate::domain::{EvidenceRef, Sha256Digest};
use crate::sorted::SortedMap;

/// The knowledge of a photo address or digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhotoMemory {
    /// The photo was recognised; this is its sighting.
    Seen(EvidenceRef),
    /// The photo could not be fetched or read, and is not tried again.
    Useless,
}

/// The memory of every photo that was tried.
#[derive(Debug, Clone, Default)]
pub struct PhotoMemories {
    by_url: SortedMap<String, PhotoMemory>,
    by_digest: SortedMap<Sha256Digest, PhotoMemory>,
}

impl PhotoMemories {
    pub fn note(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.by_url.insert(url.to_owned(), memory);
        if let Some(digest) = digest {
            self.by_digest.insert(digest.clone(), memory);
        }
    }

    pub fn at(&self, url: &str) -> Option<PhotoMemory> {
        self.by_url.get(url).copied()
    }

    pub fn of(&self, digest: &Sha256Digest) -> Option<PhotoMemory> {
        self.by_digest.get(digest).copied()
    }

    /// Returns the addresses that were tried, in alphabetical order.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.by_url.keys().map(String::as_str)
    }
}

//! The memory of photos, by address, by digest and by what they look like, so that none is paid for
//! twice.

use std::collections::BTreeMap;

use domain::{EvidenceRef, Fingerprint, PhotoCopy, Placements, Sha256Digest};

use crate::machine::interface::Fetched;

/// The knowledge of a photo address or digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhotoMemory {
    /// The photo was recognised; this is its sighting.
    Seen(EvidenceRef),
    /// The photo is a copy, in another size or cut, of one that was recognised.
    Copy(EvidenceRef),
    /// The photo could not be fetched or read, and is not tried again.
    Useless,
}

impl PhotoMemory {
    /// Returns the sighting of the photo, or of the one that it is a copy of.
    pub fn sighting(self) -> Option<EvidenceRef> {
        match self {
            Self::Seen(reference) | Self::Copy(reference) => Some(reference),
            Self::Useless => None,
        }
    }
}

/// The memory of every photo that was tried.
#[derive(Debug, Clone, Default)]
pub struct PhotoMemories {
    by_url: BTreeMap<String, PhotoMemory>,
    by_digest: BTreeMap<Sha256Digest, PhotoMemory>,
    fingerprints: Vec<(Sha256Digest, Fingerprint)>,
    placements: Placements,
    /// The photos that show nothing but what another one shows.
    part_of: BTreeMap<Sha256Digest, Sha256Digest>,
}

impl PhotoMemories {
    pub fn note(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.by_url.insert(url.to_owned(), memory);
        if let Some(digest) = digest {
            self.by_digest.insert(digest.clone(), memory);
        }
    }

    /// Compares a photo that came with those that came before.
    pub fn note_fetched(&mut self, fetched: &Fetched) {
        let Some(fingerprint) = &fetched.fingerprint else {
            return;
        };
        let digest = &fetched.digest;
        if self.fingerprints.iter().any(|(known, _)| known == digest) {
            return;
        }
        let before = self.fingerprints.iter();
        let before = before.map(|(digest, fingerprint)| (fingerprint, digest));
        if let Some(whole) = fingerprint.first_whole(before, &mut self.placements) {
            self.part_of.insert(digest.clone(), whole.clone());
        } else if fetched.copy != PhotoCopy::Thumbnail {
            // Those that nobody has paid for yet may be copies of this one.
            for (other, smaller) in &self.fingerprints {
                let is_open =
                    !self.by_digest.contains_key(other) && !self.part_of.contains_key(other);
                let this = || std::iter::once((fingerprint, ()));
                if is_open && smaller.first_whole(this(), &mut self.placements).is_some() {
                    self.part_of.insert(other.clone(), digest.clone());
                }
            }
        }
        // In a search engine's small copy fewer people are recognised than in the photo itself.
        if fetched.copy != PhotoCopy::Thumbnail {
            let known = (digest.clone(), fingerprint.clone());
            self.fingerprints.push(known);
        }
    }

    /// Returns the digest of the photo of which this one is a copy.
    pub fn whole_of(&self, digest: &Sha256Digest) -> Option<&Sha256Digest> {
        self.part_of.get(digest)
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

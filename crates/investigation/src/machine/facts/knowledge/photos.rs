//! What is known of photos: by address, by digest and by what they look like.

use domain::{Hit, Sha256Digest, SidesToConnect};

use crate::machine::facts::photo_memory::PhotoMemory;
use crate::machine::interface::Fetched;

use super::Knowledge;

impl Knowledge {
    #[must_use]
    pub fn photo_at(&self, url: &str) -> Option<PhotoMemory> {
        self.photos.at(url)
    }

    /// Returns what is known of a photo that came: by its digest, or of the one that it is a copy of.
    ///
    /// A copy of a photo that was put together is looked at for itself: it may be one of those that the
    /// other was made of, and prove what that one cannot.
    #[must_use]
    pub fn photo_of(&self, fetched: &Fetched) -> Option<PhotoMemory> {
        let known = self.photos.of(&fetched.digest);
        known.or_else(|| {
            let whole = self.photos.whole_of(&fetched.digest)?;
            let reference = self.photos.of(whole)?.sighting()?;
            let sighting = self.sighting(reference)?;
            let is_one_photo = sighting.collage_check.veto().is_none();
            is_one_photo.then_some(PhotoMemory::Copy(reference))
        })
    }

    /// Returns the digest of the bytes that were recognised at this address, of a photo that was recalled.
    #[must_use]
    pub fn recalled_digest(&self, url: &str) -> Option<&Sha256Digest> {
        self.recalled.get(url)
    }

    /// Notes photos of a chain of which only their number is known. Returns their places among the recalled ones.
    pub fn note_connected(&mut self, sides: &SidesToConnect, photos: usize) -> Vec<usize> {
        let places = (0..photos).map(|place| {
            let url = format!("memory:{}:{place}", sides.round);
            self.unseen
                .insert(url.clone(), (Box::new(sides.clone()), place));
            let hit = Hit {
                image_url: url,
                ..Hit::default()
            };
            self.lists.note_recalled(hit, None).1
        });
        places.collect()
    }

    /// Returns the chain of a remembered photo of which nothing else is known, and its place there.
    #[must_use]
    pub fn unseen_photo(&self, url: &str) -> Option<(&SidesToConnect, usize)> {
        let (sides, place) = self.unseen.get(url)?;
        Some((sides, *place))
    }

    /// Returns how many such photos there were.
    #[must_use]
    pub fn unseen_photos(&self) -> usize {
        self.unseen.len()
    }

    /// Notes that a recalled photo has other bytes by now: the hints about it were false.
    pub fn note_changed_photo(&mut self, url: &str) {
        self.hints.learn(url, &[]);
        self.hints.close(url);
    }

    /// Compares a photo that came with those that came before.
    pub fn note_fetched(&mut self, fetched: &Fetched) {
        self.photos.note_fetched(fetched);
    }

    /// Returns whether a photo is this one, or shows all that it shows.
    #[must_use]
    pub fn is_shown_by(&self, fetched: &Fetched, digest: &Sha256Digest) -> bool {
        fetched.digest == *digest || self.photos.whole_of(&fetched.digest) == Some(digest)
    }

    pub fn note_photo(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.photos.note(url, digest, memory);
        self.lists.note_photo(url, memory);
        self.hints.close(url);
    }
}

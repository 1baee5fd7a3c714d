//! The queries with which an atlas reads the model of the photo memory.

use std::cmp::Reverse;

use domain::{Confidence, PhotoToRemember, Sha256Digest};
use visual_degrees::memory::named_people;

use super::InMemoryPhotos;

/// A line of the atlas from one person to another.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownLine {
    /// The id of the person at the other end.
    pub other: String,
    /// The number of photos that show both people.
    pub photos: usize,
    /// The lower of the two confidences in the best photo, in percent.
    pub score: f64,
    /// The address of the best photo.
    pub image_url: String,
}

impl InMemoryPhotos {
    /// Returns the lines that start at the person with this id and whose confidence reaches the threshold. Lines with
    /// more photos come first, and among equals those with a higher confidence.
    #[must_use]
    pub fn lines_of(&self, id: &str, threshold_percent: u32) -> Vec<KnownLine> {
        let least = Confidence::clamped(f64::from(threshold_percent));
        let others = self.together.get(id).into_iter().flatten();
        let mut others: Vec<_> = others
            .filter_map(|(other, together)| {
                let (score, _, digest) = together.best.as_ref()?;
                let is_sure = *score >= least;
                is_sure.then_some((Reverse(together.photos), Reverse(*score), digest, other))
            })
            .collect();
        others.sort();
        let lines = others
            .into_iter()
            .filter_map(|(photos, score, digest, other)| {
                Some(KnownLine {
                    other: other.clone(),
                    photos: photos.0,
                    score: score.0.percent(),
                    image_url: self.photos.get(digest)?.hit.image_url.clone(),
                })
            });
        lines.collect()
    }

    /// Returns each person's id and number of photos.
    pub fn people(&self) -> impl Iterator<Item = (&String, &usize)> {
        self.photos_of.iter()
    }

    /// Returns the digests of the photos in which the recogniser names the person with this id, with any confidence.
    #[must_use]
    pub fn photos_of(&self, id: &str) -> Vec<Sha256Digest> {
        let shows = |photo: &&PhotoToRemember| named_people(&photo.answer.faces).contains_key(id);
        let photos = self.photos.values().filter(shows);
        photos.map(|photo| photo.digest.clone()).collect()
    }
}

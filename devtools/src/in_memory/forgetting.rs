//! How the model of the photo memory forgets photos: after repeated failures, and when the operator deletes them.

use domain::{Confidence, MemoryNews, PhotoToRemember, Sha256Digest};
use visual_degrees::memory::FAILED_DAYS_MAX;
use visual_degrees::memory::sure_people;

use super::{InMemoryPhotos, Together};

impl InMemoryPhotos {
    /// Stores the photos, the answers and the failures that a run reports.
    pub fn take(&mut self, news: MemoryNews) {
        self.remember(news.photos);
        if let Some(search) = news.search {
            self.remember_search(search);
        }
        for digest in news.vetoed {
            self.veto(&digest);
        }
        for digest in news.failed {
            let (days, day) = self
                .forgotten
                .failed
                .entry(digest.clone())
                .or_insert((0, 0));
            if *day != news.day {
                *days += 1;
                *day = news.day;
            }
            if *days >= FAILED_DAYS_MAX {
                self.forget(&[digest]);
            }
        }
        for digest in news.came {
            self.forgotten.failed.remove(&digest);
        }
    }

    /// Returns the number of days on which a photo has failed since it was last stored.
    #[must_use]
    pub fn failed_days(&self, digest: &Sha256Digest) -> u64 {
        let failed = self.forgotten.failed.get(digest);
        failed.map_or(0, |(days, _)| *days)
    }

    /// Deletes photos and all that is stored about the person with this id, and never stores them again.
    pub fn forget_for_good(&mut self, digests: &[Sha256Digest], person: Option<&str>) {
        let person = person.map(|id| Sha256Digest::of(id.as_bytes()));
        let marks = digests.iter().cloned().chain(person);
        self.forgotten.for_good.extend(marks);
        // Stored answers of searches may name people in deleted photos, so they are deleted, too.
        self.searches.clear();
        self.forget(digests);
    }

    /// Deletes photos. They may be stored again, unless they are forgotten for good.
    pub(super) fn forget(&mut self, digests: &[Sha256Digest]) {
        let gone = digests
            .iter()
            .filter_map(|digest| self.photos.remove(digest));
        let gone: Vec<PhotoToRemember> = gone.collect();
        for photo in &gone {
            self.forgotten.failed.remove(&photo.digest);
            for (id, _) in &sure_people(&photo.answer.faces) {
                self.count_down(id);
            }
            self.part(photo);
        }
    }

    /// Removes a photo from the pairs of people that it showed, because it was forgotten or vetoed.
    fn part(&mut self, photo: &PhotoToRemember) {
        let sure = sure_people(&photo.answer.faces);
        for (one, _) in sure.iter().filter(|_| !photo.is_vetoed) {
            for (other, _) in sure.iter().filter(|(other, _)| other != one) {
                self.disconnect(one, other, &photo.digest);
            }
        }
    }

    fn veto(&mut self, digest: &Sha256Digest) {
        if let Some(photo) = self.photos.get_mut(digest) {
            let before = photo.clone();
            photo.is_vetoed = true;
            self.part(&before);
        }
    }

    fn count_down(&mut self, id: &str) {
        if let Some(photos) = self.photos_of.get_mut(id) {
            *photos -= 1;
            if *photos == 0 {
                self.photos_of.remove(id);
                for ids in self.by_name.values_mut().chain(self.by_number.values_mut()) {
                    ids.remove(id);
                }
            }
        }
    }

    fn disconnect(&mut self, one: &str, other: &str, gone: &Sha256Digest) {
        let Some(together) = self.together_mut(one, other) else {
            return;
        };
        together.photos -= 1;
        let was_best = matches!(&together.best, Some((_, _, best)) if best == gone);
        if together.photos == 0 {
            if let Some(others) = self.together.get_mut(one) {
                others.remove(other);
            }
        } else if was_best {
            let best = self.best_together(one, other);
            if let Some(together) = self.together_mut(one, other) {
                together.best = best;
            }
        }
    }

    fn together_mut(&mut self, one: &str, other: &str) -> Option<&mut Together> {
        self.together.get_mut(one)?.get_mut(other)
    }

    /// Returns the best stored photo that shows two people.
    fn best_together(&self, one: &str, other: &str) -> Option<(Confidence, u64, Sha256Digest)> {
        let photos = self.photos.values().filter(|photo| !photo.is_vetoed);
        let scored = photos.filter_map(|photo| {
            let sure = sure_people(&photo.answer.faces);
            let confidence = |id: &str| {
                let face = sure.iter().find(|(known, _)| known == id)?.1;
                Some(face.confidence)
            };
            let score = confidence(one)?.min(confidence(other)?);
            Some((score, photo.answer.at_ms, photo.digest.clone()))
        });
        scored.max_by(|left, right| {
            (left.0.cmp(&right.0))
                .then(left.1.cmp(&right.1))
                .then(right.2.cmp(&left.2))
        })
    }
}

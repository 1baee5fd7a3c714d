//! The yield of a run's searches.

/// The number of searches after which it is known how many new photos one brings.
const SEARCHES_UNTIL_KNOWN: u32 = 4;

/// The number of searches, and of the new photos that came of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchYield {
    searches: u32,
    new_photos: u32,
}

impl SearchYield {
    /// Notes that a search was answered.
    pub fn note_search(&mut self) {
        self.searches += 1;
    }

    /// Notes that a photo is fetched that nobody had seen before.
    pub fn note_new_photo(&mut self) {
        self.new_photos += 1;
    }

    /// Returns whether this many searches bring no more photos than there are slots, by what was
    /// seen so far.
    pub fn fits(self, searches: usize, slots: usize) -> bool {
        let slots = u32::try_from(slots).unwrap_or(u32::MAX);
        let searches = u32::try_from(searches).unwrap_or(u32::MAX);
        let photos = searches.saturating_mul(self.new_photos);
        self.searches >= SEARCHES_UNTIL_KNOWN && photos <= slots.saturating_mul(self.searches)
    }
}

#[cfg(test)]
mod tests {
    use super::SearchYield;

    #[test]
    fn searches_share_the_slots_once_it_is_known_what_they_bring() {
        let brought = |searches, new_photos| SearchYield {
            searches,
            new_photos,
        };
        assert!(brought(4, 10).fits(2, 5));
        assert!(!brought(4, 11).fits(2, 5));
        assert!(!brought(4, 10).fits(3, 5));
        assert!(!brought(3, 0).fits(2, 5), "too early to say");
    }
}

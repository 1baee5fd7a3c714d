//! The results of searches for somebody: photos, nothing at all, or photos that could not be looked
//! at.

/// The number of searches naming a typed person after which what they show of that person is
/// believed.
const SEARCHES_MIN: u32 = 3;

/// The result of a search that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchSight {
    /// The search has found a photo at least that the recogniser has looked at, now or before.
    Photos,
    /// The search has found nothing at all.
    Nothing,
    /// The search has found photos, and not one of them could be had and read. That says nothing of
    /// anybody.
    Unread,
}

/// The numbers of searches by their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchSights {
    photos: u32,
    nothing: u32,
    unread: u32,
}

impl SearchSights {
    pub fn note(&mut self, sight: SearchSight) {
        *match sight {
            SearchSight::Photos => &mut self.photos,
            SearchSight::Nothing => &mut self.nothing,
            SearchSight::Unread => &mut self.unread,
        } += 1;
    }

    /// Returns whether enough photos could have shown a person who is in none of them: three
    /// searches have found photos that were looked at or nothing, and one at least has found
    /// photos. Searches whose photos could not be looked at do not count.
    pub fn should_have_shown(self) -> bool {
        self.photos > 0 && self.photos + self.nothing >= SEARCHES_MIN
    }

    /// Returns whether there is nothing to look at: three searches found nothing, and no other
    /// search found a photo that could be looked at.
    pub fn found_nothing(self) -> bool {
        self.photos == 0 && self.nothing >= SEARCHES_MIN
    }

    /// Returns whether three searches found photos of which none could be looked at, and no search
    /// found one that could.
    pub fn saw_nothing(self) -> bool {
        self.photos == 0 && self.unread >= SEARCHES_MIN
    }

    /// Returns the number of searches that found photos of which none could be looked at.
    pub fn unread(self) -> u32 {
        self.unread
    }

    /// Returns the number of searches that were answered.
    pub fn all(self) -> u32 {
        self.photos + self.nothing + self.unread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SearchSight::{Nothing, Photos, Unread};

    #[track_caller]
    fn check(sights: &[SearchSight], should_have_shown: bool, found_nothing: bool) {
        let mut counts = SearchSights::default();
        for sight in sights {
            counts.note(*sight);
        }
        let told = (counts.should_have_shown(), counts.found_nothing());
        assert_eq!(told, (should_have_shown, found_nothing), "{sights:?}");
    }

    #[test]
    fn a_name_is_judged_by_photos_and_never_by_searches_alone() {
        check(&[Photos, Photos, Photos], true, false);
        check(&[Photos, Nothing, Nothing], true, false);
        check(&[Unread, Unread, Unread, Unread], false, false);
        check(&[Photos, Unread, Unread], false, false);
        check(&[Photos, Nothing, Unread], false, false);
        check(&[Nothing, Nothing, Unread], false, false);
        check(&[Nothing, Nothing, Nothing], false, true);
        check(&[Nothing, Unread, Nothing, Nothing], false, true);
        check(&[Photos, Nothing, Unread, Nothing], true, false);
    }
}

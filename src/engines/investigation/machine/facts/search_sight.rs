//! What searches have shown of somebody: photos, nothing at all, or none that could be looked at.

/// So many searches naming a typed person, and what they show of them is believed.
const SEARCHES_MIN: u32 = 3;

/// What a search that is over has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchSight {
    /// A photo at least that the recogniser has looked at, now or before.
    Photos,
    /// It has found nothing at all.
    Nothing,
    /// It has found photos, and not one of them could be had and read. That says nothing of anybody.
    Unread,
}

/// How many searches have shown what.
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

    /// Whether enough photos could have shown somebody who is in none: three searches, with photos
    /// that were looked at, and none whose photos could not be.
    pub fn should_have_shown(self) -> bool {
        self.photos > 0 && self.photos + self.nothing >= SEARCHES_MIN
    }

    /// Whether there is nothing to look at: three searches found nothing, and no other one a photo
    /// that could be looked at.
    pub fn found_nothing(self) -> bool {
        self.photos == 0 && self.nothing >= SEARCHES_MIN
    }

    /// Whether three searches found photos of which none could be looked at, and none one that
    /// could.
    pub fn saw_nothing(self) -> bool {
        self.photos == 0 && self.unread >= SEARCHES_MIN
    }

    /// Searches that found photos of which none could be looked at.
    pub fn unread(self) -> u32 {
        self.unread
    }

    /// Searches that were answered.
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

//! Whether a search may begin while others are under way: soon enough that no place stays empty, and
//! late enough that little is asked for which their photos would have shown to be needless.

use crate::domain::Pace;

use super::both_ends::BothEnds;
use super::calls::{Call, Purpose, UNDER_WAY_MAX};
use super::machine::{Investigation, Route, State};
use super::spend::{Kind, Permission};
use super::survey::Survey;

/// Searches whose photos are looked at, at the same time.
const SURVEYS_MAX: usize = 3;
/// The same while a chain is polished: one to make it shorter, one to make it surer.
const SURVEYS_OF_POLISH_MAX: usize = 2;
/// After so many searches it is known how many new photos one brings.
const SEARCHES_UNTIL_KNOWN: u32 = 4;

/// What the searches of this run have brought.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Yield {
    /// Searches that were answered.
    pub(super) searches: u32,
    /// Their photos that nobody had seen before.
    pub(super) new_photos: u32,
}

impl Yield {
    /// Whether so many searches bring no more photos, by what was seen so far, than there are
    /// places.
    fn has_places_for(self, searches: usize) -> bool {
        let places = u32::try_from(UNDER_WAY_MAX).unwrap_or(u32::MAX);
        let searches = u32::try_from(searches).unwrap_or(u32::MAX);
        let photos = searches.saturating_mul(self.new_photos);
        self.searches >= SEARCHES_UNTIL_KNOWN && photos <= places.saturating_mul(self.searches)
    }
}

impl Investigation {
    /// Whether the state may go on: with nothing else under way; or, in the both-ends plan, beside
    /// the photos of other searches.
    pub(super) fn may_go_on(&self) -> bool {
        let is_planning = |call: &Call| matches!(call.purpose, Purpose::Plan { .. });
        let is_full = self.calls.len() >= UNDER_WAY_MAX;
        if self.rests || is_full || self.calls.values().any(is_planning) {
            return false;
        }
        // A search under way, perhaps one that nobody waits for any more, may need what is left.
        if self.spend.permission(Kind::Search, self.now) == Permission::Later {
            return false;
        }
        let is_alone = self.others().next().is_none();
        let Route::BothEnds(route) = &self.route else {
            return is_alone;
        };
        let may_search = self.request.limits.pace == Pace::Quick
            && self.spend.permission(Kind::Search, self.now) == Permission::Granted;
        is_alone || (may_search && (self.may_start_both(route) || self.may_look_ahead()))
    }

    /// Both typed people are asked about in any case.
    fn may_start_both(&self, route: &BothEnds) -> bool {
        matches!(self.state, State::Discovery) && route.start_to_ask().is_some()
    }

    /// A further search, chosen before all is seen: where a place would stay empty, and only by
    /// what costs nothing.
    fn may_look_ahead(&self) -> bool {
        // A typed person who is not recognised yet may be unknown: then it would be in vain.
        let is_worth_it = self.typed_pair().is_some() && !self.would_ask_planner();
        let surveys_max = match self.state {
            State::Direct { .. } | State::Polish { left: 0, .. } => 0,
            State::Polish { .. } => SURVEYS_OF_POLISH_MAX,
            _ => SURVEYS_MAX,
        };
        is_worth_it
            && self.others().count() < surveys_max
            && self.others().all(|survey| self.leaves_a_place(survey))
    }

    fn leaves_a_place(&self, survey: &Survey) -> bool {
        let searching = self.others().filter(|survey| survey.is_searching());
        survey.leaves_a_place()
            || self.is_at_its_last(survey)
            || (survey.is_searching() && self.found.has_places_for(searching.count() + 1))
    }

    fn others(&self) -> impl Iterator<Item = &Survey> {
        self.surveys.iter().filter(|survey| !survey.is_dropped())
    }
}

#[cfg(test)]
mod tests {
    use super::Yield;

    #[test]
    fn searches_share_the_places_once_it_is_known_what_they_bring() {
        let brought = |searches, new_photos| Yield {
            searches,
            new_photos,
        };
        assert!(brought(4, 10).has_places_for(2));
        assert!(!brought(4, 11).has_places_for(2));
        assert!(!brought(4, 10).has_places_for(3));
        assert!(!brought(3, 0).has_places_for(2), "too early to say");
    }
}

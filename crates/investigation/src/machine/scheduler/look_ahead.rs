//! The rule for when a search may begin while others are under way: soon enough that no slot stays
//! empty, and late enough that few searches are made which the photos of the others would have
//! shown to be needless.

use crate::machine::budget::{Budget, CallKind, Permission};

use super::policy::{Beside, Policy};
use super::survey::Survey;
use super::{Scheduler, UNDER_WAY_MAX};

impl Scheduler {
    /// Returns whether the state may go on: with nothing else under way, or beside the photos of
    /// other searches, as the policy says.
    pub fn may_go_on(&self, policy: &Policy, budget: &Budget) -> bool {
        let is_planning = self.calls.values().any(|call| call.purpose.is_plan());
        if !self.has_free_slot() || is_planning {
            return false;
        }
        // A search under way, perhaps one that nobody waits for any more, may need the attempts
        // that are left.
        if budget.permission(CallKind::Search) == Permission::Later {
            return false;
        }
        let is_alone = self.others().next().is_none();
        is_alone
            || match policy.beside {
                Beside::Nothing => false,
                Beside::Anything => true,
                Beside::WhereSlotsAreLeft { surveys_max } => {
                    self.others().count() < surveys_max
                        && self.others().all(|survey| self.leaves_a_slot(survey))
                }
            }
    }

    fn leaves_a_slot(&self, survey: &Survey) -> bool {
        let searching = self.others().filter(|survey| survey.is_searching());
        survey.leaves_a_slot()
            || self.is_at_its_last(survey)
            || (survey.is_searching()
                && self.search_yield.fits(searching.count() + 1, UNDER_WAY_MAX))
    }

    fn others(&self) -> impl Iterator<Item = &Survey> {
        self.surveys.iter().filter(|survey| !survey.is_dropped())
    }
}

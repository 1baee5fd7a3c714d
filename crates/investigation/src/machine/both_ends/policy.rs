//! The rules of this plan for what may be under way together.

use domain::{Limits, Pace, SearchSource};

use crate::machine::advice::Advice;
use crate::machine::budget::{Budget, CallKind, Permission};
use crate::machine::facts::Facts;
use crate::machine::scheduler::{Beside, Policy};
use crate::machine::state::State;

use super::memory::Memory;

/// The number of photos that a search asks for where nothing is known of the image search.
const HITS_PER_SEARCH: u32 = 10;
/// The most searches whose photos are looked at, at the same time.
const SURVEYS_MAX: usize = 3;
/// The most such searches while a chain is polished: one to make it shorter, one to make it surer.
const SURVEYS_OF_POLISH_MAX: usize = 2;

/// Returns the number of photos that an image search is asked for: as many as one request gives. It
/// is more than are looked at, since they cost nothing.
pub fn hits_per_search(source: Option<&SearchSource>, limits: &Limits) -> u32 {
    let hits_max = source.map_or(HITS_PER_SEARCH, |source| source.hits_max);
    limits.images_per_search.max(hits_max)
}

/// Returns what may be under way together, as of now.
pub fn policy(
    memory: &Memory,
    state: &State,
    facts: &Facts,
    budget: &Budget,
    advice: &Advice,
) -> Policy {
    let limits = facts.limits();
    let may_search =
        limits.pace == Pace::Quick && budget.permission(CallKind::Search) == Permission::Granted;
    // A search chosen early would be in vain if a typed person turns out to be unknown. And a
    // planner is to know all that there is to know.
    let may_choose_early = may_search && facts.typed_pair().is_some() && !advice.would_ask(budget);
    let starts_both = *state == State::Discovery && memory.start_to_ask().is_some();
    let beside = if may_search && starts_both {
        // Both typed people are asked about in any case.
        Beside::Anything
    } else if may_choose_early {
        Beside::WhereSlotsAreLeft {
            surveys_max: surveys_max(state),
        }
    } else {
        Beside::Nothing
    };
    let is_early_or_late = matches!(state, State::Direct { .. } | State::Polish { .. });
    Policy {
        beside,
        may_defer: may_choose_early && !is_early_or_late,
        pairs_named: memory.pairs_named(),
        ..Policy::one_at_a_time(limits)
    }
}

/// Returns how many searches may be under way when a further one is chosen before all photos are
/// seen.
fn surveys_max(state: &State) -> usize {
    match state {
        State::Polish { left, .. } if left.polish > 0 => SURVEYS_OF_POLISH_MAX,
        State::Direct { .. } | State::Polish { .. } => 0,
        _ => SURVEYS_MAX,
    }
}

//! The work of each state, S0 to S7 at one glance.

mod s1_direct;
mod s6_success;
mod s7_failure;
mod s7_unread;

use PlanMemory::{BothEnds, OneSided};

use super::advice::Advice;
use super::plan::PlanMemory;
use super::state::{End, Move, State};
use super::telling::Teller;
use super::view::View;
use super::{both_ends, one_sided};

/// Returns what a state does next in a plan. S0 waits for the start; after the end nothing is done.
//= spec Worker State Machine
pub fn next(
    state: &State,
    plan: &mut PlanMemory,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    match (state, plan) {
        // S0, and after the end
        (State::Fresh | State::Ended { .. }, _) => Move::Rest,
        // S1
        (State::Direct { asked }, BothEnds(memory)) => {
            let to = State::Direct { asked: *asked };
            both_ends::remembered_look(memory, to, view, teller)
                .unwrap_or_else(|| s1_direct::ask(*asked, view, teller))
        }
        (State::Direct { asked }, OneSided(_)) => s1_direct::ask(*asked, view, teller),
        // S2
        (State::Discovery, OneSided(path)) => one_sided::discover(path, view, teller),
        (State::Discovery, BothEnds(memory)) => both_ends::discover(memory, view, teller),
        // S3
        (State::Choice { planner_answered }, OneSided(path)) => {
            one_sided::choose(path, *planner_answered, view, advice, teller)
        }
        (State::Choice { planner_answered }, BothEnds(memory)) => {
            both_ends::choose(memory, *planner_answered, view, advice, teller)
        }
        // S4
        (State::Verification { candidate, queries }, OneSided(path)) => {
            one_sided::verify(path, *candidate, queries.clone(), view, teller)
        }
        (State::Verification { candidate, .. }, BothEnds(memory)) => {
            both_ends::verify(memory, *candidate, view, teller)
        }
        // S5
        (State::Bridge { reached, asked }, OneSided(path)) => {
            one_sided::bridge(path, (*reached, *asked), view, advice, teller)
        }
        (State::Bridge { reached, .. }, BothEnds(memory)) => {
            both_ends::bridge(memory, *reached, view, advice, teller)
        }
        // S6
        (State::Polish { chain, left }, BothEnds(memory)) => {
            both_ends::polish(memory, chain, *left, view, teller)
        }
        // The plan `one-sided` takes the first chain as it is.
        (State::Polish { chain, .. }, OneSided(_)) => Move::succeed((**chain).clone()),
        (State::Capture { chain } | State::Ending(End::Success(chain)), plan) => {
            s6_success::finish(chain, plan, view, teller)
        }
        // S7
        (State::Ending(End::Failure(reason)), plan) => {
            s7_failure::finish(*reason, plan, view, teller)
        }
        (State::Ending(End::Broken(error)), _) => s7_failure::finish_broken(error, view, teller),
    }
}

//! The kinds of events that an automaton's run tells.

use platform::events::EventKinds;

use crate::machine::CHAIN_RUN;

/// The kinds of events that an automaton's run tells.
pub(super) const AUTOMATON_KINDS: EventKinds = EventKinds {
    goes_on: &[
        "automaton_started",
        "warning",
        "waiting",
        "looked",
        "state_entered",
        "action_begun",
        "action_done",
        "action_failed",
        CHAIN_RUN,
        "recovering",
        "state_left",
        "making",
        "offered",
        "state_made",
        "asked",
        "answered",
        "state_changed",
        "state_kept",
        "state_dropped",
        "trace_bounded",
    ],
    ends: &["completed", "failed", "stopped"],
};

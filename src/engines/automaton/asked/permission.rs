//! The permission to start an automaton: it acts on pages in the operator's name.

use crate::http::Problem;
use crate::settings::{Settings, SharedAccess};

use super::wanted::{AutomatonRequest, WantedAutomaton};

/// The setting that says which automata others than the operator may start.
pub const PUBLIC_AUTOMATA: &str = "PUBLIC_AUTOMATA";

/// Checks that an automaton may be started by the operator, or by somebody else who may start runs.
pub(super) fn may_start_automaton(
    settings: &Settings,
    is_operator: bool,
    wanted: &AutomatonRequest,
) -> Result<(), Problem> {
    let is_stored = matches!(wanted.automaton, WantedAutomaton::Stored(_));
    match settings.shared_access(PUBLIC_AUTOMATA) {
        _ if is_operator => Ok(()),
        SharedAccess::Operator => Err(Problem::new(
            401,
            "An automaton acts on web pages and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
        _ if !is_stored => Err(Problem::new(
            403,
            "Here only the operator's own automata can be started without the operator's token: give \
             the name of one of GET /automata.",
        )),
        _ => match wanted.operators_member() {
            None => Ok(()),
            Some(member) => Err(Problem::new(
                403,
                format!(
                    "Here only the operator chooses the {member} of a stored automaton: leave \
                     {member} out."
                ),
            )),
        },
    }
}

//! The events of states that models make.

use serde_json::{Value, json};

use crate::engines::automaton::machine::{NoticeKind, Proof};

/// Returns the kind and the payload of a notice about a state in the making.
pub(super) fn of_making(kind: &NoticeKind) -> (&'static str, Value) {
    match kind {
        NoticeKind::Making { why } => ("making", json!({"reason": why.as_str()})),
        NoticeKind::Offered { offers } => ("offered", json!({"triggers": offers})),
        NoticeKind::Asked { about, attempt } => {
            let payload = json!({"about": about.as_str(), "attempt": attempt});
            ("asked", payload)
        }
        NoticeKind::Answered {
            about,
            model,
            says,
            refused,
        } => (
            "answered",
            json!({
                "about": about.as_str(),
                "model": model,
                "says": says,
                "refused": refused,
            }),
        ),
        NoticeKind::StateMade { written } => ("state_made", json!({"state": written})),
        NoticeKind::StateChanged { state, written } => (
            "state_changed",
            json!({"position": state, "state": written}),
        ),
        NoticeKind::StateKept {
            state,
            proof,
            written,
        } => (
            "state_kept",
            json!({
                "position": state,
                "proof": proof.map(Proof::as_str),
                "state": written,
            }),
        ),
        NoticeKind::StateDropped => ("state_dropped", json!({})),
        _ => ("warning", json!({})),
    }
}

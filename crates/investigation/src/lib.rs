//! The search for a chain of people between two public figures.

pub mod effects;
pub mod events;
pub mod machine;
pub mod record;
pub mod requests;
pub mod tools;
pub mod wire;

use std::rc::Rc;

use serde_json::Value;

use domain::Sha256Digest;
use engine::store::outline;
use engine::{Opened, Problem, Served};

use wire::InvestigationEngine;

impl Served for InvestigationEngine {
    const HAS_WHOLE_DOCUMENTS: bool = true;

    /// Returns what the last event so far tells: KV has the record of a run that has told more.
    fn outline(_opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value {
        let last = events
            .last()
            .and_then(|json| serde_json::from_str(json).ok());
        outline(&last.unwrap_or_default(), is_ended)
    }

    fn trace(
        _opened: &Opened<Self>,
        _events: &[Rc<str>],
        _artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let detail =
            "This run is a search; what it has told is its events, GET /runs/{run}/events.";
        Err(Problem::new(409, detail))
    }
}

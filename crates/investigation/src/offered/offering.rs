//! The investigation's own part of what every engine offers to assistants.

use serde_json::{Map, Value};

use engine::assistant::{Answer, CallPlace};
use engine::{Offered, Problem};
use settings::Caps;

use crate::asked::{CreateRequest, RunRequest};
use crate::stored::InvestigationEngine;

use super::{chain, sentences};

/// The tool that searches for a chain; `find_chain.json` describes it.
const FIND_CHAIN: &str = "find_chain";

impl Offered for InvestigationEngine {
    const TOOLS: &'static [&'static str] = &[FIND_CHAIN];

    fn read_call(
        tool: &str,
        arguments: &Map<String, Value>,
        caps: &Caps,
    ) -> Option<Result<CreateRequest, Problem>> {
        (tool == FIND_CHAIN)
            .then(|| RunRequest::from_arguments(arguments.clone(), caps).map(CreateRequest::New))
    }

    fn progress(event: &Value) -> Option<String> {
        sentences::progress(event)
    }

    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        match event.get("type").and_then(Value::as_str) {
            Some("final") => chain::found(event, place),
            Some(_) if is_ended => chain::not_found(event, place),
            _ => Answer::going_on(place, sentences::progress(event).as_deref()),
        }
    }
}

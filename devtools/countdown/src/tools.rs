//! Describes countdowns to MCP clients. The engine has no tools of its own.

use std::rc::Rc;

use serde_json::{Value, json};

use engine::{Opened, Tools};

use crate::machine::CountdownEngine;

impl Tools for CountdownEngine {
    const HAS_WHOLE_DOCUMENTS: bool = true;
    fn outline(opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value {
        json!({"engine": "countdown", "from": opened.order.from, "events": events.len(), "ended": is_ended})
    }
}

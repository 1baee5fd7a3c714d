//! The tools with which assistants begin runs of an engine.

use serde_json::{Map, Value};

use settings::{Caps, Settings};

use crate::Problem;
use crate::assistant::{Answer, CallPlace, make_plain, quoted, quoted_value};
use crate::begun::{Begun, ChildResult};
use crate::served::Served;

/// An engine whose runs assistants begin by calling tools.
pub trait Offered: Begun + Served {
    /// The names of the tools that begin a run whatever the operator has stored.
    const TOOLS: &'static [&'static str] = &[];

    /// Reads a call of one of [`Self::TOOLS`]. Returns `None` where it is none of them.
    #[must_use]
    fn read_call(
        _tool: &str,
        _arguments: &Map<String, Value>,
        _caps: &Caps,
    ) -> Option<Result<Self::Wanted, Problem>> {
        None
    }

    /// Returns the JSON of the tool that one of the operator's stored documents is, by what its check told of it; `None`
    /// where it is no tool.
    #[must_use]
    fn stored_tool(_name: &str, _about: &Value, _settings: &Settings) -> Option<String> {
        None
    }

    /// Returns the request, as `POST /runs` takes it, for a call of the stored document of this name. The arguments are
    /// among those that [`Self::stored_tool`] describes.
    #[must_use]
    fn stored_call(_name: &str, _arguments: Map<String, Value>) -> Value {
        Value::Null
    }

    /// Returns what an event tells to those who wait, in one line; `None` where it tells them nothing.
    #[must_use]
    fn progress(_event: &Value) -> Option<String> {
        None
    }

    /// Returns the answer of a run, by the newest event that it has told. The value is an object with `run`,
    /// `address` and `state` at least.
    #[must_use]
    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        if !is_ended {
            return Answer::going_on(place, None);
        }
        ended(Self::NOUN, Self::end(event), place)
    }
}

/// Returns the answer of a run that has ended.
fn ended(noun: &str, (result, nano_usd): (ChildResult, u64), place: &CallPlace) -> Answer {
    #[allow(clippy::cast_precision_loss)]
    let usd = Value::from(nano_usd as f64 / 1e9);
    let (state, message, mut result) = match result {
        Ok(output) => ("completed", output.message, output.value),
        Err(none) => ("failed", none.message, Value::Null),
    };
    make_plain(&mut result);
    let text = format!(
        "The {noun} has ended: {}. It cost ${usd}. What it gave: {}. A person sees it at {}",
        quoted(&message),
        quoted_value(&result),
        place.address,
    );
    let mut members = place.members(state);
    members.add_text("message", &message);
    members.add("result", result);
    members.add("usd", usd);
    Answer {
        is_error: state == "failed",
        ..Answer::new(members, text)
    }
}

//! The tools that the engines offer to assistants.

use serde_json::{Map, Value};

use engine::Offered;
use engine::assistant::{Answer, CallPlace};
use settings::{Caps, Settings};

use super::wanted_run::boxed;
use super::{ALL, EngineName, Wanted, with_engine};

impl EngineName {
    /// Returns the names of the tools that begin a run whatever the operator has stored.
    pub fn tools() -> impl Iterator<Item = &'static str> {
        let engines = ALL.iter().copied();
        let tools = engines.flat_map(|engine| with_engine!(engine, E => E::TOOLS));
        tools.copied()
    }

    /// Reads a call of one of [`Self::tools`]. Returns `None` where it is none of them.
    #[must_use]
    pub fn wanted_by_call(
        tool: &str,
        arguments: &Map<String, Value>,
        caps: &Caps,
    ) -> Option<Wanted> {
        ALL.iter().find_map(
            |engine| with_engine!(*engine, E => Some(boxed::<E>(*engine, E::read_call(tool, arguments, caps)?))),
        )
    }

    /// Returns the JSON of the tool that a stored document of this engine is, by what its check told of it; `None` where it
    /// is no tool.
    #[must_use]
    pub fn stored_tool(self, name: &str, about: &Value, settings: &Settings) -> Option<String> {
        with_engine!(self, E => E::stored_tool(name, about, settings))
    }

    /// Returns the request, as `POST /runs` takes it, for a call of the stored document of this name.
    #[must_use]
    pub fn stored_call(self, name: &str, arguments: Map<String, Value>) -> Value {
        with_engine!(self, E => E::stored_call(name, arguments))
    }

    /// Returns what an event tells to those who wait, in one line; `None` where it tells them nothing.
    #[must_use]
    pub fn progress(self, event: &Value) -> Option<String> {
        with_engine!(self, E => E::progress(event))
    }

    /// Returns the answer of a run, by the newest event that it has told.
    #[must_use]
    pub fn answer(self, event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        with_engine!(self, E => E::answer(event, is_ended, place))
    }
}

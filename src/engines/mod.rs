//! The registry of engines, with one row per engine. Outside the engines' own crates, only this module names an
//! engine.

mod runs;

use serde::Deserialize;
use serde_json::Value;

use engine::{Engine, Requests, StoredDocuments, Tools};
use platform::events::EventKinds;
use settings::{EngineVariables, SharedVariable};

pub use runs::{OpenedRun, REGISTRY, Wanted, WantedRun};

/// Generates, from one row per engine, the enum [`EngineName`] and the macro that dispatches to the engines' types.
macro_rules! register {
    ($d:tt $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:ident: $engine:path,)+) => {
        /// The name of an engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EngineName {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $name,)+
        }

        /// Every engine, in the order of the rows.
        const ALL: &[EngineName] = &[$($(#[cfg($cfg)])? EngineName::$name),+];

        /// Evaluates an expression in which `$engine` stands for the type of the named engine.
        macro_rules! with_engine {
            ($d name:expr, $d engine:ident => $d body:expr) => {
                match $d name {
                    $($(#[cfg($cfg)])? $crate::engines::EngineName::$name => {
                        type $d engine = $engine;
                        $d body
                    })+
                }
            };
        }
    };
}

register! { $
    /// The search for a chain between two people.
    Investigation: investigation::wire::InvestigationEngine,
    /// A graph whose nodes call tools.
    Workflow: workflow::wire::WorkflowEngine,
    /// A finite-state machine that drives a browser.
    Automaton: automaton::wire::AutomatonEngine,
    /// A countdown, for tests alone.
    #[cfg(feature = "countdown")]
    Countdown: countdown::CountdownEngine,
}

pub(crate) use with_engine;

/// The parts of addresses that engines define.
#[derive(Debug, Clone, Default)]
pub struct EnginePaths {
    /// The first segments of the addresses of documents that the operator stores.
    pub stored: Vec<&'static str>,
    /// The names of the documents that engines make of their runs. Each is the last segment of its document's
    /// address.
    pub run_documents: Vec<&'static str>,
}

#[derive(Deserialize)]
struct OrderTag {
    #[serde(default)]
    engine: Option<String>,
}

#[derive(Deserialize)]
struct Holder {
    order: OrderTag,
}

#[derive(Deserialize)]
struct FirstEntry {
    opened: Holder,
}

impl EngineName {
    /// Returns the engine to which an order in JSON belongs; `None` if it belongs to no engine of this program.
    #[must_use]
    pub fn of_order(json: &str) -> Option<Self> {
        Self::of_tag(&serde_json::from_str(json).ok()?)
    }

    /// Returns the engine to which the order in the member `order` of a JSON object belongs.
    #[must_use]
    pub fn of_holder(json: &str) -> Option<Self> {
        let holder: Holder = serde_json::from_str(json).ok()?;
        Self::of_tag(&holder.order)
    }

    /// Returns the engine of the run with this first journal entry, given as JSON.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        let first: FirstEntry = serde_json::from_str(json).ok()?;
        Self::of_tag(&first.opened.order)
    }

    fn of_tag(tag: &OrderTag) -> Option<Self> {
        let mut engines = ALL.iter().copied();
        engines.find(|engine| engine.order_tag() == tag.engine.as_deref())
    }

    /// Returns whether this is the name of the engine `E`.
    #[must_use]
    pub fn is<E: Engine>(self) -> bool {
        self.order_tag() == E::ORDER_TAG
    }

    fn order_tag(self) -> Option<&'static str> {
        with_engine!(self, E => E::ORDER_TAG)
    }

    /// Returns the kinds of events that the engine's runs emit.
    #[must_use]
    pub fn event_kinds(self) -> EventKinds {
        with_engine!(self, E => E::KINDS)
    }

    /// Returns the engines in the order in which they try to parse a body. The engine that accepts all bodies which
    /// no other engine recognises comes last.
    pub fn by_body() -> impl Iterator<Item = Self> {
        ALL.iter().rev().copied()
    }

    /// Returns the kinds of documents that the operator stores, each with its engine.
    pub fn stored_documents() -> impl Iterator<Item = (Self, StoredDocuments)> {
        ALL.iter().filter_map(|engine| {
            let documents = engine.documents();
            documents.map(|documents| (*engine, documents))
        })
    }

    /// Returns the parts of addresses that engines define.
    #[must_use]
    pub fn paths() -> EnginePaths {
        let of_runs = ALL.iter().filter_map(|engine| engine.run_document());
        EnginePaths {
            stored: Self::stored_documents()
                .map(|(_, documents)| documents.path)
                .collect(),
            run_documents: of_runs.collect(),
        }
    }

    /// Returns the name of the document that the engine makes of a run, if it makes one.
    #[must_use]
    pub fn run_document(self) -> Option<&'static str> {
        with_engine!(self, E => E::RUN_DOCUMENT.map(|document| document.name))
    }

    /// Returns the names of the settings that engines define.
    #[must_use]
    pub fn variables() -> EngineVariables {
        let secrets = ALL.iter();
        let secrets = secrets.filter_map(|engine| with_engine!(*engine, E => E::KEPT_SECRETS));
        EngineVariables {
            shared: Self::stored_documents()
                .map(|(_, documents)| SharedVariable {
                    name: documents.variable,
                    may_be_any: documents.may_be_any,
                })
                .collect(),
            secrets: secrets.collect(),
        }
    }

    /// Returns the length of the longest request body for this engine, in bytes.
    #[must_use]
    pub fn body_bytes_max(self) -> usize {
        with_engine!(self, E => E::BODY_BYTES_MAX)
    }

    /// Returns the message for a body that no engine accepts because it is empty or too long.
    #[must_use]
    pub fn wrong_length() -> String {
        let mut limits = String::new();
        for engine in ALL {
            let bytes_max = engine.body_bytes_max();
            let limit = match engine.order_tag() {
                None => format!(", or over {bytes_max} bytes"),
                Some(noun) => format!(", or with a {noun} over {bytes_max} bytes"),
            };
            limits.push_str(&limit);
        }
        format!("The body is empty{limits}.")
    }

    /// Returns the kind of documents that the operator stores for this engine, if any.
    #[must_use]
    pub fn documents(self) -> Option<StoredDocuments> {
        with_engine!(self, E => E::STORED_DOCUMENTS)
    }

    /// Returns a sentence for users who want to fork a run that has expired.
    #[must_use]
    pub fn begin_anew(self) -> &'static str {
        with_engine!(self, E => E::BEGIN_ANEW)
    }

    /// Returns a sentence that explains how to fork a run of this engine.
    #[must_use]
    pub fn how_to_fork(self) -> &'static str {
        with_engine!(self, E => E::HOW_TO_FORK)
    }

    /// Returns the page that shows this engine's runs; `None` if the page at each run's own address shows them.
    #[must_use]
    pub fn page(self) -> Option<&'static str> {
        with_engine!(self, E => E::PAGE)
    }

    /// Returns whether a run's record in KV is complete. If not, the rest must be requested from the run's object.
    #[must_use]
    pub fn has_whole_documents(record: &Value) -> bool {
        let engine = Self::named(record.pointer("/meta/engine"));
        engine.is_some_and(|engine| with_engine!(engine, E => E::HAS_WHOLE_DOCUMENTS))
    }

    /// Returns the engine of a run according to its outline.
    #[must_use]
    pub fn of_outline(outline: &Value) -> Option<Self> {
        Self::named(outline.get("engine"))
    }

    fn named(tag: Option<&Value>) -> Option<Self> {
        let tag = tag.and_then(Value::as_str);
        let mut engines = ALL.iter().copied();
        engines.find(|engine| engine.order_tag() == tag)
    }

    /// Returns the length of the longest order of any engine, in bytes of JSON.
    #[must_use]
    pub fn order_bytes_max() -> usize {
        let longest = ALL
            .iter()
            .map(|engine| with_engine!(engine, E => E::ORDER_BYTES_MAX));
        longest.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_its_engine_by_its_tag() {
        let named = |json: &str| EngineName::of_first_entry(json);
        let first = named(r#"{"opened":{"order":{"version":1}}}"#);
        assert_eq!(first, Some(EngineName::Investigation));
        let tagged = named(r#"{"opened":{"order":{"engine":"workflow"}}}"#);
        assert_eq!(tagged, Some(EngineName::Workflow));
        assert_eq!(named(r#"{"opened":{"order":{"engine":"dream"}}}"#), None);
        assert_eq!(named(r#"{"closed":{}}"#), None);
        assert_eq!(EngineName::of_order("{}"), first);
    }

    #[test]
    fn no_two_engines_have_one_tag() {
        let tags: Vec<_> = ALL.iter().map(|engine| engine.order_tag()).collect();
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag), "{tag:?}");
        }
    }
}

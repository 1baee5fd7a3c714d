//! The registry: one row for each engine. No room but this one and the engines' own names an engine.

mod runs;

use serde::Deserialize;
use serde_json::Value;

use engine::{Engine, Requests, StoredDocuments, Tools};
use platform::events::EventKinds;
use settings::{EngineVariables, SharedVariable};

pub use runs::{OpenedRun, REGISTRY, Wanted, WantedRun};

/// Makes a name for each engine out of the rows, and one dispatch over them.
macro_rules! register {
    ($d:tt $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:ident: $engine:path,)+) => {
        /// The name of the engine that a run is of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EngineName {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $name,)+
        }

        /// Every engine, in the order of the rows.
        const ALL: &[EngineName] = &[$($(#[cfg($cfg)])? EngineName::$name),+];

        /// Evaluates an expression with the type of the engine that a name names.
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

/// The names in addresses that engines give.
#[derive(Debug, Clone, Default)]
pub struct EnginePaths {
    /// The first parts of the addresses of documents that the operator stores.
    pub stored: Vec<&'static str>,
    /// The last parts of the addresses of documents that engines make of their runs.
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
    /// Returns the engine of an order's JSON; `None` where it is no order of an engine that this program
    /// has.
    #[must_use]
    pub fn of_order(json: &str) -> Option<Self> {
        Self::of_tag(&serde_json::from_str(json).ok()?)
    }

    /// Returns the engine of the JSON of an object with the member `order`.
    #[must_use]
    pub fn of_holder(json: &str) -> Option<Self> {
        let holder: Holder = serde_json::from_str(json).ok()?;
        Self::of_tag(&holder.order)
    }

    /// Returns the engine of the JSON of a journal's first entry.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        let first: FirstEntry = serde_json::from_str(json).ok()?;
        Self::of_tag(&first.opened.order)
    }

    fn of_tag(tag: &OrderTag) -> Option<Self> {
        let mut engines = ALL.iter().copied();
        engines.find(|engine| engine.order_tag() == tag.engine.as_deref())
    }

    /// Returns whether this is the name of an engine.
    #[must_use]
    pub fn is<E: Engine>(self) -> bool {
        self.order_tag() == E::ORDER_TAG
    }

    fn order_tag(self) -> Option<&'static str> {
        with_engine!(self, E => E::ORDER_TAG)
    }

    /// Returns the kinds of events that the engine's runs tell.
    #[must_use]
    pub fn event_kinds(self) -> EventKinds {
        with_engine!(self, E => E::KINDS)
    }

    /// Returns every engine whose runs are asked for by a body: first those that know their own bodies,
    /// and last the one that takes what no other does.
    pub fn by_body() -> impl Iterator<Item = Self> {
        ALL.iter().rev().copied()
    }

    /// Returns the documents that the operator stores, of every engine that has some.
    pub fn stored_documents() -> impl Iterator<Item = (Self, StoredDocuments)> {
        ALL.iter().filter_map(|engine| {
            let documents = engine.documents();
            documents.map(|documents| (*engine, documents))
        })
    }

    /// Returns the names in addresses that engines give.
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

    /// Returns the name of the document that the engine makes of a run.
    #[must_use]
    pub fn run_document(self) -> Option<&'static str> {
        with_engine!(self, E => E::RUN_DOCUMENT.map(|document| document.name))
    }

    /// Returns the settings that engines name.
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

    /// Returns the length of the longest body that asks for a run of this engine, in bytes.
    #[must_use]
    pub fn body_bytes_max(self) -> usize {
        with_engine!(self, E => E::BODY_BYTES_MAX)
    }

    /// Returns the sentence that says why a body is of no engine's run: it is empty, or too long.
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

    /// Returns the documents that the operator stores for runs of this engine.
    #[must_use]
    pub fn documents(self) -> Option<StoredDocuments> {
        with_engine!(self, E => E::STORED_DOCUMENTS)
    }

    /// Returns the sentence for somebody whose run to fork is gone.
    #[must_use]
    pub fn begin_anew(self) -> &'static str {
        with_engine!(self, E => E::BEGIN_ANEW)
    }

    /// Returns how a run of this engine is forked.
    #[must_use]
    pub fn how_to_fork(self) -> &'static str {
        with_engine!(self, E => E::HOW_TO_FORK)
    }

    /// Returns the page that shows the runs of this engine; `None` where the page at a run's own address
    /// shows them.
    #[must_use]
    pub fn page(self) -> Option<&'static str> {
        with_engine!(self, E => E::PAGE)
    }

    /// Returns whether a run's record in KV tells the whole run; otherwise the run's object knows it.
    #[must_use]
    pub fn has_whole_documents(record: &Value) -> bool {
        let engine = Self::named(record.pointer("/meta/engine"));
        engine.is_some_and(|engine| with_engine!(engine, E => E::HAS_WHOLE_DOCUMENTS))
    }

    /// Returns the engine of a run by what its object tells of it.
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

//! Deliberate failures: which call of which provider fails, and how.
//!
//! A fault file is a JSON list of rows like `{"provider":"google","call":3,"kind":"quota-day"}`. Instead of `call`, a
//! row may have `from` and `to` (both included, either may be absent) or `every`. Calls are counted from 1 for each
//! provider. For a provider with a model, the kind `habit-NAME` makes the model answer an automaton with that
//! [`ModelHabit`].

use std::fmt;

use serde::Deserialize;

use super::providers::brave::BraveFault;
use super::providers::commons::{CommonsFault, FileHostFault};
use super::providers::gemini::GeminiFault;
use super::providers::google::GoogleFault;
use super::providers::images::ImageFault;
use super::providers::mediawiki::MediaWikiFault;
use super::providers::openai::OpenAiFault;
use super::providers::openverse::OpenverseFault;
use super::providers::references::ReferencesFault;
use super::providers::rekognition::RekognitionFault;
use super::providers::serpapi::SerpApiFault;
use super::providers::serper::SerperFault;
use super::providers::workers_ai::WorkersAiFault;
use super::providers::{CommonFault, EchoFault, ModelHabit, SandboxProvider};

/// A fault of a provider's call: one that only this provider has, or one that any provider can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProviderFault {
    Common(CommonFault),
    Echo(EchoFault),
    /// A bad habit of the provider's model, which only affects its answers to automata's questions.
    Habit(ModelHabit),
    Google(GoogleFault),
    Rekognition(RekognitionFault),
    Gemini(GeminiFault),
    WorkersAi(WorkersAiFault),
    OpenAi(OpenAiFault),
    Image(ImageFault),
    FileHost(FileHostFault),
    Commons(CommonsFault),
    /// A fault of the MediaWiki API, which Commons and Wikidata share.
    MediaWiki(MediaWikiFault),
    Brave(BraveFault),
    Openverse(OpenverseFault),
    SerpApi(SerpApiFault),
    Serper(SerperFault),
    References(ReferencesFault),
}

impl ProviderFault {
    fn named(provider: SandboxProvider, name: &str) -> Option<Self> {
        let own = match provider {
            SandboxProvider::Google => GoogleFault::named(name).map(Self::Google),
            SandboxProvider::Rekognition => RekognitionFault::named(name).map(Self::Rekognition),
            SandboxProvider::Gemini => GeminiFault::named(name).map(Self::Gemini),
            SandboxProvider::WorkersAi => WorkersAiFault::named(name).map(Self::WorkersAi),
            SandboxProvider::OpenAi => OpenAiFault::named(name).map(Self::OpenAi),
            SandboxProvider::Image => ImageFault::named(name)
                .map(Self::Image)
                .or_else(|| FileHostFault::named(name).map(Self::FileHost)),
            SandboxProvider::Commons => CommonsFault::named(name)
                .map(Self::Commons)
                .or_else(|| MediaWikiFault::named(name).map(Self::MediaWiki)),
            SandboxProvider::Wikidata => MediaWikiFault::named(name).map(Self::MediaWiki),
            SandboxProvider::Brave => BraveFault::named(name).map(Self::Brave),
            SandboxProvider::Openverse => OpenverseFault::named(name).map(Self::Openverse),
            SandboxProvider::SerpApi => SerpApiFault::named(name).map(Self::SerpApi),
            SandboxProvider::Serper => SerperFault::named(name).map(Self::Serper),
            SandboxProvider::References => ReferencesFault::named(name).map(Self::References),
        };
        own.or_else(|| CommonFault::named(name).map(Self::Common))
            .or_else(|| EchoFault::named(name).map(Self::Echo))
            .or_else(|| habit_of(provider, name).map(Self::Habit))
    }
}

/// Returns the habit of a kind `habit-NAME`. Returns `None` for an unknown name or a provider without a model.
fn habit_of(provider: SandboxProvider, name: &str) -> Option<ModelHabit> {
    let has_model = matches!(
        provider,
        SandboxProvider::Gemini | SandboxProvider::WorkersAi | SandboxProvider::OpenAi
    );
    let name = name.strip_prefix("habit-").filter(|_| has_model)?;
    ModelHabit::named(name)
}

/// Returns the names of a provider's fault kinds: first those that only this provider has, then the common ones. It
/// omits `echo-STATUS` and `habit-NAME`.
#[must_use]
pub fn fault_kinds_of(provider: SandboxProvider) -> Vec<&'static str> {
    let mut names = match provider {
        SandboxProvider::Google => names_in(GoogleFault::ALL),
        SandboxProvider::Rekognition => names_in(RekognitionFault::ALL),
        SandboxProvider::Gemini => names_in(GeminiFault::ALL),
        SandboxProvider::WorkersAi => names_in(WorkersAiFault::ALL),
        SandboxProvider::OpenAi => names_in(OpenAiFault::ALL),
        SandboxProvider::Image => {
            let own = names_in(ImageFault::ALL);
            own.into_iter()
                .chain(names_in(FileHostFault::ALL))
                .collect()
        }
        SandboxProvider::Commons => {
            let own = names_in(CommonsFault::ALL);
            own.into_iter()
                .chain(names_in(MediaWikiFault::ALL))
                .collect()
        }
        SandboxProvider::Wikidata => names_in(MediaWikiFault::ALL),
        SandboxProvider::Brave => names_in(BraveFault::ALL),
        SandboxProvider::Openverse => names_in(OpenverseFault::ALL),
        SandboxProvider::SerpApi => names_in(SerpApiFault::ALL),
        SandboxProvider::Serper => names_in(SerperFault::ALL),
        SandboxProvider::References => names_in(ReferencesFault::ALL),
    };
    for (name, _) in CommonFault::ALL {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

fn names_in<Kind>(kinds: &[(&'static str, Kind)]) -> Vec<&'static str> {
    kinds.iter().map(|(name, _)| *name).collect()
}

/// A plan of which calls fail, and how; by default no call fails. The first row that matches a call applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultPlan {
    rows: Vec<FaultRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FaultRow {
    provider: SandboxProvider,
    when: CallSelector,
    fault: ProviderFault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallSelector {
    Between(u64, u64),
    Every(u64),
}

/// An error in a fault file; the message names the row, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultError {
    /// The file is not a JSON list of rows; the text is the parser's message.
    NotAPlan(String),
    /// A row names a provider that does not exist.
    Provider(usize, String),
    /// A row does not have exactly one of `call`, `from`/`to` and `every`, or it has 0 as the number of a call.
    When(usize),
    /// A row has a kind that its provider does not have.
    Kind(usize, SandboxProvider, String),
}

impl fmt::Display for FaultError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPlan(reason) => write!(out, "the fault file is no list of faults: {reason}"),
            Self::Provider(row, name) => {
                let names = SandboxProvider::ALL.map(SandboxProvider::name).join(", ");
                write!(
                    out,
                    "fault {row}: no provider \"{name}\"; there are {names}"
                )
            }
            Self::When(row) => write!(
                out,
                "fault {row}: say exactly one of \"call\", \"from\"/\"to\" and \"every\", counted from 1"
            ),
            Self::Kind(row, provider, name) => {
                let names = fault_kinds_of(*provider).join(", ");
                write!(
                    out,
                    "fault {row}: {provider} has no kind \"{name}\"; it has {names}, echo-STATUS"
                )
            }
        }
    }
}

impl std::error::Error for FaultError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireRow {
    provider: String,
    call: Option<u64>,
    from: Option<u64>,
    to: Option<u64>,
    every: Option<u64>,
    kind: String,
}

impl FaultPlan {
    /// Parses a fault file, in the format described in this module's documentation.
    pub fn parse(json: &str) -> Result<Self, FaultError> {
        let rows: Vec<WireRow> =
            serde_json::from_str(json).map_err(|error| FaultError::NotAPlan(error.to_string()))?;
        let rows = rows
            .iter()
            .enumerate()
            .map(|(number, row)| FaultRow::read(number + 1, row));
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the fault for a provider's call, or `None` if the call succeeds. `call` is counted from 1 for each
    /// provider. The first matching row applies.
    pub(super) fn at(&self, provider: SandboxProvider, call: u64) -> Option<ProviderFault> {
        let fits = |row: &&FaultRow| row.provider == provider && row.when.holds(call);
        self.rows.iter().find(fits).map(|row| row.fault)
    }
}

impl FaultRow {
    fn read(number: usize, row: &WireRow) -> Result<Self, FaultError> {
        let provider = SandboxProvider::named(&row.provider)
            .ok_or_else(|| FaultError::Provider(number, row.provider.clone()))?;
        let when = match (row.call, row.from, row.to, row.every) {
            (Some(call @ 1..), None, None, None) => CallSelector::Between(call, call),
            (None, None, None, Some(every @ 1..)) => CallSelector::Every(every),
            (None, from, to, None) if from.or(to).is_some() && from != Some(0) => {
                CallSelector::Between(from.unwrap_or(1), to.unwrap_or(u64::MAX))
            }
            _ => return Err(FaultError::When(number)),
        };
        let fault = ProviderFault::named(provider, &row.kind)
            .ok_or_else(|| FaultError::Kind(number, provider, row.kind.clone()))?;
        Ok(Self {
            provider,
            when,
            fault,
        })
    }
}

impl CallSelector {
    fn holds(self, call: u64) -> bool {
        match self {
            Self::Between(from, to) => (from..=to).contains(&call),
            Self::Every(every) => call.is_multiple_of(every),
        }
    }
}

#[cfg(test)]
mod tests;

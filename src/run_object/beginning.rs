//! A run that is about to begin in its object, of whichever engine.

use std::collections::BTreeMap;

use domain::{RunToken, Secret};
use engine::Asked;
use engine::budget::Amount;
use engine::journal::Entry;
use settings::Providers;

use crate::door::{CreatorKey, KeyClaim};
use crate::engines::{EngineName, with_engine};

use super::messages::{CreationOf, Starter};
use super::opening::opening;

/// A run that is about to begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The run's token.
    pub run: RunToken,
    /// The entries with which its journal begins, as JSON: what was asked, and the answers that it has from the
    /// run that it is forked from.
    pub entries: Vec<String>,
    /// The time at which everything of the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The most that the run may spend; `None` where that is not known.
    pub most: Option<Amount>,
    /// The secrets that came with the request, by their names: they are kept in memory alone.
    pub secrets: BTreeMap<String, Secret>,
    /// The run whose artifacts it needs.
    pub artifact_source: Option<ArtifactSource>,
    /// The key of the secret that the run's creator gets.
    pub creator: Option<CreatorKey>,
    /// The one who starts the run, where the budget of the day has to be asked.
    pub starter: Option<Starter>,
    /// The idempotency key that the run takes.
    pub key: Option<KeyClaim>,
}

/// The run whose artifacts a fork of it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactSource {
    /// The token of that run.
    pub run: RunToken,
    /// The answers that the fork has, as JSON: they name the artifacts that it needs.
    pub answers: String,
}

impl Beginning {
    /// Reads a [`Creation`](super::Creation) in JSON, at a time in milliseconds since 1970. Returns `None`
    /// where no engine can begin a run with it.
    #[must_use]
    pub fn read(
        creation: &str,
        providers: &Providers,
        now_ms: u64,
        time_to_live_s: u64,
    ) -> Option<Self> {
        let engine = EngineName::of_holder(creation)?;
        with_engine!(engine, E => {
            let creation: CreationOf<E> = serde_json::from_str(creation).ok()?;
            Self::of::<E>(creation, providers, now_ms, time_to_live_s)
        })
    }

    fn of<E: Asked>(
        creation: CreationOf<E>,
        providers: &Providers,
        now_ms: u64,
        time_to_live_s: u64,
    ) -> Option<Self> {
        let run = RunToken::parse(&creation.run).ok()?;
        let mut opened = opening::<E>(providers, &run, creation.order, now_ms, time_to_live_s);
        opened.forked_from = creation.fork.as_ref().map(|fork| fork.run.clone());
        opened.host = creation.host;
        if let Some(until_ms) = creation.kept_until_ms {
            opened.expires_ms = opened.expires_ms.max(until_ms);
        }
        let artifact_source = creation.fork.as_ref().filter(|_| E::KEEPS_ARTIFACTS);
        let artifact_source = artifact_source.and_then(|fork| {
            Some(ArtifactSource {
                run: RunToken::parse(&fork.run).ok()?,
                answers: serde_json::to_string(&fork.answers).ok()?,
            })
        });
        let (expires_ms, most) = (opened.expires_ms, E::most(&opened.order, providers));
        let inherited = creation.fork.into_iter().flat_map(|fork| fork.answers);
        let entries = std::iter::once(Entry::Opened(opened)).chain(inherited.map(Entry::Inherited));
        Some(Self {
            run,
            entries: entries.map(|entry: Entry<E>| entry.to_json()).collect(),
            expires_ms,
            most,
            secrets: creation.secrets,
            artifact_source,
            creator: creation.creator,
            starter: creation.starter,
            key: creation.key,
        })
    }
}

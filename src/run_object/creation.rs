//! The bodies of calls to a run's object, and of their answers.

use std::collections::BTreeMap;

use domain::{RunToken, Secret};
use engine::budget::{Amount, Refusal};
use engine::journal::{AnswerEntry, ENTRY_VERSION, Entry};
use engine::{Machine, Opened, Requests};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use settings::{Providers, StartLimits};

use crate::auth::{CreatorKey, KeyClaim};
use crate::engines::{EngineName, with_engine};

/// A run to be begun. The Worker sends the order and the answers as the JSON that they are; an object reads
/// them as their engine has them ([`CreationOf`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation<Order, Answers> {
    /// The token that the run shall have.
    pub run: String,
    /// The order that was asked for and accepted.
    pub order: Order,
    /// The key of the secret that the run's creator gets; `None` from a Worker of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<CreatorKey>,
    /// The answers of the run that the new run is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork<Answers>>,
    /// The secrets that came with the request, by their names. The object stores none of them.
    #[serde(
        default,
        deserialize_with = "read_secrets",
        serialize_with = "write_secrets",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub secrets: BTreeMap<String, Secret>,
    /// The host at which the Worker was asked for the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The one who starts the run, where the budget of the day has to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter: Option<Starter>,
    /// The idempotency key that the run takes; `None` where no key was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyClaim>,
    /// When the run that begins this run expires, in milliseconds since 1970. Until then this run is
    /// kept, so that it can be deleted with that run. `None` for a run that somebody asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_until_ms: Option<u64>,
}

/// The result of a [`Creation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CreateAnswer {
    /// This creation has begun the run.
    Begun,
    /// The run was there since before: another creation has begun it.
    Found,
    /// The run was there, and was deleted.
    Deleted,
    /// The run is not there, and nothing is reserved for it.
    Refused(Refusal),
    /// The run is not there, since another run has its idempotency key by now.
    KeyTaken,
}

/// A run that is deleted with the run that began it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChildDeletion {
    /// The token of the run, which may not have been begun yet, and then never is.
    pub run: String,
    /// The time at which the run that began it expires, in milliseconds since 1970.
    pub expires_ms: u64,
}

/// The number of runs that a deletion has removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionCount {
    /// The number of runs that are gone: the one that was asked for, and those that it began.
    pub deleted: u32,
    /// The number of runs that it began whose objects have not answered yet; they are asked again.
    pub pending: u32,
}

/// The one who starts a run, and what holds for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starter {
    /// The digest of the starter's address.
    pub client: String,
    /// The limits of today, of one client and of all together.
    pub limits: StartLimits,
}

/// The answers with which a forked run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork<Answers> {
    /// The token of the run that it is forked from.
    pub run: String,
    /// The successes of that run.
    pub answers: Answers,
}

/// The order and answers that a run gives to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForkSource<Order, Answers> {
    /// The request that it was begun with.
    pub order: Order,
    /// The run's successes so far, and those that it had from an earlier run.
    pub answers: Answers,
}

/// A [`Creation`] as the engine of its run reads it.
pub type CreationOf<E> = Creation<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`Creation`] as the Worker passes it on.
pub type CreationJson = Creation<Box<RawValue>, Box<RawValue>>;
/// A [`Fork`] as the engine of its run reads it.
pub type ForkOf<E> = Fork<Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] as the engine of its run has it.
pub type ForkSourceOf<E> = ForkSource<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] as the Worker passes it on.
pub type ForkSourceJson = ForkSource<Box<RawValue>, Box<RawValue>>;

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

    fn of<E: Requests>(
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

/// Returns the first journal entry of a run that begins now.
///
/// The run expires its own longest time and `time_to_live_s` from now.
#[must_use]
pub fn opening<E: Requests>(
    providers: &Providers,
    run: &RunToken,
    order: E::Order,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened<E> {
    let order = E::with_settings(order, providers);
    // The run's own longest time comes before its time to live.
    let kept_ms = time_to_live_s
        .saturating_mul(1_000)
        .saturating_add(E::order_runtime_ms_max(&order));
    Opened {
        version: ENTRY_VERSION,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        run: run.to_string(),
        order,
        expires_ms: now_ms.saturating_add(kept_ms),
        forked_from: None,
        host: None,
    }
}

/// Returns the first journal entry of a run that begins now, by its order in JSON. Returns `None` where no engine
/// reads the order.
#[must_use]
pub fn first_entry(
    order: &str,
    providers: &Providers,
    run: &RunToken,
    now_ms: u64,
    time_to_live_s: u64,
) -> Option<String> {
    with_engine!(EngineName::of_order(order)?, E => {
        let order = serde_json::from_str(order).ok()?;
        let opened = opening::<E>(providers, run, order, now_ms, time_to_live_s);
        Some(Entry::Opened(opened).to_json())
    })
}

/// Writes secrets as an object from names to texts.
fn write_secrets<S: Serializer>(
    secrets: &BTreeMap<String, Secret>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(secrets.iter().map(|(name, secret)| (name, secret.reveal())))
}

/// Reads secrets as [`serialize`] writes them.
fn read_secrets<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Secret>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    let secrets = texts.into_iter();
    Ok(secrets.map(|(name, text)| (name, text.into())).collect())
}

//! The bodies of calls to a run's object, and the bodies of its responses.

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

/// The request to begin a run. The Worker forwards the order and the answers as JSON, and the object parses them as
/// its engine's types ([`CreationOf`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation<Order, Answers> {
    /// The run's token.
    pub run: String,
    /// The accepted order.
    pub order: Order,
    /// The key of the creator's secret; `None` if a Worker of an earlier version sent the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<CreatorKey>,
    /// The answers of the run that is forked, if this run is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork<Answers>>,
    /// The secrets that came with the request, by name. The object does not store them.
    #[serde(
        default,
        deserialize_with = "read_secrets",
        serialize_with = "write_secrets",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub secrets: BTreeMap<String, Secret>,
    /// The host of this server at which the Worker received the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The client that started the run; `None` if no daily budget applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter: Option<Starter>,
    /// The idempotency key that the run claims, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyClaim>,
    /// When the parent run expires, in milliseconds since 1970. This run is stored until then, so that both are
    /// deleted together. `None` for a run without a parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_until_ms: Option<u64>,
}

/// The response to a [`Creation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CreateAnswer {
    /// This request has begun the run.
    Begun,
    /// An earlier request had begun the run.
    Found,
    /// The run existed but was deleted.
    Deleted,
    /// The run was not begun, and nothing is reserved for it.
    Refused(Refusal),
    /// The run was not begun because another run holds its idempotency key.
    KeyTaken,
}

/// A run that is deleted together with its parent run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChildDeletion {
    /// The run's token. If the run has not begun yet, it never will.
    pub run: String,
    /// When the parent run expires, in milliseconds since 1970.
    pub expires_ms: u64,
}

/// How many runs a deletion has deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionCount {
    /// The number of deleted runs, which are the requested run and its child runs.
    pub deleted: u32,
    /// The number of child runs whose objects have not answered yet. They will be asked again.
    pub pending: u32,
}

/// The client that started a run, and the limits that apply to starting it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starter {
    /// The digest of the address of the client that started the run.
    pub client: String,
    /// The limits of today, for one client and for all clients together.
    pub limits: StartLimits,
}

/// The answers with which a forked run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork<Answers> {
    /// The token of the run that was forked.
    pub run: String,
    /// The successful answers of that run.
    pub answers: Answers,
}

/// The order and the answers that a run provides to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForkSource<Order, Answers> {
    /// The order with which the forked run began.
    pub order: Order,
    /// The run's successful answers so far, including those inherited from an earlier run.
    pub answers: Answers,
}

/// A [`Creation`] with its engine's types, as the object parses it.
pub type CreationOf<E> = Creation<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`Creation`] with JSON texts, as the Worker forwards it.
pub type CreationJson = Creation<Box<RawValue>, Box<RawValue>>;
/// A [`Fork`] with its engine's types.
pub type ForkOf<E> = Fork<Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] with its engine's types, as the object makes it.
pub type ForkSourceOf<E> = ForkSource<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] with JSON texts, as the Worker forwards it.
pub type ForkSourceJson = ForkSource<Box<RawValue>, Box<RawValue>>;

/// A run that is about to begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The run's token.
    pub run: RunToken,
    /// The first entries of the run's journal, as JSON. They contain the run's order and, for a fork, the answers of
    /// the forked run.
    pub entries: Vec<String>,
    /// When everything about the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The most that the run may spend; `None` if unknown.
    pub most: Option<Amount>,
    /// The secrets that came with the request, by name. They are kept only in memory.
    pub secrets: BTreeMap<String, Secret>,
    /// The run whose artifacts this run needs, if it is a fork.
    pub artifact_source: Option<ArtifactSource>,
    /// The key of the creator's secret.
    pub creator: Option<CreatorKey>,
    /// The client that started the run; `None` if no daily budget applies.
    pub starter: Option<Starter>,
    /// The idempotency key that the run claims, if any.
    pub key: Option<KeyClaim>,
}

/// The run whose artifacts a fork needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactSource {
    /// The run's token.
    pub run: RunToken,
    /// The answers of the fork, as JSON. They name the artifacts that the fork needs.
    pub answers: String,
}

impl Beginning {
    /// Parses a [`Creation`] received at a time in milliseconds since 1970. Returns `None` if no
    /// engine can begin the run.
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

/// Returns the first journal entry of a run that begins now. The run expires `time_to_live_s` after the time by which
/// it must have ended.
#[must_use]
pub fn opening<E: Requests>(
    providers: &Providers,
    run: &RunToken,
    order: E::Order,
    now_ms: u64,
    time_to_live_s: u64,
) -> Opened<E> {
    let order = E::with_settings(order, providers);
    // The time to live is counted from the time by which the run must have ended.
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

/// Returns the first journal entry of a run that begins now with this order, as JSON. Returns `None` if no engine
/// accepts the order.
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

/// Serialises secrets as a map from names to texts.
fn write_secrets<S: Serializer>(
    secrets: &BTreeMap<String, Secret>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(secrets.iter().map(|(name, secret)| (name, secret.reveal())))
}

/// Deserialises secrets that `write_secrets` wrote.
fn read_secrets<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Secret>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    let secrets = texts.into_iter();
    Ok(secrets.map(|(name, text)| (name, text.into())).collect())
}

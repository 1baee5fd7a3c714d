//! Replays a sealed file with the same answers at the same times, and without any provider.

use domain::Secret;
use engine::journal::{ENTRY_VERSION, Entry, RebuildError, RebuiltRun};
use engine::{Engine, Opened, OrderError};
use kernel::CommandId;
use platform::events::WireEvent;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::engines::with_engine;

use super::reading::{ReplayError, ReplayLimits, SealedSlices};
use super::{Difference, DigestCheck, Engines, Origin, Report, Verdict, digest_of, is_hmac_of};

/// Replays a sealed file and compares the result with it. `key` is the operator's signing key, if there is one.
///
/// In addition to the text, the replay needs little more memory than the machine. It stops at the first difference,
/// at the first entry that no run writes, and at the limit of steps.
pub fn replay(
    text: &str,
    key: Option<&Secret>,
    limits: ReplayLimits,
) -> Result<Report, ReplayError> {
    execute_again(text, key, limits).map(|(report, _)| report)
}

/// Replays a file like [`replay`]. Returns the report, and the JSON of the replay's last event.
pub(super) fn execute_again(
    text: &str,
    key: Option<&Secret>,
    limits: ReplayLimits,
) -> Result<(Report, Option<String>), ReplayError> {
    let file = SealedSlices::read(text, limits)?;
    let computed =
        digest_of(file.body).map_err(|error| ReplayError::unreadable(&format!("it {error}")))?;
    let origin = origin(file.hmac.as_deref(), &computed, key);
    let digest = DigestCheck {
        matches: file.digest == computed,
        stated: file.digest.clone(),
        computed,
    };
    let (told, difference) = with_engine!(file.engine_name, E => execute::<E>(&file, limits)?);
    let difference = difference.or((!digest.matches).then_some(Difference::Digest));
    let engine = Engines {
        sealed: file.engine,
        replayed: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let report = Report {
        result: match difference {
            None => Verdict::Identical,
            Some(_) => Verdict::Different,
        },
        says: says(difference.as_ref(), origin, &engine),
        run: file.run,
        events: told.len(),
        engine,
        digest,
        origin,
        difference,
    };
    let last = told.into_iter().last().filter(|event| event.is_last);
    Ok((report, last.map(|event| event.json)))
}

/// Checks the HMAC against the digest of the actual content, so that a copied HMAC proves nothing.
fn origin(hmac: Option<&str>, computed: &str, key: Option<&Secret>) -> Origin {
    match (hmac, key) {
        (None, _) => Origin::Unsigned,
        (Some(_), None) => Origin::NotChecked,
        (Some(hmac), Some(key)) if is_hmac_of(hmac, computed, key) => Origin::ThisServer,
        (Some(_), Some(_)) => Origin::NotThisServer,
    }
}

/// Replays the run. Returns its events, and the first difference.
fn execute<E: Engine>(
    file: &SealedSlices<'_>,
    limits: ReplayLimits,
) -> Result<(Vec<WireEvent>, Option<Difference>), ReplayError> {
    let opened: Opened<E> = Opened {
        version: ENTRY_VERSION,
        engine: file.engine.clone(),
        run: file.run.clone(),
        order: file.order::<E>(limits)?,
        expires_ms: 0,
        host: None,
        forked_from: file.forked_from.clone(),
    };
    let mut rebuilt = RebuiltRun::new(opened).map_err(|error| match &error {
        OrderError::Part(_) => ReplayError::Question(error.to_string()),
        OrderError::Together(_) => ReplayError::Conflict(error.to_string()),
    })?;
    let mut comparison = Comparison::new::<E>(file);
    let (mut misfit, mut steps) = (None, 0u64);
    for entry in file.entries::<E>() {
        if let Err(error) = take(&mut rebuilt, entry) {
            misfit = Some(error);
            break;
        }
        // The first difference decides; nothing is replayed beyond it.
        comparison.compare(&rebuilt, rebuilt.events(), false);
        if comparison.is_different() {
            break;
        }
        steps = steps.saturating_add(E::steps(rebuilt.state().machine()));
        if steps > limits.steps_max {
            return Err(ReplayError::TooLong(limits));
        }
    }
    let told = told_now(&mut rebuilt, file);
    if misfit.is_none() {
        comparison.compare(&rebuilt, &told, true);
    } else {
        comparison.compare_events(&told, false);
    }
    let misfit = misfit.map(|command| Difference::Answer { command: command.0 });
    let difference = comparison.into_difference().or(misfit);
    Ok((told, difference))
}

fn take<E: Engine>(rebuilt: &mut RebuiltRun<E>, entry: Option<Entry<E>>) -> Result<(), CommandId> {
    // An entry that does not belong in a sealed file, or that no run would write, counts as a wrong answer to command
    // 0.
    let is_right = |entry: &Entry<E>| entry.is_of_the_search() && entry.is_plausible();
    let entry = entry.filter(is_right).ok_or(CommandId(0))?;
    rebuilt.apply(entry).map_err(|error| match error {
        RebuildError::Diverged(command) => command,
        RebuildError::Unreadable(_) | RebuildError::NotOpened => CommandId(0),
    })
}

/// Returns the replayed events. If the run failed, they include the failed run's last event.
fn told_now<E: Engine>(rebuilt: &mut RebuiltRun<E>, file: &SealedSlices<'_>) -> Vec<WireEvent> {
    let mut told = rebuilt.take_events();
    if let Some(now) = rebuilt.interrupted() {
        // The run may have failed before it emitted its last events, although their input is in the journal.
        told.truncate(file.events.len().saturating_sub(1));
        let number = u32::try_from(told.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let mut before = told.iter().map(|event| event.json.as_str());
        let event = E::interrupted_event(&file.run, number, now, &mut before);
        told.push(event);
    }
    told
}

fn says(difference: Option<&Difference>, origin: Origin, engine: &Engines) -> String {
    let what = match difference {
        None => "Executed again without a provider call, this run tells the same, event by event; \
                 its digest fits."
            .to_owned(),
        Some(Difference::Event { number, .. }) => {
            format!("Executed again, event {number} is told differently.")
        }
        Some(Difference::Decision { number, .. }) => {
            format!("Executed again, decision {number} is taken differently.")
        }
        Some(Difference::Answer { command }) => {
            format!("Its answer to command {command} fits nothing that is asked.")
        }
        Some(Difference::Digest) => {
            "It tells the same, but its content was changed after it was sealed: the digest does \
             not fit."
                .to_owned()
        }
    };
    let whose = match origin {
        Origin::ThisServer => "This server made the file.",
        Origin::NotThisServer => "This server did not make the file as it is.",
        Origin::Unsigned => "Whether this server made it can't be said: it carries no HMAC.",
        Origin::NotChecked => {
            "Whether this server made it can't be said: no SEAL_KEY is set here to check its HMAC."
        }
    };
    let versions = if difference.is_some() && engine.sealed != engine.replayed {
        format!(
            " It was made by version {}, and executed by {}.",
            engine.sealed, engine.replayed
        )
    } else {
        String::new()
    };
    format!("{what} {whose}{versions}")
}

/// The most events that a failed run may have made without emitting them. One input makes only a few events.
const UNTOLD_MAX: usize = 200;
/// The longest part of a file that a report repeats, in bytes.
const SHOWN_BYTES_MAX: usize = 64 * 1024;

/// Compares the replay with the file. Each event and decision is compared once, up to the first difference.
pub(super) struct Comparison<'file> {
    events: &'file [&'file RawValue],
    decisions: &'file [&'file RawValue],
    /// The most events that a failed run may have made and not emitted.
    untold_max: usize,
    compared_events: usize,
    compared_decisions: usize,
    difference: Option<Difference>,
}

impl<'file> Comparison<'file> {
    /// Starts the comparison with this file.
    pub(super) fn new<E: Engine>(file: &'file SealedSlices<'file>) -> Self {
        Self {
            events: &file.events,
            decisions: &file.decisions,
            untold_max: if file.is_interrupted::<E>() {
                UNTOLD_MAX
            } else {
                0
            },
            compared_events: 0,
            compared_decisions: 0,
            difference: None,
        }
    }

    /// Returns whether a difference was found.
    pub(super) fn is_different(&self) -> bool {
        self.difference.is_some()
    }

    /// Returns the first difference, if any.
    pub(super) fn into_difference(self) -> Option<Difference> {
        self.difference
    }

    /// Compares the events and decisions so far with the file. At the end, also finds those that are missing.
    pub(super) fn compare<E: Engine>(
        &mut self,
        rebuilt: &RebuiltRun<E>,
        told: &[WireEvent],
        is_end: bool,
    ) {
        self.compare_events(told, is_end);
        let new = E::decisions(rebuilt.state().machine(), self.compared_decisions);
        self.compare_decisions(new, is_end);
    }

    fn compare_events(&mut self, told: &[WireEvent], is_end: bool) {
        let sealed = self.events;
        let until = match (is_end, self.untold_max) {
            (true, _) => told.len().max(sealed.len()),
            (false, 0) => told.len(),
            // A failed run's last event does not come from the machine, so it is compared only at the end.
            (false, untold_max) if told.len() > sealed.len() + untold_max => told.len(),
            (false, _) => told.len().min(sealed.len().saturating_sub(1)),
        };
        while self.compared_events < until && self.difference.is_none() {
            let sealed = sealed.get(self.compared_events).map(|event| event.get());
            let event = told.get(self.compared_events);
            let replayed = event.map(|event| event.json.as_str());
            self.compared_events += 1;
            if !are_same(sealed, replayed) {
                self.difference = Some(Difference::Event {
                    number: self.compared_events,
                    sealed: sealed.and_then(shown),
                    replayed: replayed.and_then(shown),
                });
            }
        }
    }

    fn compare_decisions(&mut self, new: Vec<Value>, is_end: bool) {
        let decided = self.compared_decisions.saturating_add(new.len());
        let mut replayed = new.into_iter();
        let until = if is_end {
            decided.max(self.decisions.len())
        } else {
            decided
        };
        while self.compared_decisions < until && self.difference.is_none() {
            let decision = self.decisions.get(self.compared_decisions);
            let sealed = decision.map(|decision| decision.get());
            let replayed = replayed.next();
            let text = replayed.as_ref().map(ToString::to_string);
            self.compared_decisions += 1;
            if !are_same(sealed, text.as_deref()) {
                self.difference = Some(Difference::Decision {
                    number: self.compared_decisions,
                    sealed: sealed.and_then(shown),
                    replayed,
                });
            }
        }
    }
}

/// The largest factor by which one spelling of a text may be longer than another. No writer exceeds it, even with each
/// member on a line of its own.
const SPELLING_FACTOR_MAX: usize = 20;

/// Returns whether two JSON texts exist and are equal up to their spelling.
fn are_same(sealed: Option<&str>, replayed: Option<&str>) -> bool {
    match (sealed, replayed) {
        (Some(sealed), Some(replayed)) => sealed == replayed || is_spelled_as(sealed, replayed),
        _ => false,
    }
}

/// Returns whether two texts have the same spelling, comparing digests so that long spellings are not held.
fn is_spelled_as(one: &str, other: &str) -> bool {
    let shorter = one.len().min(other.len());
    if one.len().max(other.len()) > shorter.saturating_mul(SPELLING_FACTOR_MAX) {
        return false;
    }
    matches!((digest_of(one), digest_of(other)), (Ok(one), Ok(other)) if one == other)
}

fn shown(json: &str) -> Option<Value> {
    if json.len() > SHOWN_BYTES_MAX {
        return Some(format!("{} bytes of JSON, too long to be shown", json.len()).into());
    }
    serde_json::from_str(json).ok()
}

/// The result of checking a sealed file in the browser.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    /// The report, which says whether the replay yields the same run.
    pub report: Report,
    /// The connections of the chain according to the replay; empty if there is no chain.
    pub links: Vec<VerifiedLink>,
}

/// A connection of the chain, computed from the recogniser's answers in the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifiedLink {
    /// The name of the person nearer to A.
    pub from: String,
    /// The name of the other person.
    pub to: String,
    /// The confidence of the connection, in percent.
    pub confidence: f64,
    /// The number of photos that show both people.
    pub photos: usize,
}

/// Replays a file as [`replay()`] does, without the operator's key.
pub fn verify(text: &str, limits: ReplayLimits) -> Result<Verification, ReplayError> {
    let (report, last) = execute_again(text, None, limits)?;
    let links = last.map(|json| links_of(&json)).unwrap_or_default();
    Ok(Verification { report, links })
}

/// Checks a file like [`verify`], and returns JSON; `{"error", "isTooMuch"}` if the text is not a sealed run or exceeds
/// the limits.
#[must_use]
pub fn verify_to_json(text: &str) -> String {
    let told = match verify(text, ReplayLimits::SERVER) {
        Ok(verification) => serde_json::to_string(&verification),
        Err(error) => serde_json::to_string(&json!({
            "error": error.to_string(), "isTooMuch": error.is_too_much(),
        })),
    };
    told.unwrap_or_default()
}

/// Returns the connections in a run's last event. Only a `final` event has any.
fn links_of(json: &str) -> Vec<VerifiedLink> {
    #[derive(Deserialize)]
    struct Last {
        #[serde(default)]
        path: Vec<Person>,
        #[serde(default)]
        edges: Vec<Edge>,
    }
    #[derive(Deserialize)]
    struct Person {
        id: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Edge {
        to: String,
        from_name: String,
        to_name: String,
        #[serde(rename = "edgeConfidence")]
        confidence: f64,
        evidence: Vec<serde::de::IgnoredAny>,
    }
    let Ok(Last { path, edges }) = serde_json::from_str(json) else {
        return Vec::new();
    };
    let nearer = path.iter();
    let links = edges.into_iter().zip(nearer).map(|(edge, nearer)| {
        // An edge has its ends in the order of its discovery, which may be reversed.
        let is_turned = edge.to == nearer.id;
        let (from, to) = if is_turned {
            (edge.to_name, edge.from_name)
        } else {
            (edge.from_name, edge.to_name)
        };
        VerifiedLink {
            from,
            to,
            confidence: edge.confidence,
            photos: edge.evidence.len(),
        }
    });
    links.collect()
}

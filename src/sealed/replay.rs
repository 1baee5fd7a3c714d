//! Executes a sealed file again: the same answers at the same times, and no provider.

use serde_json::Value;

use crate::domain::Secret;
use crate::events::{WireEvent, interrupted_event};
use crate::journal::{CommandId, ENTRY_VERSION, Entry, Opened, RebuildError, RebuiltRun};
use crate::json::weight;
use crate::store::decisions_json;

use super::canonical::canonical;
use super::file::{digest_of, is_hmac_of};
use super::limits::{ReplayError, ReplayLimits};
use super::received::{ReceivedBody, ReceivedFile, entry};
use super::report::{Difference, DigestCheck, Engines, Origin, Report, Verdict};

/// An input makes a few events.
const UNTOLD_MAX: usize = 1_000;
/// What reading a part of the file takes that is shown because it differs.
const SHOWN_WEIGHT_MAX: usize = 1_000_000;
/// No program spells a text so much longer, with escapes and spaces.
const SPELLING_FACTOR_MAX: usize = 16;

/// Executes a sealed file again and compares. `key` is the operator's, if there is one.
pub fn replay(
    text: &str,
    key: Option<&Secret>,
    bounds: ReplayLimits,
) -> Result<Report, ReplayError> {
    if text.len() > bounds.bytes_max {
        return Err(ReplayError::TooLarge(bounds));
    }
    let file = ReceivedFile::read(text)?;
    let computed =
        digest_of(file.body).map_err(|error| ReplayError::Unreadable(format!("it {error}")))?;
    let body = ReceivedBody::read(file.body, bounds)?;
    let origin = origin(&file, &computed, key);
    let digest = DigestCheck {
        matches: file.digest == computed,
        stated: file.digest,
        computed,
    };
    let (events, difference) = execute(&body)?;
    let difference = difference.or((!digest.matches).then_some(Difference::Digest));
    let engine = Engines {
        sealed: body.engine,
        replayed: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(Report {
        result: match difference {
            None => Verdict::Identical,
            Some(_) => Verdict::Different,
        },
        says: says(difference.as_ref(), origin, &engine),
        run: body.run,
        events,
        engine,
        digest,
        origin,
        difference,
    })
}

/// Checked against what the content really is: a copied HMAC shows nothing.
fn origin(file: &ReceivedFile<'_>, computed: &str, key: Option<&Secret>) -> Origin {
    match (&file.hmac, key) {
        (None, _) => Origin::Unsigned,
        (Some(_), None) => Origin::NotChecked,
        (Some(hmac), Some(key)) if is_hmac_of(hmac, computed, key) => Origin::ThisServer,
        (Some(_), Some(_)) => Origin::NotThisServer,
    }
}

/// The number of events told now, and the first difference.
fn execute(body: &ReceivedBody<'_>) -> Result<(usize, Option<Difference>), ReplayError> {
    let opened = Opened {
        version: ENTRY_VERSION,
        engine: body.engine.clone(),
        run: body.run.clone(),
        order: body.order.clone(),
        expires_ms: 0,
        forked_from: body.forked_from.clone(),
        host: None,
    };
    let mut rebuilt =
        RebuiltRun::new(opened).map_err(|error| ReplayError::Question(error.to_string()))?;
    let mut comparison = Comparison::new(body);
    let mut misfit = None;
    for raw in &body.journal {
        if let Err(error) = take(&mut rebuilt, entry(raw)?) {
            misfit = Some(error);
            break;
        }
        // The first difference is the one to tell; nothing is executed beyond it.
        comparison.compare(rebuilt.events(), false);
        if comparison.difference.is_some() {
            break;
        }
    }
    let told = told_now(&mut rebuilt, body);
    comparison.compare(&told, misfit.is_none());
    let difference = comparison
        .difference
        .or_else(|| misfit.map(|command| Difference::Answer { command: command.0 }))
        .or_else(|| first_decision_that_differs(&rebuilt, body));
    Ok((told.len(), difference))
}

fn take(rebuilt: &mut RebuiltRun, entry: Entry) -> Result<(), CommandId> {
    // A file holds entries of the search only; anything else is as wrong as an answer that fits
    // nothing.
    if !entry.is_of_the_search() || !entry.is_plausible() {
        return Err(CommandId(0));
    }
    rebuilt.apply(entry).map_err(|error| match error {
        RebuildError::Diverged(command) => command,
        RebuildError::Unreadable(_) | RebuildError::NotOpened => CommandId(0),
    })
}

/// The events that the answers lead to; and the honest last one of a run that could not go on.
fn told_now(rebuilt: &mut RebuiltRun, body: &ReceivedBody<'_>) -> Vec<WireEvent> {
    let mut told = rebuilt.take_events();
    if let Some(now) = rebuilt.interrupted() {
        // Events whose input is in the journal were perhaps not shown any more.
        told.truncate(body.events.len().saturating_sub(1));
        let number = u32::try_from(told.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let before = told.iter().map(|event| event.json.as_str());
        told.push(interrupted_event(&body.run, number, now, before));
    }
    told
}

/// The file's events against those told now, each compared once.
struct Comparison<'body> {
    body: &'body ReceivedBody<'body>,
    /// Events that a run which could not go on had made and not told.
    untold_max: usize,
    compared: usize,
    difference: Option<Difference>,
}

impl<'body> Comparison<'body> {
    fn new(body: &'body ReceivedBody<'body>) -> Self {
        let last = body.journal.last().map(|raw| entry(raw));
        let is_interrupted = matches!(last, Some(Ok(Entry::Interrupted { .. })));
        Self {
            body,
            untold_max: if is_interrupted { UNTOLD_MAX } else { 0 },
            compared: 0,
            difference: None,
        }
    }

    /// Compares what is told by now; at the end also what is missing.
    fn compare(&mut self, told: &[WireEvent], is_end: bool) {
        let sealed = &self.body.events;
        let until = match (is_end, self.untold_max) {
            (true, _) => told.len().max(sealed.len()),
            (false, 0) => told.len(),
            // The last one told is no event of the machine's.
            (false, untold_max) if told.len() > sealed.len() + untold_max => told.len(),
            (false, _) => told.len().min(sealed.len().saturating_sub(1)),
        };
        while self.compared < until && self.difference.is_none() {
            let sealed = sealed.get(self.compared).map(|event| event.get());
            let replayed = told.get(self.compared).map(|event| event.json.as_str());
            self.difference = event_difference(self.compared + 1, sealed, replayed);
            self.compared += 1;
        }
    }
}

fn event_difference(
    number: usize,
    sealed: Option<&str>,
    replayed: Option<&str>,
) -> Option<Difference> {
    let are_same = match (sealed, replayed) {
        // Another spelling of the same event is no difference.
        (Some(sealed), Some(replayed)) => sealed == replayed || is_spelled_as(sealed, replayed),
        _ => false,
    };
    (!are_same).then(|| Difference::Event {
        number,
        sealed: sealed.and_then(shown),
        replayed: replayed.and_then(shown),
    })
}

fn first_decision_that_differs(
    rebuilt: &RebuiltRun,
    body: &ReceivedBody<'_>,
) -> Option<Difference> {
    let decided = decisions_json(rebuilt.state().decisions());
    (0..decided.len().max(body.decisions.len())).find_map(|position| {
        let sealed = body.decisions.get(position).map(|raw| raw.get());
        let replayed = decided.get(position);
        let are_same = match (sealed, replayed) {
            (Some(sealed), Some(replayed)) => is_decision(sealed, replayed),
            _ => false,
        };
        (!are_same).then(|| Difference::Decision {
            number: position + 1,
            sealed: sealed.and_then(shown),
            replayed: replayed.cloned(),
        })
    })
}

/// Whether a file's decision says the same as one that was made here, in any order of its members.
fn is_decision(sealed: &str, replayed: &Value) -> bool {
    let replayed = replayed.to_string();
    let sealed = shown(sealed).map(|value| value.to_string());
    sealed.is_some_and(|sealed| is_spelled_as(&sealed, &replayed))
}

/// A value of the file as a report shows it.
fn shown(json: &str) -> Option<Value> {
    if weight(json.as_bytes()) > SHOWN_WEIGHT_MAX {
        return Some(Value::String("(far more than a run tells)".into()));
    }
    serde_json::from_str(json).ok()
}

/// Whether the file's text says the same as one that was made here: 1 and 1.0 are one number.
fn is_spelled_as(sealed: &str, replayed: &str) -> bool {
    sealed.len() <= replayed.len().saturating_mul(SPELLING_FACTOR_MAX)
        && canonical(sealed) == canonical(replayed)
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

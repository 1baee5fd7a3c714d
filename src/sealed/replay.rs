//! Executes a sealed file again: the same answers at the same times, and no provider.

use std::fmt;

use serde_json::Value;

use crate::domain::Secret;
use crate::events::{WireEvent, interrupted_event};
use crate::journal::{CommandId, ENTRY_VERSION, Entry, Opened, RebuildError, RebuiltRun};
use crate::store::decisions_json;

use super::canonical::canonical;
use super::file::{FORMAT, SEALED_VERSION, SealedBody, SealedFile, digest_of, is_hmac_of};
use super::report::{Difference, DigestCheck, Engines, Origin, Report, Verdict};

/// An input makes a few events.
const UNTOLD_MAX: usize = 1_000;

/// Why a text is no sealed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError {
    /// It is over these limits.
    TooLarge(ReplayLimits),
    /// Not JSON of this form; the reader's words.
    Unreadable(String),
    /// JSON of another form or version.
    OtherFormat,
    /// A question that nobody may ask.
    Question(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(bounds) => write!(
                formatter,
                "The file is over {} bytes or {} journal entries; execute it on your own machine: \
                 cargo run --bin replay -- FILE.",
                bounds.bytes_max, bounds.entries_max
            ),
            Self::Unreadable(why) => write!(
                formatter,
                "This is no sealed run ({why}); send the file that GET /runs/{{run}}/sealed gave."
            ),
            Self::OtherFormat => write!(
                formatter,
                "This is no \"{FORMAT}\" of version {SEALED_VERSION}."
            ),
            Self::Question(why) => write!(formatter, "The file's question is not valid: {why}."),
        }
    }
}

/// The largest file that is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayLimits {
    /// Of the file, in bytes.
    pub bytes_max: usize,
    /// Of its journal, in entries.
    pub entries_max: usize,
}

impl ReplayLimits {
    /// For anybody who asks a server: five times what a run of the default caps makes.
    pub const SERVER: Self = Self {
        bytes_max: 4 * 1024 * 1024,
        entries_max: 10_000,
    };
    /// For one's own machine: the largest caps, and forks of forks.
    pub const PROGRAM: Self = Self {
        bytes_max: 256 * 1024 * 1024,
        entries_max: 1_000_000,
    };
}

/// Executes a sealed file again and compares. `key` is the operator's, if there is one.
pub fn replay(
    text: &str,
    key: Option<&Secret>,
    bounds: ReplayLimits,
) -> Result<Report, ReplayError> {
    if text.len() > bounds.bytes_max {
        return Err(ReplayError::TooLarge(bounds));
    }
    let unreadable = |error: serde_json::Error| ReplayError::Unreadable(error.to_string());
    let file: SealedFile = serde_json::from_str(text).map_err(unreadable)?;
    if file.format != FORMAT || file.version != SEALED_VERSION {
        return Err(ReplayError::OtherFormat);
    }
    let computed = digest_of(file.body.get())
        .map_err(|error| ReplayError::Unreadable(format!("it {error}")))?;
    let body: SealedBody = serde_json::from_str(file.body.get()).map_err(unreadable)?;
    if body.journal.len() > bounds.entries_max {
        return Err(ReplayError::TooLarge(bounds));
    }
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
fn origin(file: &SealedFile, computed: &str, key: Option<&Secret>) -> Origin {
    match (&file.hmac, key) {
        (None, _) => Origin::Unsigned,
        (Some(_), None) => Origin::NotChecked,
        (Some(hmac), Some(key)) if is_hmac_of(hmac, computed, key) => Origin::ThisServer,
        (Some(_), Some(_)) => Origin::NotThisServer,
    }
}

/// The number of events told now, and the first difference.
fn execute(body: &SealedBody) -> Result<(usize, Option<Difference>), ReplayError> {
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
    for entry in &body.journal {
        if let Err(error) = take(&mut rebuilt, entry) {
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

fn take(rebuilt: &mut RebuiltRun, entry: &Entry) -> Result<(), CommandId> {
    // A file holds entries of the search only; anything else is as wrong as an answer that fits
    // nothing.
    if !entry.is_of_the_search() || !entry.is_plausible() {
        return Err(CommandId(0));
    }
    rebuilt.apply(entry.clone()).map_err(|error| match error {
        RebuildError::Diverged(command) => command,
        RebuildError::Unreadable(_) | RebuildError::NotOpened => CommandId(0),
    })
}

/// The events that the answers lead to; and the honest last one of a run that could not go on.
fn told_now(rebuilt: &mut RebuiltRun, body: &SealedBody) -> Vec<WireEvent> {
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
    body: &'body SealedBody,
    /// Events that a run which could not go on had made and not told.
    untold_max: usize,
    compared: usize,
    difference: Option<Difference>,
}

impl<'body> Comparison<'body> {
    fn new(body: &'body SealedBody) -> Self {
        let is_interrupted = matches!(body.journal.last(), Some(Entry::Interrupted { .. }));
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
    let parse = |json: &str| serde_json::from_str::<Value>(json).ok();
    (!are_same).then(|| Difference::Event {
        number,
        sealed: sealed.and_then(parse),
        replayed: replayed.and_then(parse),
    })
}

fn first_decision_that_differs(rebuilt: &RebuiltRun, body: &SealedBody) -> Option<Difference> {
    let decided = decisions_json(rebuilt.state().decisions());
    (0..decided.len().max(body.decisions.len())).find_map(|position| {
        let sealed = body.decisions.get(position).cloned();
        let replayed = decided.get(position).cloned();
        let are_same = match (&sealed, &replayed) {
            (Some(sealed), Some(replayed)) => {
                is_spelled_as(&sealed.to_string(), &replayed.to_string())
            }
            _ => false,
        };
        (!are_same).then_some(Difference::Decision {
            number: position + 1,
            sealed,
            replayed,
        })
    })
}

/// Whether two JSON texts say the same: 1 and 1.0 are one number.
fn is_spelled_as(one: &str, other: &str) -> bool {
    canonical(one) == canonical(other)
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

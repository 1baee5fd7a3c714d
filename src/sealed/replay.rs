//! The execution of a sealed file: the same answers at the same times, and no provider.

use domain::Secret;
use engine::journal::{ENTRY_VERSION, Entry, RebuildError, RebuiltRun};
use engine::{Opened, OrderError, Recorded};
use kernel::CommandId;
use platform::events::WireEvent;

use crate::engines::with_engine;

use super::comparison::Comparison;
use super::file::{digest_of, is_hmac_of};
use super::limits::{ReplayError, ReplayLimits};
use super::reading::SealedSlices;
use super::report::{Difference, DigestCheck, Engines, Origin, Report, Verdict};

/// Executes a sealed file again and compares. `key` is the operator's, if there is one.
///
/// Beside the text it holds little more than the machine. The file is read as slices. The execution
/// ends at the first difference, at the first entry that no run writes, and at the limit of steps.
pub fn replay(
    text: &str,
    key: Option<&Secret>,
    limits: ReplayLimits,
) -> Result<Report, ReplayError> {
    execute_again(text, key, limits).map(|(report, _)| report)
}

/// Executes a file as [`replay`] does. Returns the report, and the JSON of the last event that was
/// made here.
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

/// Checks the HMAC against what the content really is: a copied HMAC shows nothing.
fn origin(hmac: Option<&str>, computed: &str, key: Option<&Secret>) -> Origin {
    match (hmac, key) {
        (None, _) => Origin::Unsigned,
        (Some(_), None) => Origin::NotChecked,
        (Some(hmac), Some(key)) if is_hmac_of(hmac, computed, key) => Origin::ThisServer,
        (Some(_), Some(_)) => Origin::NotThisServer,
    }
}

/// Returns the events told now, and the first difference.
fn execute<E: Recorded>(
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
        // The first difference is the one to tell, and nothing is executed beyond it.
        let decisions = E::decisions(rebuilt.state().machine());
        comparison.compare::<E>(rebuilt.events(), decisions, false);
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
        let decisions = E::decisions(rebuilt.state().machine());
        comparison.compare::<E>(&told, decisions, true);
    } else {
        comparison.compare::<E>(&told, &[], false);
    }
    let misfit = misfit.map(|command| Difference::Answer { command: command.0 });
    let difference = comparison.into_difference().or(misfit);
    Ok((told, difference))
}

fn take<E: Recorded>(
    rebuilt: &mut RebuiltRun<E>,
    entry: Option<Entry<E>>,
) -> Result<(), CommandId> {
    // A file holds entries of the search only; anything else is as wrong as an answer that fits
    // nothing.
    let entry = entry.filter(|entry| entry.is_of_the_search() && entry.is_plausible());
    let entry = entry.ok_or(CommandId(0))?;
    rebuilt.apply(entry).map_err(|error| match error {
        RebuildError::Diverged(command) => command,
        RebuildError::Unreadable(_) | RebuildError::NotOpened => CommandId(0),
    })
}

/// Returns the events that the answers lead to, followed by the last event of a run that could not
/// go on.
fn told_now<E: Recorded>(rebuilt: &mut RebuiltRun<E>, file: &SealedSlices<'_>) -> Vec<WireEvent> {
    let mut told = rebuilt.take_events();
    if let Some(now) = rebuilt.interrupted() {
        // Viewers were perhaps not shown the last events whose input is in the journal.
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

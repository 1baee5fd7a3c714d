//! Takes a run up: a new one at its beginning, one whose process died where its journal ends.

use crate::events::{WireEvent, interrupted_event};
use crate::journal::{
    Entry, Rebuilt, WAKES_WITHOUT_ANSWER_MAX, read_entries, rebuild, wakes_without_answer,
};
use crate::kernel::Millis;
use crate::session::effects::{Effects, WriteError};
use crate::session::identifiers::RunToken;
use crate::session::settings::Providers;

use super::journal_writer::Keeper;
use super::outcome::Taken;
use super::run_loop::Conductor;

/// What is kept of a run: at least its first journal entry.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The journal, the oldest entry first.
    pub entries: Vec<String>,
    /// The JSON of the events, the oldest first.
    pub events: Vec<String>,
    /// Whether the last of these events is the run's last.
    pub has_ended: bool,
}

/// Conducts a run from where its journal ends to its last event, and then its last writes.
///
/// Fails where journal or events cannot be kept any more: then nothing more is sent or told, and
/// the run can be taken up again later.
pub async fn conduct<E: Effects>(
    effects: &E,
    providers: &Providers,
    run: &RunToken,
    past: &Past,
    time_to_live_s: u64,
) -> Result<Taken, WriteError> {
    let keeper = Keeper::new(
        effects,
        u32::try_from(past.entries.len()).unwrap_or(u32::MAX),
    );
    let rebuilt = match take_up(&keeper, effects, past)? {
        Ok(rebuilt) => rebuilt,
        Err(Unusable) => return interrupt(&keeper, effects, run, past),
    };
    if rebuilt.is_closed {
        return Ok(Taken::Done);
    }
    if rebuilt.interrupted.is_some() {
        return interrupt(&keeper, effects, run, past);
    }
    // Events whose input was kept, but which were not shown any more.
    for event in rebuilt.events.iter().skip(past.events.len()) {
        keeper.publish(event)?;
    }
    Conductor::conduct(effects, providers, run, rebuilt, &keeper, time_to_live_s).await
}

/// The journal gives no run that this program can go on with.
struct Unusable;

fn take_up<E: Effects>(
    keeper: &Keeper<'_, E>,
    effects: &E,
    past: &Past,
) -> Result<Result<Rebuilt, Unusable>, WriteError> {
    let Ok(entries) = read_entries(&past.entries) else {
        return Ok(Err(Unusable));
    };
    let is_settled = matches!(
        entries.last(),
        Some(Entry::Closed {} | Entry::Interrupted { .. })
    );
    if !is_settled {
        // A run that has ended has documents to write only: that is tried until it expires.
        if !past.has_ended && wakes_without_answer(&entries) >= WAKES_WITHOUT_ANSWER_MAX {
            return Ok(Err(Unusable));
        }
        // Kept before the machine is made again: if that is what ends the process, it is counted.
        let now = effects.now_ms();
        keeper.keep(&Entry::Woken { now })?;
    }
    Ok(match rebuild(entries) {
        Ok(rebuilt) if is_same_story(&rebuilt.events, &past.events) => Ok(rebuilt),
        // Whatever is wrong with it, this program cannot go on.
        _ => Err(Unusable),
    })
}

/// Whether the viewers were told what this program would tell: a new version may think otherwise.
fn is_same_story(made_again: &[WireEvent], told: &[String]) -> bool {
    told.len() <= made_again.len()
        && made_again
            .iter()
            .zip(told)
            .all(|(event, told)| event.json == *told)
}

/// An honest end; where the run had told its end before, that stays the only one.
fn interrupt<E: Effects>(
    keeper: &Keeper<'_, E>,
    effects: &E,
    run: &RunToken,
    past: &Past,
) -> Result<Taken, WriteError> {
    if past.has_ended {
        keeper.keep(&Entry::Closed {})?;
        let last = past.events.last().cloned().unwrap_or_default();
        return Ok(Taken::Interrupted(last));
    }
    let now = effects.now_ms();
    keeper.keep(&Entry::Interrupted { now })?;
    let number = u32::try_from(past.events.len())
        .unwrap_or(u32::MAX)
        .saturating_add(1);
    let run = run.to_string();
    let event = interrupted_event(&run, number, Millis(now), past.events.iter());
    keeper.publish(&event)?;
    Ok(Taken::Interrupted(event.json))
}

//! The calls whose answers may end the process that conducts a run, and how often a process ended.
//!
//! A call that was under way when a process ended may have ended it. The call is tried once more,
//! and before its answer is read, an entry notes that this is about to happen. If the process ends
//! at that point again, the call is known to be the cause.

use std::collections::BTreeSet;

use kernel::CommandId;

use crate::Engine;

use super::entry::Entry;

/// The number of times in a row that a run may be resumed without one new answer. A run that was
/// resumed that often is not resumed again: something in it ends every process that tries.
pub const WAKES_WITHOUT_ANSWER_MAX: u32 = 5;

/// The most calls that may have ended processes in a run that is resumed. Each takes the other runs
/// of the isolate with it.
const ENDED_PROCESSES_MAX: usize = 2;

/// The calls of one run that may end a process, and those that did.
#[derive(Debug, Default)]
pub struct Suspects {
    /// The calls that were sent and not answered.
    sent: BTreeSet<CommandId>,
    /// The call whose answer is about to be read, if the last entry says so.
    reading: Option<CommandId>,
    ended_a_process: BTreeSet<CommandId>,
}

impl Suspects {
    /// Notes what the next entry of the journal says.
    pub(super) fn note<E: Engine>(&mut self, entry: &Entry<E>) {
        let reading = self.reading.take();
        match entry {
            Entry::Intent { command, .. } => {
                self.sent.insert(CommandId(*command));
            }
            Entry::Answer(answer) => {
                self.sent.remove(&answer.command());
            }
            Entry::Reading { command } => self.reading = Some(CommandId(*command)),
            Entry::Woken { .. } => self.ended_a_process.extend(reading),
            _ => {}
        }
    }

    /// Returns the calls that were under way when a process ended. Before their answers are read,
    /// an entry is to say so.
    #[must_use]
    pub fn under_way(&self) -> &BTreeSet<CommandId> {
        &self.sent
    }

    /// Returns whether so many calls ended processes that the run is not to be resumed.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.ended_a_process().len() > ENDED_PROCESSES_MAX
    }

    /// Returns the calls whose answers ended two processes. They are not to be asked again.
    #[must_use]
    pub fn ended_a_process(&self) -> BTreeSet<CommandId> {
        let mut ended = self.ended_a_process.clone();
        ended.extend(self.reading);
        ended
    }
}

/// Returns how often the run was resumed since its last answer.
#[must_use]
pub fn wakes_without_answer<E: Engine>(entries: &[Entry<E>]) -> u32 {
    let mut wakes = 0;
    for entry in entries {
        match entry {
            Entry::Answer(_) => wakes = 0,
            Entry::Woken { .. } => wakes += 1,
            _ => {}
        }
    }
    wakes
}

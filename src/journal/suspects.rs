//! What ends the process that conducts a run: how often something did, and which calls' answers.
//!
//! A call that was under way when a process ended may have ended it. It is tried once more, and
//! that its answer is about to be read is written down first; where the process ends there again,
//! it is known.

use crate::engine::Engine;
use crate::kernel::CommandId;
use crate::sorted::SortedSet;

use super::entry::Entry;

/// A run that was resumed so often without one new answer is not resumed again: something in it
/// ends every process that tries.
pub const WAKES_WITHOUT_ANSWER_MAX: u32 = 5;

/// A run in which more calls ended processes than these is not resumed: each takes the other runs of
/// the isolate with it.
const ENDED_PROCESSES_MAX: usize = 2;

/// The calls of one run that may end a process, and those that did.
#[derive(Debug, Default)]
pub struct Suspects {
    /// Sent and not answered.
    sent: SortedSet<CommandId>,
    /// Whose answer the last entry says is about to be read.
    reading: Option<CommandId>,
    ended_a_process: SortedSet<CommandId>,
}

impl Suspects {
    /// Takes the next entry of the journal in.
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

    /// Calls that were under way when a process ended: that their answers are about to be read is
    /// to be written down.
    #[must_use]
    pub fn under_way(&self) -> &SortedSet<CommandId> {
        &self.sent
    }

    /// Whether so many calls ended processes that the run is not to be resumed.
    #[must_use]
    pub fn are_too_many(&self) -> bool {
        self.ended_a_process().len() > ENDED_PROCESSES_MAX
    }

    /// Calls whose answers ended two processes: they are not to be asked again.
    #[must_use]
    pub fn ended_a_process(&self) -> SortedSet<CommandId> {
        let mut ended = self.ended_a_process.clone();
        ended.extend(self.reading);
        ended
    }
}

/// How often the run was resumed since its last answer.
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

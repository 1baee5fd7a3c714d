//! The contract of what carries out the commands of an engine's runs.

use std::collections::BTreeSet;

use kernel::{Command, CommandId, Millis};
use platform::{Effects, WriteError};
use providers::calls::{Attempts, CallResult, SetAside};
use settings::{Caps, Providers};

use crate::begun::Engines;
use crate::machine::Machine;
use crate::recorded::Recorded;
use crate::run_state::{PendingCommand, RunState};
use crate::{Engine, Stored};

/// An engine whose commands are carried out by these effects.
pub trait Carried<E: Effects>: Recorded {
    /// Carries the commands of one run out.
    type Carrier<'run>: Carrier<'run, Self>
    where
        E: 'run;

    /// Makes the carrier of a run as its journal tells it.
    fn carrier<'run>(effects: &'run E, run: &RunToCarry<'run, '_, Self>) -> Self::Carrier<'run>;
}

/// Writes down what another process needs to go on with a call, before anything is sent by it.
pub type NoteWriter<'run, G> = &'run dyn Fn(<G as Stored>::Note) -> Result<(), WriteError>;

/// The knowledge that a carrier may have of its run and of the operator's settings.
pub struct RunToCarry<'run, 'journal, G: Engine> {
    /// The operator's providers.
    pub providers: &'run Providers,
    /// The most that the runs which this run begins may ask for.
    pub caps: &'run Caps,
    /// The engines of which the runs may be that this run begins.
    pub engines: &'run dyn Engines,
    /// The question of the run.
    pub order: &'journal G::Order,
    /// The time at which the run began; `None` where it begins now.
    pub began: Option<Millis>,
    /// The notes of earlier processes, the oldest first.
    pub notes: &'journal [G::Note],
    /// The commands that an earlier process may have sent, and of which no process has had the
    /// answer.
    pub under_way: &'journal BTreeSet<CommandId>,
    /// The providers that are not asked any more.
    pub set_aside: &'journal [SetAside],
    /// The length of the journal, in bytes.
    pub journal_bytes: usize,
    /// Writes a note down.
    pub note: NoteWriter<'run, G>,
}

/// The result of one call.
pub type CarriedCall<G, Kept> = CallResult<<G as Machine>::Outcome, Kept>;

/// Carries the commands of one run out. Calls may be under way at the same time.
pub trait Carrier<'run, G: Engine> {
    /// One call before it begins.
    type Call: Call<G, Self::Kept> + 'run;
    /// A value that an answer may bring and that a later command sends.
    type Kept: 'run;

    /// Takes what a command sends from what was kept.
    fn prepare(&mut self, pending: &PendingCommand<G>, state: &RunState<G>) -> Self::Call;

    /// Keeps what came with the answer to this command, where there is room for it.
    fn keep(&mut self, _command: CommandId, _kept: Self::Kept) {}

    /// Drops what nobody will send; `is_answered` tells whose answers wait for the machine.
    fn drop_unneeded(&mut self, _state: &RunState<G>, _is_answered: impl Fn(CommandId) -> bool) {}

    /// Drops everything that was kept.
    fn drop_all(&mut self) {}

    /// Returns the outcome of a call that is not asked again: reading its answer ended the program twice.
    fn passed_over(&self, action: &G::Action) -> G::Outcome;

    /// Ends what is open outside, once the run is over.
    fn close(&self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// One call before it begins.
pub trait Call<G: Engine, Kept> {
    /// Carries a command out. Fails where the journal cannot be written.
    fn execute(
        self,
        command: &Command<G::Action>,
        attempts: Attempts<'_>,
    ) -> impl Future<Output = Result<CarriedCall<G, Kept>, WriteError>>;
}

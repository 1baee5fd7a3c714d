//! Who carries the commands of an engine's runs out.

use crate::journal::{CommandId, Engine, PendingCommand, RunState};
use crate::kernel::Command;
use crate::session::calls::{Attempts, CallResult};
use crate::session::effects::WriteError;

/// What one call came to.
pub(super) type Carried<G, Kept> = CallResult<<G as Engine>::Outcome, Kept>;

/// Carries the commands of one run out. Calls may be under way at the same time.
pub(super) trait Carrier<'run, G: Engine> {
    /// One call before it begins.
    type Call: Call<G, Self::Kept> + 'run;
    /// What an answer may bring that a later command sends.
    type Kept: 'run;

    /// Takes what a command sends from what was kept.
    fn prepare(&mut self, pending: &PendingCommand<G>, state: &RunState<G>) -> Self::Call;

    /// Keeps what came with the answer to this command, where there is room for it.
    fn keep(&mut self, command: CommandId, kept: Self::Kept);

    /// Drops what nobody will send; `is_answered` tells whose answers wait for the machine.
    fn drop_unneeded(&mut self, state: &RunState<G>, is_answered: impl Fn(CommandId) -> bool);

    /// Drops everything that was kept.
    fn drop_all(&mut self);

    /// The outcome of a call that is not asked again: reading its answer ended the program twice.
    fn passed_over(&self, action: &G::Action) -> G::Outcome;
}

/// One call before it begins.
pub(super) trait Call<G: Engine, Kept> {
    /// Carries a command out. Fails where the journal cannot be written.
    fn execute(
        self,
        command: &Command<G::Action>,
        attempts: Attempts<'_>,
    ) -> impl Future<Output = Result<Carried<G, Kept>, WriteError>>;
}

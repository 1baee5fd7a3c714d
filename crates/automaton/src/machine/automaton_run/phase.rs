//! What a run waits for.

use crate::machine::interface::Ending;
use crate::machine::visit::Visit;

use super::pending::Examined;

/// The phase of a run: what it waits for, and what it goes on with then.
#[derive(Debug, Clone)]
pub(super) enum Phase {
    /// Nothing has begun.
    Fresh,
    /// The time before a look passes.
    Pausing,
    /// The page is looked at.
    Looking,
    /// The time before an action of a state passes.
    Spacing(Visit),
    /// An action of a state is carried out.
    Acting(Visit),
    /// The page is looked at, since nobody knows whether an action was carried out.
    Recovering(Visit),
    /// The page is looked at for a question to a model.
    Composing,
    /// A model is asked.
    Asking,
    /// The page is loaded anew.
    Reloading,
    /// The page is looked at for what has failed, before the run ends.
    Examining(Examined),
    /// The page is looked at for what came of the last actions, before the run ends with these words.
    Closing(String),
    /// The run is over.
    Ended(Ending),
}

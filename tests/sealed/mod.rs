//! Sealed runs: what is sealed is what happened, any change is detected, and the committed set still runs the same.
//! Runs of earlier versions are resumed, shown, replayed or refused.

mod byte_changes;
mod changes;
mod fork;
mod hostile;
mod regression;
pub mod runs;
mod size;
mod upgrade;
mod workflows;

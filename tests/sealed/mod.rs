//! Sealed runs: what is sealed is what happened, any change of it is found, and the committed set
//! still runs as it ran. What an earlier version began is resumed, shown, replayed or refused.

mod byte_changes;
mod changes;
mod fork;
mod hostile;
mod regression;
pub mod runs;
mod size;
mod upgrade;
mod workflows;

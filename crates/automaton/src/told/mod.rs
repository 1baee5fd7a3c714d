//! The events that an automaton's run tells.

mod engine_events;
mod event;
mod interrupted;
mod kinds;

pub use event::automaton_spent;

//! A run's events as its viewers see them, and the switch by which they end it.

mod event_log;
mod stop_switch;

pub use event_log::EventLog;
pub use stop_switch::StopSwitch;

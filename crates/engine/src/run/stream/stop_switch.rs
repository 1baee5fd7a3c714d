//! The switch with which the user ends a run.

use std::cell::Cell;

use platform::isolate::Notify;

/// A switch that says whether the user has asked to end the run.
#[derive(Debug, Default)]
pub struct StopSwitch {
    is_on: Cell<bool>,
    changed: Notify,
}

impl StopSwitch {
    /// Asks for the end of the run. This cannot be taken back.
    pub fn turn_on(&self) {
        self.is_on.set(true);
        self.changed.notify_all();
    }

    /// Returns whether somebody has asked for the end.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Waits until somebody has asked for the end.
    pub async fn wait(&self) {
        self.changed.wait_until(|| self.is_on.get()).await;
    }
}

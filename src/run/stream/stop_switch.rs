//! The user's request to end a run.

use std::cell::Cell;

use crate::isolate::Notify;

/// Whether the user has asked to end the run.
#[derive(Debug, Default)]
pub struct StopSwitch {
    is_on: Cell<bool>,
    changed: Notify,
}

impl StopSwitch {
    /// Asks for the end. It cannot be taken back.
    pub fn turn_on(&self) {
        self.is_on.set(true);
        self.changed.notify_all();
    }

    /// Waits until somebody has asked.
    pub async fn wait(&self) {
        self.changed.wait_until(|| self.is_on.get()).await;
    }
}

//! The user's request to end a run.

use std::cell::Cell;

use super::notify::Bell;

/// Whether the user has asked to end the run.
#[derive(Debug, Default)]
pub struct StopSwitch {
    is_on: Cell<bool>,
    bell: Bell,
}

impl StopSwitch {
    /// Asks; once and for all.
    pub fn turn_on(&self) {
        self.is_on.set(true);
        self.bell.ring();
    }

    /// Waits until somebody has asked.
    pub async fn wait(&self) {
        self.bell.wait_until(|| self.is_on.get()).await;
    }
}

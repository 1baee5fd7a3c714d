//! Input is sent, and what was sent before a failure says what the failure means.

use serde_json::Value;

use domain::page::ActionFailure;

use crate::connection::CallError;
use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::message::Command;

/// Says what the failure of a command means that does nothing to the page.
pub(crate) fn before(error: CallError) -> ActionFailure {
    match error {
        CallError::Refused(words) => ActionFailure::Failed(words),
        CallError::Unsent(words) | CallError::Unanswered(words) => {
            ActionFailure::BrowserGone(words)
        }
    }
}

/// Says what the failure of a command means that may do what the action is about.
pub(crate) fn after(error: CallError) -> ActionFailure {
    match error {
        CallError::Unsent(words) => ActionFailure::BrowserGone(words),
        CallError::Unanswered(words) | CallError::Refused(words) => {
            ActionFailure::UnknownOutcome(words)
        }
    }
}

/// Sends input events in order. Where the first one is sent, nobody knows what came of a later failure.
pub(crate) async fn send_input<D: DevTools>(
    browser: &DrivenBrowser<D>,
    method: &'static str,
    events: Vec<Value>,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let command = |event| Command::to_page(&browser.place.session, method, event);
    let commands = events.into_iter().map(command).collect();
    let results = browser.connection.call_all(commands, until_ms).await;
    for (at, result) in results.into_iter().enumerate() {
        match result {
            Ok(_) => {}
            Err(error) if at == 0 => return Err(after(error)),
            Err(error) => return Err(ActionFailure::UnknownOutcome(error.into_words())),
        }
    }
    Ok(())
}

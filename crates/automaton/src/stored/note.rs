//! What another process needs to go on with an automaton's run.

use serde::{Deserialize, Serialize};

use engine::BrowserAddressForm;

/// A note that is written down before anything is done by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomatonNote {
    /// The address of the run's browser, as far as it is known.
    Browser(BrowserAddressForm),
    /// The run's browser is gone; the next look begins another one.
    Gone,
    /// A run is about to be begun.
    Child {
        /// The number of the command that asks for it.
        command: u32,
        /// The run's token.
        run: String,
    },
    /// An action is about to be done that has a secret, so that pages may show it from then on.
    Typed {
        /// The secret's name.
        secret: String,
    },
}

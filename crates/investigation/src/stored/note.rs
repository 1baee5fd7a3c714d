//! What another process needs to go on with an investigation: all its calls are asked again, but a browser is
//! there only once.

use serde::{Deserialize, Serialize};

use engine::BrowserAddressForm;

/// A note that is written down before anything is done by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InvestigationNote {
    /// The address of the run's browser, as far as it is known.
    Browser(BrowserAddressForm),
    /// The run's browser is gone; the next page begins another one.
    Gone,
}

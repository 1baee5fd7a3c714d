//! The stored form of a browser's address, for the notes of engines that drive one.

use serde::{Deserialize, Serialize};

use domain::page::BrowserAddress;

/// The stored form of a [`BrowserAddress`], as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserAddressForm {
    /// The browser's session.
    session: String,
    /// The run's own context in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    /// The page in that context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

impl BrowserAddressForm {
    /// Returns the form of an address.
    #[must_use]
    pub fn of(address: &BrowserAddress) -> Self {
        Self {
            session: address.session.clone(),
            context: address.context.clone(),
            target: address.target.clone(),
        }
    }

    /// Reads the address back.
    #[must_use]
    pub fn read(&self) -> BrowserAddress {
        BrowserAddress {
            session: self.session.clone(),
            context: self.context.clone(),
            target: self.target.clone(),
        }
    }
}

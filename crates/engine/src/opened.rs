//! The beginning of a run.

use serde::{Deserialize, Serialize};

use crate::Engine;

/// The beginning of a run: its first entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct Opened<E: Engine> {
    /// The version of the journal's entries of the program that began it.
    pub version: u32,
    /// The version of the program that began it.
    pub engine: String,
    /// The run's public token, `{session}.{run}`.
    pub run: String,
    /// The question that was asked and accepted.
    pub order: E::Order,
    /// The time at which everything of the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The run whose answers are used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The host of this server where it was created, like `example.org` or `127.0.0.1:8787`: no
    /// photo is fetched from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

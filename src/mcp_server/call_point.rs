//! The point at which a call stands, as it is handed on: to the object of its run, and in the ids of the events
//! of a session, with which a client that has lost the connection comes back.
//!
//! //= MCP 2025-11-25, basic/transports, Resumability and Redelivery

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use mcp::Era;

/// The longest text of a point, in bytes.
const POINT_BYTES_MAX: usize = 2_048;

/// A call whose run is watched.
#[derive(Debug, Clone, PartialEq)]
pub struct CallPoint {
    /// The run's token.
    pub run: String,
    /// The id of the request.
    pub id: Value,
    /// The era of the request. The events of the earlier one have ids.
    pub era: Era,
    /// The token with which the client is told of the progress.
    pub progress_token: Option<Value>,
    /// The number of the last event that the client was told of.
    pub after: u32,
    /// When the call is answered with what is known by then, in milliseconds since 1970; `None` where it waits
    /// for the run's end.
    pub until_ms: Option<u64>,
}

impl CallPoint {
    /// Returns the point as a text of letters, digits, `-` and `_`, which is the id of an event.
    #[must_use]
    pub fn to_text(&self) -> String {
        let has_session = self.era == Era::Legacy;
        let list = json!([
            self.run,
            self.id,
            has_session,
            self.progress_token,
            self.after,
            self.until_ms
        ]);
        URL_SAFE_NO_PAD.encode(list.to_string())
    }

    /// Reads a text. Returns `None` where it is none that [`Self::to_text`] gave.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        if text.len() > POINT_BYTES_MAX {
            return None;
        }
        let list: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let member = |at: usize| list.get(at);
        Some(Self {
            run: member(0)?.as_str()?.to_owned(),
            id: member(1)?.clone(),
            era: if member(2)?.as_bool()? {
                Era::Legacy
            } else {
                Era::Modern
            },
            progress_token: Some(member(3)?.clone()).filter(|token| !token.is_null()),
            after: u32::try_from(member(4)?.as_u64()?).ok()?,
            until_ms: member(5)?.as_u64(),
        })
    }
}

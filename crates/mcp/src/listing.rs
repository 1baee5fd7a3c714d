//! The list of a server's tools, page by page.

use std::fmt;

use serde_json::Value;

use crate::json_length::json_length;
use crate::tool::{TOOLS_MAX, Tool};

/// The most pages of a list that are asked for.
const PAGES_MAX: u32 = 50;
/// The length of a list after which no further page is asked for, in bytes of JSON.
const LIST_BYTES_MAX: usize = 8_000_000;
/// The most that the tools of one server say of themselves, in bytes: it is kept in memory for as long
/// as a run goes on, and has to go into one row of its journal.
pub const TOOLS_BYTES_MAX: usize = 1_000_000;

/// The pages that came so far.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    tools: Vec<Tool>,
    cursor: Option<String>,
    pages: u32,
    /// The length of the pages so far, in bytes of JSON.
    bytes: usize,
    /// The length of what is kept, in bytes of JSON.
    kept_bytes: usize,
}

/// The error that the tools of a server say more than [`TOOLS_BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMuchSaid;

impl fmt::Display for TooMuchSaid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "its tools are described in more than {TOOLS_BYTES_MAX} bytes, the most that a run takes"
        )
    }
}

impl Listing {
    /// Returns where the next page begins.
    pub(crate) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Takes a page, and returns all tools where it was the last one.
    pub(crate) fn take(&mut self, page: &Value) -> Result<Option<Vec<Tool>>, TooMuchSaid> {
        for tool in Tool::read_list(page) {
            if self.tools.len() == TOOLS_MAX {
                break;
            }
            self.kept_bytes = self.kept_bytes.saturating_add(tool.bytes());
            if self.kept_bytes > TOOLS_BYTES_MAX {
                return Err(TooMuchSaid);
            }
            self.tools.push(tool);
        }
        self.pages += 1;
        self.bytes = self.bytes.saturating_add(json_length(page));
        let next = page.get("nextCursor").and_then(Value::as_str);
        let has_room = self.pages < PAGES_MAX && self.bytes < LIST_BYTES_MAX;
        let next = next.filter(|_| has_room && self.tools.len() < TOOLS_MAX);
        self.cursor = next.map(str::to_owned);
        let is_last = self.cursor.is_none();
        Ok(is_last.then(|| std::mem::take(self).tools))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(description_bytes: usize, next: Option<&str>) -> Value {
        let tool = json!({
            "name": "a", "description": "d".repeat(description_bytes), "inputSchema": {},
        });
        json!({"tools": [tool], "nextCursor": next})
    }

    #[test]
    fn what_is_kept_of_all_pages_is_bounded() {
        // Beside its description a tool has a name of one byte and a schema of two.
        let mut listing = Listing::default();
        assert_eq!(listing.take(&page(499_997, Some("2"))), Ok(None));
        let tools = listing.take(&page(499_997, None)).unwrap().unwrap();
        assert_eq!(tools.len(), 2);
        let mut listing = Listing::default();
        assert_eq!(listing.take(&page(499_997, Some("2"))), Ok(None));
        assert_eq!(listing.take(&page(499_998, None)), Err(TooMuchSaid));
    }
}

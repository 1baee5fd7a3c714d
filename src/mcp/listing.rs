//! The list of a server's tools, page by page.

use serde_json::Value;

use super::tool::{TOOLS_MAX, Tool};

/// Pages of a list that are asked for, at most.
const PAGES_MAX: u32 = 50;
/// No further page is asked for behind so many bytes of JSON.
const LIST_BYTES_MAX: usize = 8_000_000;

/// The pages that came so far.
#[derive(Debug, Default)]
pub(super) struct Listing {
    tools: Vec<Tool>,
    cursor: Option<String>,
    pages: u32,
    /// Of the pages so far, in JSON.
    bytes: usize,
}

impl Listing {
    /// Where the next page begins.
    pub(super) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Takes a page; gives all tools where it was the last one.
    pub(super) fn take(&mut self, page: &Value) -> Option<Vec<Tool>> {
        self.tools.extend(Tool::read_list(page));
        self.tools.truncate(TOOLS_MAX);
        self.pages += 1;
        self.bytes = self.bytes.saturating_add(page.to_string().len());
        let next = page.get("nextCursor").and_then(Value::as_str);
        let has_room = self.pages < PAGES_MAX && self.bytes < LIST_BYTES_MAX;
        let next = next.filter(|_| has_room && self.tools.len() < TOOLS_MAX);
        self.cursor = next.map(str::to_owned);
        let is_last = self.cursor.is_none();
        is_last.then(|| std::mem::take(self).tools)
    }
}

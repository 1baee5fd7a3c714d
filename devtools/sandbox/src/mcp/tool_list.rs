//! The list of tools, in pages.

use serde_json::{Value, json};

use super::messages::{INVALID_PARAMS, RpcError};
use super::tools::tools;

/// The number of tools per page.
const PAGE_TOOLS: usize = 8;

/// Returns the page that the parameters request.
pub(super) fn page(params: &Value) -> Result<Value, RpcError> {
    let from = match params.get("cursor") {
        None => 0,
        Some(cursor) => position(cursor)
            .ok_or_else(|| RpcError::new(INVALID_PARAMS, "Invalid params: unknown cursor"))?,
    };
    let tools = tools();
    let is_last = tools.len() <= from + PAGE_TOOLS;
    let page: Vec<_> = tools.into_iter().skip(from).take(PAGE_TOOLS).collect();
    Ok(if is_last {
        json!({"tools": page})
    } else {
        json!({"tools": page, "nextCursor": format!("after-{}", from + PAGE_TOOLS)})
    })
}

fn position(cursor: &Value) -> Option<usize> {
    let position: usize = cursor.as_str()?.strip_prefix("after-")?.parse().ok()?;
    let is_there = position > 0 && position.is_multiple_of(PAGE_TOOLS) && position < tools().len();
    is_there.then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_hold_every_tool_once() {
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let page = page(&params).unwrap();
            let tools = page["tools"].as_array().unwrap();
            names.extend(tools.iter().map(|tool| tool["name"].clone()));
            match page.get("nextCursor") {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => break,
            }
        }
        let expect: Vec<_> = tools().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, expect);
        for cursor in [
            json!("after-3"),
            json!("after-0"),
            json!("after-80"),
            json!(8),
            json!(null),
        ] {
            assert!(page(&json!({"cursor": cursor})).is_err(), "{cursor}");
        }
    }
}

//! The answers that a run need not ask for twice.

use std::collections::BTreeMap;

use crate::machine::graph::{FocusMethod, Node, NodeKind};
use crate::machine::interface::ToolDescription;

/// A running app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct App {
    pub(super) name: String,
    pub(super) pid: i32,
}

/// The answers that a run need not ask for twice. The entries are bounded by the nodes, whose words
/// are their keys.
#[derive(Debug, Clone, Default)]
pub struct Caches {
    /// The running apps, by the user's words.
    pub(super) apps: BTreeMap<String, App>,
    /// The names of elements, by the user's words and the app.
    pub(super) elements: BTreeMap<(String, Option<String>), String>,
    /// The app that has the focus, as far as the workflow gave it.
    pub(super) focused_app: Option<String>,
    /// The tools of servers, by the server's alias.
    pub(super) tools: BTreeMap<Option<String>, Vec<ToolDescription>>,
}

impl Caches {
    /// Returns the app that has the focus, as far as the workflow gave it.
    pub fn focused_app(&self) -> Option<&str> {
        self.focused_app.as_deref()
    }
}

/// Forgets the answers by which an attempt of this node may have been misled.
pub fn evict(caches: &mut Caches, node: &Node) {
    let app = match &node.kind {
        NodeKind::FocusWindow {
            method: FocusMethod::AppName,
            value,
        } => value.as_ref(),
        NodeKind::TakeScreenshot { target, .. } => target.as_ref(),
        _ => None,
    };
    if let Some(app) = app {
        caches.apps.remove(app);
    }
    let element = match &node.kind {
        NodeKind::Click(click) => click.target.as_deref().map(|target| (target, None)),
        NodeKind::FindText { search_text } => Some((search_text.as_str(), None)),
        NodeKind::McpToolCall {
            tool_name,
            arguments,
        } if tool_name == "find_text" => {
            let text = |name: &str| arguments.get(name).and_then(serde_json::Value::as_str);
            text("text").map(|target| (target, text("app_name")))
        }
        _ => None,
    };
    if let Some((target, app)) = element {
        let app = app.or(caches.focused_app.as_deref()).map(str::to_owned);
        caches.elements.remove(&(target.to_owned(), app));
    }
    if matches!(node.kind, NodeKind::FocusWindow { .. }) {
        caches.focused_app = None;
    }
}

//! The tools of the desktop: their names, their arguments and their hints.

use serde_json::{Value, json};

/// What a tool's hints say about repeating a call: whether the second call changes anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    ReadOnly,
    Idempotent,
    None,
}

/// The longest text argument of a call, in bytes.
const TEXT_BYTES_MAX: usize = 10_000;
/// The name of the argument that has a picture.
const TEMPLATE: &str = "template_image_base64";

/// Returns the list of all tools, for `tools/list`.
pub(super) fn tools() -> Vec<Value> {
    let eyes = eyes().into_iter();
    eyes.chain(windows()).chain(hands()).collect()
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "number"})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

fn app() -> (&'static str, Value) {
    ("app_name", text())
}

/// Returns the tools that look at the screen.
fn eyes() -> Vec<Value> {
    let screenshot = [
        (
            "mode",
            json!({"type": "string", "enum": ["screen", "window", "region"]}),
        ),
        app(),
        ("window_id", integer()),
        ("include_ocr", json!({"type": "boolean"})),
        ("format", text()),
    ];
    let image = [
        (TEMPLATE, text()),
        ("threshold", number()),
        ("max_results", integer()),
    ];
    let says = "Takes a picture of the screen or of an app's window";
    vec![
        tool("take_screenshot", says, Hint::ReadOnly, &[], &screenshot),
        tool(
            "find_text",
            "Finds a text on the screen",
            Hint::ReadOnly,
            &["text"],
            &[("text", text()), app()],
        ),
        tool(
            "find_image",
            "Finds a picture on the screen",
            Hint::ReadOnly,
            &[],
            &image,
        ),
    ]
}

/// Returns the tools for apps and their windows.
fn windows() -> Vec<Value> {
    let user_apps = ("user_apps_only", json!({"type": "boolean"}));
    let window = [app(), ("window_id", integer()), ("pid", integer())];
    let launched = [("app_name", json!({"type": "string", "x-mcp-header": "App"}))];
    vec![
        tool(
            "list_windows",
            "Lists the windows",
            Hint::ReadOnly,
            &[],
            &[app()],
        ),
        tool(
            "list_apps",
            "Lists the apps that run",
            Hint::ReadOnly,
            &[],
            &[app(), user_apps],
        ),
        tool(
            "focus_window",
            "Brings an app to the front",
            Hint::Idempotent,
            &[],
            &window,
        ),
        tool(
            "launch_app",
            "Starts an app",
            Hint::Idempotent,
            &["app_name"],
            &launched,
        ),
    ]
}

/// Returns the tools that act on the frontmost app.
fn hands() -> Vec<Value> {
    let click = [
        ("x", number()),
        ("y", number()),
        (
            "button",
            json!({"type": "string", "enum": ["left", "right", "center"]}),
        ),
        ("click_count", integer()),
    ];
    let modifiers = json!({"type": "array", "items": {"type": "string"}});
    let key = [("key", text()), ("modifiers", modifiers)];
    let scroll = [("delta_y", integer()), ("x", number()), ("y", number())];
    let says = "Types into the field that has the focus";
    vec![
        tool(
            "click",
            "Clicks at a place",
            Hint::None,
            &["x", "y"],
            &click,
        ),
        tool(
            "type_text",
            says,
            Hint::None,
            &["text"],
            &[("text", text())],
        ),
        tool("press_key", "Presses a key", Hint::None, &["key"], &key),
        tool("scroll", "Scrolls", Hint::None, &["delta_y"], &scroll),
    ]
}

fn tool(
    name: &str,
    description: &str,
    hint: Hint,
    required: &[&str],
    properties: &[(&str, Value)],
) -> Value {
    let properties: serde_json::Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
        "annotations": {
            "readOnlyHint": hint == Hint::ReadOnly,
            "idempotentHint": hint != Hint::None,
        },
    })
}

/// Returns the tool with this name, if it exists.
pub(super) fn tool_of(name: &str) -> Option<Value> {
    tools().into_iter().find(|tool| tool["name"] == name)
}

/// Returns whether a text argument is short enough; an argument that has a picture may be longer.
fn is_short(name: &str, text: &str) -> bool {
    name == TEMPLATE || text.len() <= TEXT_BYTES_MAX
}

/// Returns what is wrong with a call's arguments, or `None` if nothing is.
pub(super) fn complaint(tool: &Value, arguments: &Value) -> Option<String> {
    let Some(given) = arguments.as_object() else {
        return Some("arguments must be an object".to_owned());
    };
    let schema = &tool["inputSchema"];
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if given.get(name).is_none_or(Value::is_null) {
            return Some(format!("{name} is required"));
        }
    }
    given.iter().find_map(|(name, value)| {
        let Some(property) = schema["properties"].get(name) else {
            return Some(format!("{name} is not known"));
        };
        let is_right = match property["type"].as_str() {
            Some("string") => value.as_str().is_some_and(|text| is_short(name, text)),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            _ => true,
        };
        let is_listed = property["enum"]
            .as_array()
            .is_none_or(|list| list.contains(value));
        (!(is_right && is_listed)).then(|| format!("{name} has a value that it may not have"))
    })
}

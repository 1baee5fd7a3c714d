//! The tools of a server.
//!
//! //= MCP 2026-07-28, server/tools

use serde_json::{Map, Value};

use crate::json_length::json_length;

/// The most tools of a server that are kept.
pub const TOOLS_MAX: usize = 1_000;
/// The longest name of a tool, and of a header that it wants, in bytes.
const NAME_BYTES_MAX: usize = 512;
/// The longest names, all together, that lead to an argument that is sent as a header, in bytes.
const PATH_BYTES_MAX: usize = 1_024;
/// The most headers that one tool may want.
const HEADERS_MAX: usize = 32;

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// What the tool does, in its server's words.
    pub description: String,
    /// The JSON schema of the tool's arguments, as the server sent it. Nothing that it refers to is ever
    /// fetched.
    pub schema: Value,
    /// Whether the server says that the tool changes nothing.
    pub is_read_only: bool,
    /// Whether the server says that calling the tool twice is as calling it once.
    pub is_idempotent: bool,
    mirrored: Vec<Mirrored>,
}

/// An argument that is sent as a header, too.
#[derive(Debug, Clone, PartialEq)]
struct Mirrored {
    /// The names that lead to the argument.
    path: Vec<String>,
    /// The end of the header's name.
    header: String,
}

impl Tool {
    /// Reads the `tools` of `tools/list`, one after the other. A tool that is not of the protocol's form
    /// is left out, and so is a tool with a header that no client may send; the others are kept.
    pub(crate) fn read_list(result: &Value) -> impl Iterator<Item = Self> {
        let tools = result.get("tools").and_then(Value::as_array);
        let tools = tools.map(Vec::as_slice).unwrap_or_default().iter();
        tools.filter_map(Self::read).take(TOOLS_MAX)
    }

    fn read(tool: &Value) -> Option<Self> {
        let name = tool.get("name")?.as_str()?;
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            return None;
        }
        let schema = tool.get("inputSchema")?.as_object()?;
        let hint = |hint: &str| {
            let hint = tool.get("annotations").and_then(|hints| hints.get(hint));
            hint.and_then(Value::as_bool) == Some(true)
        };
        let description = tool.get("description").and_then(Value::as_str);
        Some(Self {
            mirrored: mirrored(schema)?,
            name: name.to_owned(),
            description: description.unwrap_or_default().to_owned(),
            is_read_only: hint("readOnlyHint"),
            is_idempotent: hint("idempotentHint"),
            schema: Value::Object(schema.clone()),
        })
    }

    /// Returns how much the server says of the tool, in bytes of JSON.
    pub(crate) fn bytes(&self) -> usize {
        let of_header = |one: &Mirrored| {
            let path: usize = one.path.iter().map(String::len).sum();
            path.saturating_add(one.header.len())
        };
        let headers: usize = self.mirrored.iter().map(of_header).sum();
        let texts = self.name.len().saturating_add(self.description.len());
        let schema = json_length(&self.schema);
        schema.saturating_add(texts).saturating_add(headers)
    }

    /// Returns the arguments of a call that are sent as headers, too, by the ends of the headers' names.
    pub(crate) fn mirrored<'call>(
        &'call self,
        arguments: &'call Value,
    ) -> impl Iterator<Item = (&'call str, &'call Value)> {
        self.mirrored.iter().filter_map(move |mirrored| {
            let path = mirrored.path.iter();
            let value = path
                .into_iter()
                .try_fold(arguments, |value, name| value.get(name))?;
            Some((mirrored.header.as_str(), value))
        })
    }
}

/// Returns the arguments that a schema wants as headers. Returns `None` where it wants a header that it
/// may not want, or too many.
fn mirrored(schema: &Map<String, Value>) -> Option<Vec<Mirrored>> {
    let mut search = HeaderSearch::default();
    search.members(schema)?;
    Some(search.found)
}

/// Looks for the arguments that are sent as headers. A schema may be as large as an answer, so that only
/// what leads to a header is copied from it, and the search ends at the first header that is too much.
#[derive(Default)]
struct HeaderSearch<'schema> {
    /// The names that lead to the place where the search is.
    path: Vec<&'schema str>,
    /// The length of those names together, in bytes.
    path_bytes: usize,
    found: Vec<Mirrored>,
}

impl<'schema> HeaderSearch<'schema> {
    /// Looks through the members of a schema. Returns `None` where a header is wanted that may not be
    /// wanted: only the values of members of members can be told by every client.
    fn members(&mut self, schema: &'schema Map<String, Value>) -> Option<()> {
        for (member, value) in schema {
            match value.as_object().filter(|_| member == "properties") {
                None if asks_within(value) => return None,
                None => {}
                Some(properties) => {
                    for (name, property) in properties {
                        self.property(name, property)?;
                    }
                }
            }
        }
        Some(())
    }

    fn property(&mut self, name: &'schema str, property: &'schema Value) -> Option<()> {
        let Some(schema) = property.as_object() else {
            return Some(());
        };
        self.path.push(name);
        self.path_bytes = self.path_bytes.saturating_add(name.len());
        match schema.get("x-mcp-header") {
            Some(header) => self.note(header, schema)?,
            None => self.members(schema)?,
        }
        self.path.pop();
        self.path_bytes = self.path_bytes.saturating_sub(name.len());
        Some(())
    }

    fn note(&mut self, header: &Value, schema: &Map<String, Value>) -> Option<()> {
        let header = header.as_str().filter(|name| is_token(name))?;
        let kind = schema.get("type").and_then(Value::as_str)?;
        let is_single = matches!(kind, "string" | "integer" | "boolean");
        let has_room = self.found.len() < HEADERS_MAX && self.path_bytes <= PATH_BYTES_MAX;
        let mut others = self.found.iter();
        let is_new = others.all(|other| !other.header.eq_ignore_ascii_case(header));
        (is_single && has_room && is_new).then(|| {
            self.found.push(Mirrored {
                path: self.path.iter().map(ToString::to_string).collect(),
                header: header.to_owned(),
            });
        })
    }
}

/// Returns whether a header is wanted somewhere in a part of a schema where nobody could tell its value.
fn asks_within(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            members.contains_key("x-mcp-header") || members.values().any(asks_within)
        }
        Value::Array(list) => list.iter().any(asks_within),
        _ => false,
    }
}

/// Returns whether a text may be a part of a header's name.
///
/// //= RFC 9110, 5.6.2 Tokens
fn is_token(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.len() <= NAME_BYTES_MAX && text.bytes().all(is_sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(properties: Value) -> bool {
        let schema = json!({"type": "object", "properties": properties});
        let tools = json!({"tools": [
            {"name": "asked", "inputSchema": schema},
            {"name": "other", "inputSchema": {"type": "object"}},
        ]});
        let tools: Vec<Tool> = Tool::read_list(&tools).collect();
        assert!(tools.iter().any(|tool| tool.name == "other"));
        tools.iter().any(|tool| tool.name == "asked")
    }

    #[test]
    fn a_tool_with_a_header_that_nobody_may_send_is_left_out() {
        let with = |kind: &str, header: Value| json!({"a": {"type": kind, "x-mcp-header": header}});
        for kind in ["string", "integer", "boolean"] {
            assert!(kept(with(kind, json!("Region"))), "{kind}");
        }
        for (kind, header) in [
            ("string", json!("")),
            ("string", json!("My Region")),
            ("string", json!("R:P")),
            ("string", json!("Région")),
            ("string", json!("R\t1")),
            ("string", json!(7)),
            ("number", json!("Score")),
            ("object", json!("Data")),
            ("array", json!("Items")),
            ("null", json!("Nil")),
        ] {
            assert!(!kept(with(kind, header.clone())), "{kind} {header}");
        }
        let two = json!({
            "a": {"type": "string", "x-mcp-header": "Field"},
            "b": {"type": "string", "x-mcp-header": "field"},
        });
        assert!(!kept(two));
        let within =
            json!({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "X"}}});
        assert!(!kept(within));
        let member = json!({"a": {"type": "object", "properties": {"b": {"type": "string", "x-mcp-header": "X"}}}});
        assert!(kept(member));
    }

    #[test]
    fn a_list_is_read_with_its_hints_and_its_schema_as_it_came() {
        let schema = json!({"type": "object", "$defs": {"a": {"$ref": "https://a.example/b"}}});
        let tools = json!({"tools": [
            {"name": "a", "description": "d", "inputSchema": schema, "annotations": {"readOnlyHint": true}},
            {"name": "b", "inputSchema": {"type": "object"}, "annotations": {"idempotentHint": true}},
            {"name": "", "inputSchema": {}}, {"name": "c"}, 7,
        ]});
        let read: Vec<Tool> = Tool::read_list(&tools).collect();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].is_read_only, read[0].is_idempotent), (true, false));
        assert_eq!((read[1].is_read_only, read[1].is_idempotent), (false, true));
        assert_eq!(
            (&read[0].schema, read[0].description.as_str()),
            (&schema, "d")
        );
        assert_eq!(Tool::read_list(&json!(null)).count(), 0);
    }

    #[test]
    fn a_tool_wants_few_headers_by_short_names() {
        let headers = |count: usize| {
            let header = |n| json!({"type": "string", "x-mcp-header": format!("H{n}")});
            let properties = (0..count).map(|n| (format!("p{n}"), header(n)));
            Value::Object(properties.collect())
        };
        assert!(kept(headers(HEADERS_MAX)));
        assert!(!kept(headers(HEADERS_MAX + 1)));
        let below = |name: String| json!({name: {"type": "object", "properties": headers(1)}});
        assert!(kept(below("n".repeat(PATH_BYTES_MAX - 2))));
        assert!(!kept(below("n".repeat(PATH_BYTES_MAX - 1))));
        // A long name that leads to no header is kept.
        let long = json!({"n".repeat(5_000): {"type": "string"}});
        assert!(kept(long));
    }

    #[test]
    fn what_is_said_of_a_tool_is_counted() {
        let schema = json!({"type": "object", "properties": {
            "ab": {"type": "string", "x-mcp-header": "Region"},
        }});
        let tools =
            json!({"tools": [{"name": "name", "description": "words", "inputSchema": schema}]});
        let tool = Tool::read_list(&tools).next().unwrap();
        let expected = schema.to_string().len() + "name".len() + "words".len() + "abRegion".len();
        assert_eq!(tool.bytes(), expected);
    }
}

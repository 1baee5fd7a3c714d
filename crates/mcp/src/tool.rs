//! The tools of a server, their paginated list, and the results of calls.
//!
//! //= MCP 2026-07-28, server/tools

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use thiserror::Error;

/// The most tools of one server that are stored.
pub const TOOLS_MAX: usize = 1_000;
/// The longest name of a tool, and of a header in which a tool requests an argument, in bytes.
const NAME_BYTES_MAX: usize = 512;
/// The most bytes that the names on the path to an argument may have in total, if the argument is also sent as a
/// header.
const PATH_BYTES_MAX: usize = 1_024;
/// The most headers in which one tool may request arguments.
const HEADERS_MAX: usize = 32;
/// The most pages of a list that are requested.
const PAGES_MAX: u32 = 50;
/// The length of a list, in bytes of JSON, beyond which no further page is requested.
const LIST_BYTES_MAX: usize = 8_000_000;
/// The greatest total length of the names, descriptions, schemas and headers of one server's tools, in bytes. They are
/// kept in memory for the whole run, and must fit into one row of its journal.
pub const TOOLS_BYTES_MAX: usize = 1_000_000;
/// The longest media type, in bytes of printable ASCII. A block whose type is longer or has other characters is kept
/// unparsed.
const MIME_TYPE_BYTES_MAX: usize = 200;

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// What the tool does, in the server's words.
    pub description: String,
    /// The JSON schema of the tool's arguments, as sent by the server. References in it are never fetched.
    pub schema: Value,
    /// Whether the server declares the tool read-only.
    pub is_read_only: bool,
    /// Whether the server declares the tool idempotent.
    pub is_idempotent: bool,
    mirrored: Vec<Mirrored>,
}

/// An argument that a tool requests as a header, too.
#[derive(Debug, Clone, PartialEq)]
struct Mirrored {
    /// The names of the nested members that lead to the argument.
    path: Vec<String>,
    /// The suffix of the header's name, after the protocol's prefix.
    header: String,
}

impl Tool {
    /// Parses the `tools` of a `tools/list` result. Tools that are invalid or request a forbidden header are omitted.
    pub(crate) fn read_list(result: &Value) -> impl Iterator<Item = Self> {
        let tools = result.get("tools").and_then(Value::as_array);
        let listed = tools.map(Vec::as_slice).unwrap_or_default().iter();
        listed.filter_map(Self::read).take(TOOLS_MAX)
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

    /// Returns the length of the tool's name, description, schema and headers, in bytes.
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

    /// Returns the arguments of a call that are also sent as headers, each with the suffix of its header's name.
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

/// Returns the arguments that a schema requests as headers; `None` if one of the headers is forbidden or there are too
/// many.
fn mirrored(schema: &Map<String, Value>) -> Option<Vec<Mirrored>> {
    let mut search = HeaderSearch::default();
    search.members(schema)?;
    Some(search.found)
}

/// A search of a schema for arguments to send as headers. A schema may be as large as an answer, so only paths to such
/// arguments are copied, and the search ends at the first violation.
#[derive(Default)]
struct HeaderSearch<'schema> {
    /// The names that lead to the current member.
    path: Vec<&'schema str>,
    /// The total length of the path, in bytes.
    path_bytes: usize,
    found: Vec<Mirrored>,
}

impl<'schema> HeaderSearch<'schema> {
    /// Searches the `properties` of a schema, at any depth. `None` if a header is requested for anything else, such as
    /// items of a list: only the values of properties can be determined by every client.
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

/// Returns whether a header is requested anywhere in a part of a schema. The caller passes the parts in which the
/// protocol forbids this, since not every client can determine the values there.
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

/// The pages of a list that have been received so far.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    tools: Vec<Tool>,
    cursor: Option<String>,
    pages: u32,
    /// The total length of the received pages, in bytes of JSON.
    bytes: usize,
    /// The total length of the tools that are kept from the received pages, as [`Tool::bytes`] measures it.
    kept_bytes: usize,
}

/// The error for a list of tools that exceeds [`TOOLS_BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("its tools are described in more than {TOOLS_BYTES_MAX} bytes, the most that a run takes")]
pub(crate) struct TooMuchSaid;

impl Listing {
    /// Returns the cursor with which to request the next page; `None` for the first page.
    pub(crate) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Takes a page. Returns all tools if it was the last page, and `None` if another one is to be requested.
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

/// The result of a tool call.
///
/// //= MCP 2026-07-28, server/tools, `CallToolResult`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallResult {
    /// The content, in order.
    pub content: Vec<Content>,
    /// The structured content; `None` if the tool sent none.
    pub structured: Option<Value>,
    /// Whether the tool reports an error.
    pub is_error: bool,
}

/// A block of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A text.
    Text(String),
    /// An image.
    Image(Media),
    /// Audio.
    Audio(Media),
    /// A link, a resource, or a block of unknown type, kept unparsed.
    Other(Value),
}

/// The bytes of an image or of audio, and their media type as the server states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The media type, like `image/png`.
    pub mime_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl CallResult {
    /// Parses the `result` of `tools/call`. Unknown or invalid blocks are kept unparsed.
    #[must_use]
    pub fn read(result: &Value) -> Self {
        let blocks = result.get("content").and_then(Value::as_array);
        Self {
            content: blocks.into_iter().flatten().map(Content::read).collect(),
            structured: result.get("structuredContent").cloned(),
            is_error: result.get("isError").and_then(Value::as_bool) == Some(true),
        }
    }
}

impl Content {
    fn read(block: &Value) -> Self {
        let text = |name: &str| block.get(name).and_then(Value::as_str);
        let is_type = |text: &&str| {
            text.len() <= MIME_TYPE_BYTES_MAX
                && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        };
        let media = || {
            Some(Media {
                mime_type: text("mimeType").filter(is_type)?.to_owned(),
                bytes: STANDARD.decode(text("data")?).ok()?,
            })
        };
        let known = match text("type") {
            Some("text") => text("text").map(|words| Self::Text(words.to_owned())),
            Some("image") => media().map(Self::Image),
            Some("audio") => media().map(Self::Audio),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other(block.clone()))
    }
}

/// Returns the length of a value's JSON, in bytes.
fn json_length(value: &Value) -> usize {
    let mut counter = Counter(0);
    // Writing to a counter cannot fail, so the result is ignored.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(properties: &Value) -> bool {
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
            assert!(kept(&with(kind, json!("Region"))), "{kind}");
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
            assert!(!kept(&with(kind, header.clone())), "{kind} {header}");
        }
        let two = json!({
            "a": {"type": "string", "x-mcp-header": "Field"},
            "b": {"type": "string", "x-mcp-header": "field"},
        });
        assert!(!kept(&two));
        let within =
            json!({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "X"}}});
        assert!(!kept(&within));
        let member = json!({"a": {"type": "object", "properties": {"b": {"type": "string", "x-mcp-header": "X"}}}});
        assert!(kept(&member));
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
        assert!(kept(&headers(HEADERS_MAX)));
        assert!(!kept(&headers(HEADERS_MAX + 1)));
        let below = |name: String| json!({name: {"type": "object", "properties": headers(1)}});
        assert!(kept(&below("n".repeat(PATH_BYTES_MAX - 2))));
        assert!(!kept(&below("n".repeat(PATH_BYTES_MAX - 1))));
        // The limit applies only to the names on the path to an argument that is sent as a header.
        let long = json!({"n".repeat(5_000): {"type": "string"}});
        assert!(kept(&long));
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

    fn page(description_bytes: usize, next: Option<&str>) -> Value {
        let tool = json!({
            "name": "a", "description": "d".repeat(description_bytes), "inputSchema": {},
        });
        json!({"tools": [tool], "nextCursor": next})
    }

    #[test]
    fn what_is_kept_of_all_pages_is_bounded() {
        // Besides its description, the tool has a name of one byte and a schema of two, which count too.
        let mut listing = Listing::default();
        assert_eq!(listing.take(&page(499_997, Some("2"))), Ok(None));
        let tools = listing.take(&page(499_997, None)).unwrap().unwrap();
        assert_eq!(tools.len(), 2);
        let mut listing = Listing::default();
        assert_eq!(listing.take(&page(499_997, Some("2"))), Ok(None));
        assert_eq!(listing.take(&page(499_998, None)), Err(TooMuchSaid));
    }

    #[test]
    fn every_kind_of_content_is_read_or_kept() {
        let link = json!({"type": "resource_link", "uri": "note:1", "name": "n"});
        let new = json!({"type": "hologram", "beam": 1});
        let broken = json!({"type": "image", "data": "!", "mimeType": "image/png"});
        let result = json!({
            "content": [
                {"type": "text", "text": "a", "annotations": {}},
                {"type": "image", "data": "AAE=", "mimeType": "image/png"},
                {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
                link, new, broken,
            ],
            "structuredContent": [1],
            "isError": true,
        });
        let media = |mime_type: &str, bytes: &[u8]| Media {
            mime_type: mime_type.to_owned(),
            bytes: bytes.to_owned(),
        };
        let expected = CallResult {
            content: vec![
                Content::Text("a".into()),
                Content::Image(media("image/png", &[0, 1])),
                Content::Audio(media("audio/wav", &[0])),
                Content::Other(link),
                Content::Other(new),
                Content::Other(broken),
            ],
            structured: Some(json!([1])),
            is_error: true,
        };
        assert_eq!(CallResult::read(&result), expected);
        assert_eq!(CallResult::read(&json!(7)), CallResult::default());
    }

    #[test]
    fn a_text_is_as_long_as_it_is_written() {
        for value in [json!(null), json!({"a": [1, 2.5, "é\n", true]}), json!("")] {
            assert_eq!(json_length(&value), value.to_string().len());
        }
    }
}

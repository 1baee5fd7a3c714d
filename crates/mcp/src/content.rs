//! The answer of a tool.
//!
//! //= MCP 2026-07-28, server/tools, `CallToolResult`

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The longest name of a type, in bytes; it is printable ASCII. A block whose type is not such a name is
/// kept as it came.
const MIME_TYPE_BYTES_MAX: usize = 200;

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallResult {
    /// The content, in order.
    pub content: Vec<Content>,
    /// The content as a value, where the tool gives one.
    pub structured: Option<Value>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

/// A block of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A text.
    Text(String),
    /// A picture.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A link, a resource, or a block that this program does not know, as it came.
    Other(Value),
}

/// Bytes with their type, as the server says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The type of the bytes, like `image/png`.
    pub mime_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl CallResult {
    /// Reads the `result` of `tools/call`. A block of an unknown kind, or one that is not of its
    /// kind's form, is kept as it came.
    #[must_use]
    pub fn read(result: &Value) -> Self {
        let blocks = result.get("content").and_then(Value::as_array);
        let blocks = blocks.map(Vec::as_slice).unwrap_or_default();
        Self {
            content: blocks.iter().map(Content::read).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}

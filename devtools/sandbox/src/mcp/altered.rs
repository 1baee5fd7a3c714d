//! Alters the results of executed tools, to give a client results that it does not expect.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::faults::McpFault;

/// The sizes in bytes of the pictures that two faults add to a result.
const LARGE_BYTES: usize = 1_500_000;
const HUGE_BYTES: usize = 6_000_000;
/// The first bytes of a PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Returns a tool's result as the fault of the call alters it. `call` is the call's number, which makes each picture
/// different.
pub(super) fn altered(fault: Option<McpFault>, result: Value, call: u64) -> Value {
    match fault {
        Some(McpFault::StructuredAlone) => {
            let text = result.pointer("/content/0/text").and_then(Value::as_str);
            let text = text.unwrap_or_default();
            let value = serde_json::from_str(text).unwrap_or_else(|_| json!({"said": text}));
            json!({"content": [], "structuredContent": value, "isError": result.get("isError")})
        }
        Some(McpFault::LargePicture) => with_picture(result, &picture(LARGE_BYTES, call)),
        Some(McpFault::HugePicture) => with_picture(result, &picture(HUGE_BYTES, call)),
        Some(McpFault::BrokenPicture) => with_picture(result, "data:image/png;base64,AAAA"),
        _ => result,
    }
}

fn with_picture(mut result: Value, data: &str) -> Value {
    let picture = json!({"type": "image", "mimeType": "image/png", "data": data});
    if let Some(content) = result.get_mut("content").and_then(Value::as_array_mut) {
        content.push(picture);
    }
    result
}

/// Returns this many bytes in base64, different for each call. The bytes begin like a PNG file, but are not a picture.
fn picture(bytes: usize, call: u64) -> String {
    let mut file = PNG.to_vec();
    file.extend(call.to_be_bytes());
    file.resize(bytes, 0);
    STANDARD.encode(file)
}

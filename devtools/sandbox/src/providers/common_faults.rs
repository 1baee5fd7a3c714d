//! Faults that every provider can have.

use serde_json::json;

use super::fault_kinds::fault_kinds;
use super::images;
use super::provider::SandboxProvider;
use super::reply::Reply;

fault_kinds! {
    /// A fault that every provider can have.
    pub(crate) enum CommonFault {
        Hang = "hang",
        Slow = "slow",
        Garbage = "garbage",
        Empty = "empty",
        NotFound = "not-found",
        TruncatedBody = "truncated-body",
        Huge = "huge",
    }
}

/// The pause before a hanging reply, in milliseconds. No client waits that long.
const HANG_MS: u64 = 600_000;
const SLOW_MS: u64 = 5_000;
const HUGE_BYTES: usize = 8 * 1024 * 1024;

/// Makes the reply with this fault. `answer` makes the good reply, which some faults spoil.
pub(crate) fn reply(
    fault: CommonFault,
    provider: SandboxProvider,
    answer: impl FnOnce() -> Reply,
) -> Reply {
    match fault {
        CommonFault::Hang => answer().later(HANG_MS),
        CommonFault::Slow => answer().later(SLOW_MS),
        CommonFault::Garbage => Reply::new(
            200,
            json_type(provider),
            br#"{"items":[{"link":"http://"#.to_vec(),
        ),
        CommonFault::Empty => Reply::new(200, json_type(provider), Vec::new()),
        CommonFault::NotFound => not_found(provider),
        CommonFault::TruncatedBody => answer().broken_off(),
        CommonFault::Huge => Reply::new(200, json_type(provider), huge()),
    }
}

fn json_type(provider: SandboxProvider) -> &'static str {
    match provider {
        SandboxProvider::Rekognition => "application/x-amz-json-1.1",
        SandboxProvider::Image => "image/jpeg",
        SandboxProvider::Google | SandboxProvider::Gemini => "application/json; charset=UTF-8",
        SandboxProvider::Commons | SandboxProvider::Wikidata => "application/json; charset=utf-8",
        _ => "application/json",
    }
}

fn not_found(provider: SandboxProvider) -> Reply {
    match provider {
        SandboxProvider::Google | SandboxProvider::Gemini => {
            let message = "Requested entity was not found.";
            let error = json!({"code": 404, "message": message, "status": "NOT_FOUND"});
            Reply::pretty(404, &json!({"error": error}))
        }
        SandboxProvider::Rekognition => Reply::new(
            404,
            json_type(provider),
            br#"{"__type":"ResourceNotFoundException"}"#.to_vec(),
        ),
        SandboxProvider::WorkersAi => {
            let errors = json!([{"code": 7000, "message": "No route for that URI"}]);
            Reply::json(404, &json!({"success": false, "errors": errors}))
        }
        // The words of Ollama and vLLM for an unknown path.
        SandboxProvider::OpenAi => Reply::new(404, "text/plain", b"404 page not found".to_vec()),
        SandboxProvider::Openverse => Reply::json(404, &json!({"detail": "Not found."})),
        SandboxProvider::Serper => {
            Reply::json(404, &json!({"message": "Not Found", "statusCode": 404}))
        }
        _ => images::missing(),
    }
}

/// Returns a body that is too large to buffer: a list that continues beyond every client's limit.
fn huge() -> Vec<u8> {
    let mut bytes = br#"{"items":["#.to_vec();
    while bytes.len() < HUGE_BYTES {
        bytes.extend_from_slice(br#"{"link":"http://127.0.0.1/photos/0.jpg","title":"huge"},"#);
    }
    bytes.extend_from_slice(b"{}]}");
    bytes
}

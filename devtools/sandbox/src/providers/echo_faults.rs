//! A fault in which a provider repeats the request, including the key: `echo-STATUS`, or `echo-STATUS-text` for a reply
//! that is not JSON. These kinds are not listed, as they only differ by status.

use http::StatusCode;
use serde_json::json;

use super::reply::Reply;
use super::request::ParsedRequest;

const PREFIX: &str = "echo-";
const AS_TEXT: &str = "-text";

/// The status and the form of a reply that repeats the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EchoFault {
    status: u16,
    is_json: bool,
}

impl EchoFault {
    /// Parses the name of an echo, such as `echo-500-text`. Returns `None` for any other name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let status = name.strip_prefix(PREFIX)?;
        let (status, is_json) = match status.strip_suffix(AS_TEXT) {
            Some(status) => (status, false),
            None => (status, true),
        };
        let status = status.parse().ok()?;
        StatusCode::from_u16(status)
            .ok()
            .map(|_| Self { status, is_json })
    }

    /// Returns the reply to a request. Every member that may hold an error text has the text of the request.
    pub(crate) fn reply(self, request: &ParsedRequest) -> Reply {
        let headers = request.headers.iter();
        let headers: Vec<_> = headers
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or_default()))
            .collect();
        let all = format!("{} {}", request.address(), headers.join("; "));
        if !self.is_json {
            return Reply::new(self.status, "text/plain", all.into_bytes());
        }
        // Members that hold a code get only the key. If the request has no key, they get the whole text.
        let mut keys = headers.iter().filter(|header| {
            let words = ["authorization", "token", "key"];
            words.iter().any(|word| header.contains(word))
        });
        let in_header = keys.next().and_then(|header| header.rsplit(' ').next());
        let key = in_header.or_else(|| request.parameter("api_key"));
        let key = key.unwrap_or(&all);
        let errors = json!([{"code": key, "reason": key, "message": all, "detail": all}]);
        let body = json!({
            "error": {"code": key, "status": key, "type": key, "reason": key, "message": all,
                "errors": errors, "details": errors},
            "errors": errors, "code": key, "__type": key, "type": key, "message": all,
            "detail": all, "success": false,
        });
        Reply::json(self.status, &body)
    }
}

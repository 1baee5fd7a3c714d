//! Makes Rekognition's errors, which have several forms.

use serde_json::{Value, json};

use super::super::reply::Reply;

/// The message for an image that is too large.
pub(super) const TOO_LARGE: &str = "1 validation error detected: Value 'java.nio.HeapByteBuffer[pos=0 lim=5357237 cap=5357237]' at 'image.bytes' failed to satisfy constraint: Member must have length less than or equal to 5242880";
pub(super) fn unknown_client(id: &str) -> Reply {
    let message = "The security token included in the request is invalid.";
    auth_error("UnrecognizedClientException", message, id)
}

pub(super) fn service_error(kind: &str, message: &str, id: &str) -> Reply {
    reply(
        400,
        &json!({"__type": kind, "Code": kind, "Logref": id, "Message": message}),
        id,
    )
}

pub(super) fn auth_error(kind: &str, message: &str, id: &str) -> Reply {
    reply(400, &json!({"__type": kind, "message": message}), id)
}

pub(super) fn missing_token(id: &str) -> Reply {
    let text = format!(
        "<MissingAuthenticationTokenException>\n  <Message>Missing Authentication Token</Message>\n</MissingAuthenticationTokenException>\n<!-- {id} -->\n"
    );
    Reply::new(403, "application/xml", text.into_bytes()).with_named("x-amzn-requestid", id)
}

/// Makes a response whose header has its request id.
pub(super) fn reply(status: u16, body: &Value, id: &str) -> Reply {
    Reply::new(
        status,
        "application/x-amz-json-1.1",
        body.to_string().into_bytes(),
    )
    .with_named("x-amzn-requestid", id)
}

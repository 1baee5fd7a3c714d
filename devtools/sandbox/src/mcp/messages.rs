//! Writes JSON-RPC messages, and parses them as strictly as the specification requires.

use serde_json::{Value, json};

use crate::providers::Reply;

/// The error code for a body that is not JSON.
const NOT_JSON: i64 = -32_700;
/// The error code for JSON that is not a message.
pub(super) const INVALID_REQUEST: i64 = -32_600;
/// The error code for a method that does not exist.
pub(super) const METHOD_NOT_FOUND: i64 = -32_601;
/// The error code for parameters that the method does not take.
pub(super) const INVALID_PARAMS: i64 = -32_602;
/// The error code for every other failure.
pub(super) const INTERNAL: i64 = -32_603;

/// A message from a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Request(RpcRequest),
    /// A notification, which gets no response.
    Notification,
    /// The client's response to a request of the server.
    Response,
}

/// A request from a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RpcRequest {
    pub(super) id: Value,
    pub(super) method: String,
    /// The parameters, always an object.
    pub(super) params: Value,
}

impl RpcRequest {
    /// Returns the token that progress notifications must repeat; `None` if the client wants none.
    pub(super) fn progress_token(&self) -> Option<&Value> {
        self.params.pointer("/_meta/progressToken")
    }

    /// Returns the tool's name and the arguments of a `tools/call` request; `None` if the name is not a text.
    pub(super) fn tool_call(&self) -> Option<(&str, Value)> {
        let name = self.params.get("name")?.as_str()?;
        let arguments = self.params.get("arguments").cloned();
        Some((name, arguments.unwrap_or_else(|| json!({}))))
    }

    /// Makes the response to this request from a result.
    pub(super) fn result(&self, result: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id, "result": result})
    }
}

/// The error that a refused request gets as its response.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    pub(super) fn new(code: i64, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
            data: None,
        }
    }

    pub(super) fn with_data(self, data: Value) -> Self {
        Self {
            data: Some(data),
            ..self
        }
    }

    /// Returns the error as the response to the request with this id.
    pub(super) fn message(&self, id: &Value) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(error)) = (&self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data.clone());
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }

    /// Returns the error as a reply with this status.
    pub(super) fn reply(&self, status: u16, id: &Value) -> Reply {
        Reply::json(status, &self.message(id))
    }
}

/// Returns the id of a message, or null if the message has none.
pub(super) fn id_of(body: &Value) -> Value {
    let id = body.get("id").filter(|id| is_id(id));
    id.cloned().unwrap_or(Value::Null)
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

/// Parses a body as JSON.
pub(super) fn parsed(body: &[u8]) -> Result<Value, RpcError> {
    serde_json::from_slice(body)
        .map_err(|_| RpcError::new(NOT_JSON, "Parse error: the body is not JSON"))
}

/// Parses the JSON of a body, which must hold exactly one message.
pub(super) fn read(body: &Value) -> Result<Message, RpcError> {
    let invalid = |says: &str| RpcError::new(INVALID_REQUEST, &format!("Invalid Request: {says}"));
    if body.is_array() {
        return Err(invalid("batches are not supported"));
    }
    if body.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("jsonrpc must be \"2.0\""));
    }
    let answers = body.get("result").is_some() || body.get("error").is_some();
    let Some(method) = body.get("method") else {
        let has_id = body.get("id").is_some_and(is_id);
        return if answers && has_id {
            Ok(Message::Response)
        } else {
            Err(invalid("there is no method"))
        };
    };
    let Some(method) = method.as_str().filter(|_| !answers) else {
        return Err(invalid("method must be a string, and stand alone"));
    };
    let params = body.get("params").cloned().unwrap_or_else(|| json!({}));
    if !params.is_object() {
        return Err(invalid("params must be an object"));
    }
    match body.get("id") {
        None => Ok(Message::Notification),
        Some(id) if is_id(id) => Ok(Message::Request(RpcRequest {
            id: id.clone(),
            method: method.to_owned(),
            params,
        })),
        Some(_) => Err(invalid("id must be a string or an integer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let call = json!({"jsonrpc": "2.0", "id": "a", "method": "m"});
        let request = RpcRequest {
            id: json!("a"),
            method: "m".into(),
            params: json!({}),
        };
        assert_eq!(read(&call), Ok(Message::Request(request)));
        let told = json!({"jsonrpc": "2.0", "method": "m"});
        assert_eq!(read(&told), Ok(Message::Notification));
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
        assert_eq!(read(&answer), Ok(Message::Response));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for body in [
            json!([{"jsonrpc": "2.0", "id": 1, "method": "m"}]),
            json!({"id": 1, "method": "m"}),
            json!({"jsonrpc": 2.0, "id": 1, "method": "m"}),
            json!({"jsonrpc": "2.0", "id": null, "method": "m"}),
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "m"}),
            json!({"jsonrpc": "2.0", "id": 1}),
            json!({"jsonrpc": "2.0", "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": 7}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "m", "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "m", "params": [1]}),
            json!("hello"),
        ] {
            let refused = read(&body).unwrap_err();
            assert_eq!(refused.code, INVALID_REQUEST, "{body}");
        }
        assert_eq!(parsed(b"{").unwrap_err().code, NOT_JSON);
    }
}

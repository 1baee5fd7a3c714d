//! The refusal of a message.

use serde_json::Value;

use mcp::codes::{INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND};

/// The refusal of a message, as it is answered. It is passed on through many hands, so that it is one pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    status: u16,
    code: i64,
    says: &'static str,
    /// The JSON of what a program reads of it.
    data: Option<String>,
    id: Option<Value>,
}

impl Refusal {
    /// Makes a refusal with this status of HTTP and this code of the protocol. `says` is a whole sentence. It is one
    /// function wherever something is refused, so that the Worker stays small.
    #[inline(never)]
    #[must_use]
    pub fn new(status: u16, code: i64, says: &'static str) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            says,
            data: None,
            id: None,
        }))
    }

    /// Makes the refusal of a body that is no message.
    #[inline(never)]
    pub(super) fn no_message(says: &'static str) -> Self {
        Self::new(400, INVALID_REQUEST, says)
    }

    /// Makes the refusal of parameters.
    #[inline(never)]
    pub(super) fn params(status: u16, says: &'static str) -> Self {
        Self::new(status, INVALID_PARAMS, says)
    }

    /// Makes the refusal of a method that there is not.
    #[inline(never)]
    pub(super) fn method(status: u16) -> Self {
        Self::new(
            status,
            METHOD_NOT_FOUND,
            "This server has no such method; it has tools/list and tools/call.",
        )
    }

    /// Makes the refusal of a session that there is not, or not any more: the client begins a new one.
    #[must_use]
    pub fn session() -> Self {
        Self::new(
            404,
            INVALID_REQUEST,
            "There is no such session here, or not any more; send initialize again.",
        )
    }

    /// Returns the refusal with the JSON of what a program reads of it.
    pub(super) fn with_data(mut self, data: String) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Returns the refusal as one of the request with this id.
    #[must_use]
    pub fn of(mut self, id: &Value) -> Self {
        self.0.id = Some(id.clone());
        self
    }

    /// Returns the status of HTTP.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the body.
    #[must_use]
    pub fn body(&self) -> String {
        let Parts {
            code,
            says,
            data,
            id,
            ..
        } = &*self.0;
        let id = match id {
            Some(id) => format!(r#""id":{id},"#),
            None => String::new(),
        };
        let data = match data {
            Some(data) => format!(r#","data":{data}"#),
            None => String::new(),
        };
        let says = Value::from(*says);
        format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":{code},"message":{says}{data}}}}}"#)
    }
}

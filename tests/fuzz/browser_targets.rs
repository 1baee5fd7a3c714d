//! The parser of browsers' messages.

use cdp::{Incoming, MESSAGE_BYTES_MAX};

use super::corpus::texts;
use super::runner::Target;

const WORDS: [&str; 20] = [
    "\"id\":1,",
    "\"id\":18446744073709551616,",
    "\"result\":",
    "\"error\":{\"message\":\"no\"}",
    "\"method\":\"Fetch.requestPaused\"",
    "\"method\":\"Target.attachedToTarget\"",
    "\"method\":\"Page.javascriptDialogOpening\"",
    "\"sessionId\":\"S\"",
    "\"params\":{",
    "\"targetInfo\":{",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "\\u",
    "\\\\",
    "\\\"",
    "[[",
    "{\"a\":0},",
    "1e999",
    "\u{1f600}",
];

const ANSWER: &str = r#"{"id":7,"result":{"result":{"type":"object","value":{"quiet":40.5,"url":"https://a/","title":"t","items":["x","p"],"found":[true],"elements":[]}}},"sessionId":"S"}"#;
const EVENT: &str = r#"{"method":"Fetch.requestPaused","params":{"requestId":"interception-1","request":{"url":"https://a/\ud83d\ude00\ud800","method":"GET","headers":{}},"frameId":"F","resourceType":"Document"},"sessionId":"S"}"#;
const REFUSAL: &str = r#"{"id":8,"error":{"code":-32000,"message":"Cannot find context with specified id"},"sessionId":"S"}"#;

pub fn all() -> Vec<Target> {
    vec![Target {
        name: "browser-message",
        bound_bytes: MESSAGE_BYTES_MAX,
        bulky_bytes: MESSAGE_BYTES_MAX,
        seeds: texts(&[ANSWER, EVENT, REFUSAL]),
        dictionary: &WORDS,
        read: Box::new(|bytes| {
            let valid =
                std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let text = std::str::from_utf8(&bytes[..valid]).expect("so far it is text");
            drop(Incoming::read(text));
        }),
    }]
}

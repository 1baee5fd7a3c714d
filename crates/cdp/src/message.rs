//! The messages of the protocol, as they are read and written.

use serde_json::{Value, json};

/// The longest message that is read, in bytes. What the client asks for is far shorter; a page can make
/// the browser tell of long addresses and texts.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The most memory that a message may take once it is read, in bytes.
const MESSAGE_WEIGHT_MAX: usize = MESSAGE_BYTES_MAX;
/// The most characters of a refusal's words; fewer are told, once the secrets are taken out.
const WORDS_CHARS_MAX: usize = 2_000;

/// A command that is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The session of the page that it is for; `None` for the browser itself.
    pub session: Option<String>,
    /// The command's name.
    pub method: &'static str,
    /// The command's arguments.
    pub params: Value,
}

/// A message of the browser.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// The answer to a command: its result, or the words in which it was refused.
    Answer {
        /// The command's number.
        id: u64,
        /// What came of it.
        outcome: Result<Value, String>,
    },
    /// Something happened.
    Event(Event),
}

/// Something that happened in the browser.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The session that it happened in; `None` for the browser itself.
    pub session: Option<String>,
    /// The event's name.
    pub method: String,
    /// The event's values.
    pub params: Value,
}

impl Command {
    /// Makes a command to a page.
    pub(crate) fn to_page(session: &str, method: &'static str, params: Value) -> Self {
        Self {
            session: Some(session.to_owned()),
            method,
            params,
        }
    }

    /// Makes a command to the browser itself.
    pub(crate) fn to_browser(method: &'static str, params: Value) -> Self {
        Self {
            session: None,
            method,
            params,
        }
    }

    /// Makes a command to what told of this event.
    pub(crate) fn answering(event: &Event, method: &'static str, params: Value) -> Self {
        Self {
            session: event.session.clone(),
            method,
            params,
        }
    }

    /// Returns the message that sends the command under this number.
    pub(crate) fn message(&self, id: u64) -> String {
        let mut message = json!({"id": id, "method": self.method, "params": self.params});
        if let (Some(session), Some(members)) = (&self.session, message.as_object_mut()) {
            members.insert("sessionId".to_owned(), session.as_str().into());
        }
        message.to_string()
    }
}

impl Incoming {
    /// Reads a message. Returns `None` for what is none, and for one that is too long.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > MESSAGE_BYTES_MAX || json::weight(text.as_bytes()) > MESSAGE_WEIGHT_MAX {
            return None;
        }
        let mut message: Value = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(_) => serde_json::from_str(&mended(text)?).ok()?,
        };
        let members = message.as_object_mut()?;
        let mut take = |name: &str| members.get_mut(name).map(Value::take);
        if let Some(id) = take("id") {
            let id = id.as_u64()?;
            let outcome = match take("error") {
                Some(error) => Err(words(&error)),
                None => Ok(take("result").unwrap_or_default()),
            };
            return Some(Self::Answer { id, outcome });
        }
        let method = take("method")?.as_str()?.to_owned();
        let session = take("sessionId").and_then(|session| Some(session.as_str()?.to_owned()));
        let params = take("params").unwrap_or_default();
        Some(Self::Event(Event {
            session,
            method,
            params,
        }))
    }
}

fn words(error: &Value) -> String {
    let message = error.get("message").and_then(Value::as_str);
    let words = message.unwrap_or("it gave no reason");
    words.chars().take(WORDS_CHARS_MAX).collect()
}

/// Returns the text with every half of a character made whole: pages may have such texts, the browser
/// repeats them, and no reader of JSON takes them. Returns `None` where there is none.
fn mended(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut has_changed = false;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        // An escape that is no half of a character is two bytes long, or its digits are plain text.
        let (taken, replacement) = match surrogate(escape) {
            None => (escape.chars().take(2).map(char::len_utf8).sum(), None),
            Some(0xD800..0xDC00) => match escape.get(6..).and_then(surrogate) {
                Some(0xDC00..0xE000) => (12, None),
                _ => (6, Some("\\ufffd")),
            },
            Some(_) => (6, Some("\\ufffd")),
        };
        has_changed |= replacement.is_some();
        mended.push_str(
            replacement
                .or_else(|| escape.get(..taken))
                .unwrap_or_default(),
        );
        rest = escape.get(taken..)?;
    }
    mended.push_str(rest);
    has_changed.then_some(mended)
}

/// Returns the half of a character that a text begins with, as `\ud83d`.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_with_its_number_and_its_session() {
        let command = Command::to_page("S", "Page.enable", json!({}));
        let message: Value = serde_json::from_str(&command.message(7)).unwrap();
        let expected = json!({"id": 7, "method": "Page.enable", "params": {}, "sessionId": "S"});
        assert_eq!(message, expected);
        let command = Command::to_browser("Browser.getVersion", json!({}));
        assert!(!command.message(8).contains("sessionId"));
    }

    #[test]
    fn answers_refusals_and_events_are_told_apart() {
        let answer = Incoming::read(r#"{"id":1,"result":{"a":2},"sessionId":"S"}"#);
        let outcome = Ok(json!({"a": 2}));
        assert_eq!(answer, Some(Incoming::Answer { id: 1, outcome }));
        let refused = Incoming::read(r#"{"id":2,"error":{"code":-32000,"message":"No."}}"#);
        let outcome = Err("No.".to_owned());
        assert_eq!(refused, Some(Incoming::Answer { id: 2, outcome }));
        let event =
            Incoming::read(r#"{"method":"Page.loadEventFired","params":{},"sessionId":"S"}"#);
        let expected = Event {
            session: Some("S".to_owned()),
            method: "Page.loadEventFired".to_owned(),
            params: json!({}),
        };
        assert_eq!(event, Some(Incoming::Event(expected)));
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in [
            "",
            "[]",
            "{}",
            "7",
            r#"{"id":"x"}"#,
            r#"{"method":3}"#,
            "\u{1f600}",
            r#"{"id":1"#,
        ] {
            assert_eq!(Incoming::read(text), None, "{text}");
        }
        let long = format!(r#"{{"method":"{}"}}"#, "x".repeat(MESSAGE_BYTES_MAX));
        assert_eq!(Incoming::read(&long), None);
        let heavy = format!(
            r#"{{"method":"m","params":[{}0]}}"#,
            "{\"a\":0},".repeat(100_000)
        );
        assert_eq!(Incoming::read(&heavy), None);
    }

    #[track_caller]
    fn check_text(escaped: &str, expected: &str) {
        let message = format!(r#"{{"id":1,"result":"{escaped}"}}"#);
        let outcome = Ok(Value::from(expected));
        assert_eq!(
            Incoming::read(&message),
            Some(Incoming::Answer { id: 1, outcome }),
            "{escaped}"
        );
    }

    #[test]
    fn half_a_character_becomes_a_sign_for_it() {
        check_text(r"a\ud800x", "a\u{fffd}x");
        check_text(r"\udc00", "\u{fffd}");
        check_text(r"\ud83d\ude00\ud83d", "\u{1f600}\u{fffd}");
        check_text(r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}");
        check_text(r"\\ud800\ud800", "\\ud800\u{fffd}");
        check_text(r"\n\ud800\u00e9", "\n\u{fffd}\u{e9}");
    }
}

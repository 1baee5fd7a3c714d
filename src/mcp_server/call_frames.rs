//! The events of the stream that answers a call.

use serde_json::Value;

use engine::assistant::Answer;
use mcp::Era;

use super::answers::call_result;
use super::call_point::CallPoint;

/// Writes the events of the answer to one call.
#[derive(Debug, Clone)]
pub struct CallFrames {
    point: CallPoint,
}

impl CallFrames {
    /// Makes the writer of the answer to a call that stands at this point.
    #[must_use]
    pub fn new(point: CallPoint) -> Self {
        Self { point }
    }

    /// Returns the point at which the call stands.
    #[must_use]
    pub fn point(&self) -> &CallPoint {
        &self.point
    }

    /// Notes that the client was told of the events up to this number.
    pub fn pass(&mut self, number: u32) {
        self.point.after = self.point.after.max(number);
    }

    /// Returns the bytes with which the stream begins: in a session an event without data, with which a client that
    /// loses the connection before the first progress comes back to this call; else a comment.
    #[must_use]
    pub fn greeting(&self) -> String {
        match self.point.era {
            Era::Legacy => format!("id: {}\ndata: \n\n", self.point.to_text()),
            Era::Modern => ":\n\n".to_owned(),
        }
    }

    /// Returns the event that tells progress in these words, as far as the events up to `number` go. Returns `None`
    /// where the client wants none.
    pub fn progress(&mut self, number: u32, says: &str) -> Option<String> {
        self.pass(number);
        let token = self.point.progress_token.as_ref()?;
        let says = Value::from(says);
        Some(self.frame(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{number},"message":{says}}}}}"#
        )))
    }

    /// Returns the event with the answer, which is the last one.
    #[must_use]
    pub fn answer(&self, answer: &Answer) -> String {
        self.frame(&call_result(&self.point.id, &self.point.era, answer))
    }

    fn frame(&self, message: &str) -> String {
        // JSON is one line.
        let data = format!("event: message\ndata: {message}\n\n");
        match self.point.era {
            Era::Legacy => format!("id: {}\n{data}", self.point.to_text()),
            Era::Modern => data,
        }
    }
}

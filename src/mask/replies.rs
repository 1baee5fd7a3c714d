//! What models and providers say, without the secrets in it.

use crate::chat::ChatReply;
use crate::domain::Failure;

use super::hiding::Mask;

impl Mask {
    /// Takes the secrets out of what came of a question to a model.
    pub fn hide_in_reply(&self, result: &mut Result<ChatReply, Failure>) {
        match result {
            Ok(reply) => {
                let calls = reply.calls.iter_mut();
                let calls =
                    calls.flat_map(|call| [&mut call.id, &mut call.tool, &mut call.arguments]);
                self.hide_in([&mut reply.text, &mut reply.model].into_iter().chain(calls));
            }
            Err(failure) => self.hide_in([failure.detail_mut()]),
        }
    }
}

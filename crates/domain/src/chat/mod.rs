//! A question to a language model, and its answer.

mod fence;
mod image_ref;
mod question;

pub use fence::fenced;
pub use image_ref::ImageRef;
pub use question::{
    ChatPurpose, ChatQuestion, ChatReply, ChatTool, ModelToolCall, Part, QUESTION_IMAGES_MAX, Turn,
};

//! What goes in and out of the engine: values only.

mod action;
mod chat;
mod image_ref;
mod limits;
mod notice;
mod order;
mod outcome;
mod spent;

pub use action::{Action, Command, InvestigateCall, ToolCall};
pub use chat::{ChatPurpose, ChatQuestion, ChatReply, ChatTool, ModelToolCall, Part, Turn};
pub use image_ref::ImageRef;
pub use limits::Limits;
pub use notice::{Ending, ExitReason, Notice, NoticeKind, Verdict, VerdictWord, Visit, WhyFailed};
pub use order::Order;
pub use outcome::{
    Answer, Block, ChildEnd, ChildFailure, Input, Outcome, ToolDescription, ToolFailure, ToolResult,
};
pub use spent::Spent;

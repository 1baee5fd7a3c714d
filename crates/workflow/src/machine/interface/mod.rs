//! The interface of the engine: the values that go in and out.

mod action;
mod limits;
mod notice;
mod order;
mod outcome;
mod spent;

pub use action::{Action, AutomateCall, Command, InvestigateCall, ToolCall};
pub use limits::Limits;
pub use notice::{Ending, ExitReason, Notice, NoticeKind, Verdict, VerdictWord, Visit, WhyFailed};
pub use order::Order;
pub use outcome::{
    Answer, AutomateEnd, Block, ChildEnd, ChildFailure, Input, LeftOut, Outcome, ToolDescription,
    ToolFailure, ToolResult,
};
pub use spent::Spent;

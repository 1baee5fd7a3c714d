//! The workflow engine: a graph of nodes, each of which calls a tool, lets a language model call tools, begins an
//! investigation, or decides where to continue. It is pure: it never awaits, reads no clock and draws no random number.
//!
//! ```text
//! Input ──> WorkflowRun ──> Command      (one at a time: call a tool, ask a model, wait, ...)
//!              │    └─────> Notice       (node started, tool called, variable set, ...)
//!              │
//!   Fresh ─> At(node) ─┬─ disabled ───────────────> At(next)
//!              ▲       ├─ If, Switch, Loop, EndLoop ─> At(next)      visit.rs
//!              │       └─ Executing ── retries ──┬─> At(next)        visit.rs, nodes.rs
//!              └─────────────────────────────────┘
//!                              └─> Checking ─> Ended                 checks.rs
//! ```
//!
//! Values in the machine are JSON, as in the answers of tools. It does not know the stored and sent forms of a run.
//!
//! //= seed 002, Workflow Execution

mod budget;
mod checks;
mod interface;
mod nodes;
mod notice;
mod visit;
mod workflow_run;

pub mod graph;
pub mod validation;
pub mod values;

pub use interface::{
    Action, Answer, AutomateCall, AutomateEnd, Block, ChildEnd, ChildFailure, Command, Dialect,
    Input, InvestigateCall, LeftOut, Limits, Order, Outcome, Spent, ToolCall, ToolDescription,
    ToolFailure, ToolResult,
};
pub use notice::{Ending, ExitReason, Notice, NoticeKind, Verdict, VerdictWord, Visit, WhyFailed};
pub use workflow_run::WorkflowRun;

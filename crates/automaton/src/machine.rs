//! The engine of automata: finite-state machines that drive a real browser. It is pure: it never
//! awaits, reads no clock and draws no random number.
//!
//! ```text
//! Input ──> AutomatonRun ──> Command     (one at a time: look, act, wait)
//!              │     └─────> Notice      (state entered, action done, waiting, ...)
//!              │
//!   Fresh ─> Pausing ─> Looking ─┬─ none passes, or the last one again ─> Pausing   walk.rs
//!                 ▲              ├─ one passes ─> Spacing ─> Acting ─┐              visit.rs
//!                 └──────────────│────────────────────────────┴──────┘
//!                                └─> Ended        a lost action ─> Recovering
//! ```
//!
//! Three laws hold. Nothing from a file is ever executed as code: see [`grammar`]. No page is ever trusted: its content
//! is compared, never followed. An action that may have been executed is never repeated: see [`AutomatonRun`] and
//! [`actions::BrowserAction::is_repeatable`].
//!
//! The machine does not know the values of parameters. Texts hold references, which the executor fills in, so that
//! nothing the machine emits or stores can reveal a secret.
//!
//! //= seed 001, Execution semantics

mod automaton_run;
mod budget;
mod extracted;
mod interface;
mod role_selector;
mod synthesis;
mod walk;

pub mod actions;
pub mod drift;
pub mod grammar;
pub mod states;
pub mod validation;

pub use automaton_run::AutomatonRun;
pub use interface::{
    Action, Answer, AskedAbout, CHAIN_RUN, ChainEnd, ChainFailure, Command, Decision, Ending,
    Input, InvestigateCall, Limits, Looked, Notice, NoticeKind, OnUnknown, Order, Outcome,
    Parameters, Pause, Place, Proof, Settings, Spent, Unmet, WhyFailed,
};

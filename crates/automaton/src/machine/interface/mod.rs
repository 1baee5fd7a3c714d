//! The interface of the engine: the values that go in and out.

mod action;
mod chain_words;
mod ending;
mod limits;
mod notice;
mod order;
mod outcome;
mod settings;
mod spent;

pub use action::{Action, Command, InvestigateCall, Place};
pub use chain_words::CHAIN_RUN;
pub use ending::{Ending, PageRead, Unmet, WhyFailed};
pub use limits::Limits;
pub use notice::{AskedAbout, Decision, Notice, NoticeKind, Pause, Proof};
pub use order::{OnUnknown, Order, Parameters};
pub use outcome::{Answer, ChainEnd, ChainFailure, Input, Looked, Outcome};
pub use settings::Settings;
pub use spent::Spent;

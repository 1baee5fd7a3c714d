//! The heart: states S0 to S7 as a pure machine.
//!
//! How to drive it:
//!
//! 1. [`Investigation::handle`] one [`Input`] with the time; first [`Input::Start`].
//! 2. Drain [`Investigation::next_notice`]: tell them in order.
//! 3. Drain [`Investigation::next_command`]: carry them out, at the same time where there are
//!    several, and hand each answer in as [`Input::Answer`], in the order of the commands' numbers.
//! 4. Where [`Investigation::is_withdrawing`], hand in what is answered by now, one at a time, and
//!    look again; then end what is under way and say so by [`Input::Withdrawn`].
//! 5. Repeat until [`Investigation::is_ended`]. The last notice is the only one of
//!    [`Told::is_last`].
//!
//! The machine never awaits, reads no clock, draws no random number and knows no JSON: the same
//! request and answers give the same notices, natively and in WASM. A failure is an input too; the
//! machine decides what it means.

mod both_ends;
mod calls;
mod certificate;
mod command;
mod endings;
mod guesses;
mod held_back;
mod input;
mod knowledge;
mod leftovers;
mod machine;
mod next_photo;
mod notice;
mod one_sided;
mod photos;
mod planner;
mod polish;
mod probe;
mod query;
mod ranking;
mod record;
mod renown;
mod report;
mod s1_direct;
mod s2_discovery;
mod s3_choice;
mod s4_verification;
mod s5_bridge;
mod s6_success;
mod s7_failure;
mod searches;
mod side_by_side;
mod sides;
mod spend;
mod subject;
mod survey;
mod telling;

pub use certificate::{CertificateReport, OtherPathReport, PairReport, ProvenReport};
pub use command::{Action, Command, CommandId};
pub use input::{Answer, Fetched, Input, LostCall, Outcome, Recognised, Request};
pub use knowledge::Knowledge;
pub use machine::Investigation;
pub use notice::{
    EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport, FinalReport, GraphEdgeReport,
    GraphReport, NoPathReport, NodeReport, Notice, PersonRef, PhotoCounts, PhotoReport, Reason,
    Spent, StateName, Status, Told,
};
pub use planner::NARRATION_CHARS_MAX;
pub use record::{CandidateRecord, Decision, FrontierRecord, PathReport};

//! The heart: states S0 to S7 as a pure machine.

mod advice;
mod answers;
mod both_ends;
mod budget;
mod facts;
mod interface;
mod machine;
mod one_sided;
mod plan;
mod scheduler;
mod state;
mod states;
mod telling;
mod view;

pub use advice::NARRATION_CHARS_MAX;
pub use facts::Knowledge;
pub use interface::{
    Action, Answer, CandidateRecord, CertificateReport, Command, CommandId, Decision, EdgeReport,
    ErrorCode, ErrorReport, EvidenceReport, FaceReport, Fetched, FinalReport, FrontierRecord,
    GraphEdgeReport, GraphReport, Input, LostCall, NoPathReport, NodeReport, Notice,
    OtherPathReport, Outcome, PairReport, PathReport, PersonRef, PhotoCounts, PhotoReport,
    ProvenReport, Reason, Recognised, Request, Spent, StateName, Status, Told,
};
pub use machine::Investigation;

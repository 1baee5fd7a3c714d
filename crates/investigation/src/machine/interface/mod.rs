//! The values that go in and out of the machine. They are owned, and stay true whatever happens
//! next.

mod capture;
mod certificate;
mod command;
mod endings;
mod input;
mod notice;
mod records;
mod reports;
mod spent;

pub use capture::{CaptureReport, Captured, PhotoPage};
pub use certificate::{CertificateReport, OtherPathReport, PairReport, ProvenReport};
pub use command::{Action, Command};
pub use endings::{ErrorCode, ErrorReport, FailedProvider, FinalReport, NoPathReport, Reason};
pub use input::{Answer, Fetched, Input, Outcome, Recognised, Remembered, Request};
pub use notice::{Notice, NoticeKind, StateName, Status};
pub use records::{CandidateRecord, Decision, FrontierRecord, PathReport};
pub use reports::{
    EdgeReport, EvidenceReport, FaceReport, GraphEdgeReport, GraphReport, NodeReport, PersonRef,
    PhotoReport,
};
pub use spent::{PhotoCounts, Spent};

//! The heart: states S0 to S7 as a pure machine.
//!
//! # The states
//!
//! ```text
//!      Start
//!        |
//!   S0 start
//!        |
//!   S1 direct: a photo of both at once? ----------------- yes ----------------------+
//!        | no                                                                      |
//!   S2 discovery: who stands beside the frontier? <------------------+             |
//!        |                              ^                            |             |
//!   S3 choice: who is tried next? ------+ nobody: next frontier      |             |
//!        |            ^                                              |             |
//!        |            | not verified                                 |             |
//!   S4 verification: a photo of frontier and candidate?              |             |
//!        | verified                                                  |             |
//!   S5 bridge: from there straight to the target? -------- no -------+             |
//!        |                                                                         |
//!        +------- yes ----------------> S6 polish, then success <------------------+
//!
//!   From everywhere to S7: a budget or the time is used up, nobody is left to try, the user stops
//!   the run, or a provider stays down. Once a chain is proven it is told, even if polishing fails.
//! ```
//!
//! Where it is wanted, the end of S6 has a picture taken of the page that shows the best photo of each edge.
//! It changes nothing of what was found: whatever ends the run meanwhile leaves pictures out.
//!
//! Two plans walk these states. `one_sided` is the specification to the letter. `both_ends`, the
//! default, uses every edge that any photo proves, so that any photo may end the search: S4 and S5
//! need no call there, and S6 may search on to make the chain shorter or surer. What each state
//! does in each plan stands on one screen: `states::next`.
//!
//! # How to drive it
//!
//! 1. [`Investigation::handle`] one [`Input`] with the time; first [`Input::Start`].
//! 2. Drain [`Investigation::next_notice`]: tell them in order.
//! 3. Drain [`Investigation::next_command`]: carry them out, at the same time where there are
//!    several, and hand each answer in as [`Input::Answer`], in the order of the commands' numbers.
//! 4. While [`Investigation::is_withdrawing`], hand in the answers that have come, one by one, and
//!    look again after each; then cancel the other calls and hand in [`Input::Withdrawn`].
//! 5. Repeat until [`Investigation::is_ended`]. The last notice is the only one of
//!    [`NoticeKind::is_last`].
//!
//! It keeps the contract of an engine: see [`kernel`].
//!
//! # Who owns what
//!
//! [`Investigation`] is the state and six parts, each a type with private fields: `facts` (the
//! question, and what was learned), `budget` (what may still be spent), `scheduler` (surveys and
//! calls under way), `plan` (what the plan remembers), `advice` (what the planner said) and, in the
//! room `telling`, `story` (what was told and kept). What a state or an answer does is a function
//! that borrows what it needs and returns a `Move`. `investigation.rs` alone writes the state, begins a
//! search and ends the run.
//!
//! One recognised photo goes this way: `investigation.rs` takes the answer; `scheduler/calls.rs` settles
//! the call; `answers/photos.rs` gives it to `facts`, where `Knowledge::see` makes its edges (by
//! `domain::Edge::from_sighting`, the only way), and has it told by `telling/photo_line.rs`;
//! `one_sided/accept.rs` or `both_ends/meeting.rs`, whichever the run's plan is, says what it
//! changes; `investigation.rs` makes that happen.

mod advice;
mod answers;
mod both_ends;
mod budget;
mod facts;
mod hints;
mod interface;
mod investigation;
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
    Action, Answer, CandidateRecord, CaptureReport, Captured, CertificateReport, Command, Decision,
    EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport, FailedProvider, Fetched,
    FinalReport, FrontierRecord, GraphEdgeReport, GraphReport, Input, NoPathReport, NodeReport,
    Notice, NoticeKind, OtherPathReport, Outcome, PairReport, PathReport, PersonRef, PhotoCounts,
    PhotoPage, PhotoReport, ProvenReport, Reason, Recognised, Remembered, Request, Spent,
    StateName, Status,
};
pub use investigation::Investigation;
pub use kernel::{CommandId, LostCall};

//! A run as one file that anyone can check: its question, every answer, every decision, its events,
//! and a digest over all. Executing it again makes no provider call.
//!
//! The digest shows that a file is consistent; anybody can make one. That this server made it is
//! shown by an HMAC with a key of the operator's.

mod canonical;
mod comparison;
mod file;
mod limits;
mod reading;
mod replay;
mod report;
mod verification;

pub use canonical::{CanonicalError, canonical};
pub use file::{SEALED_VERSION, SealError, seal};
pub use limits::{ReplayError, ReplayLimits};
pub use reading::{digest_within, is_of_digest};
pub use replay::replay;
pub use report::{Difference, Origin, Report, Verdict};
pub use verification::{Verification, VerifiedLink, verify, verify_to_json};

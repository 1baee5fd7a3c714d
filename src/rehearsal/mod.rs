//! The machine run against a world in memory, in virtual time, with failures of every kind: for
//! properties, benchmarks and the check that native and WASM agree. Feature `sandbox`, never in
//! the Worker.

mod advice;
mod answers;
#[cfg(not(target_arch = "wasm32"))]
mod bulletin;
#[cfg(not(target_arch = "wasm32"))]
pub mod chains;
mod check;
#[cfg(not(target_arch = "wasm32"))]
mod clock;
mod diary;
mod dice;
#[cfg(not(target_arch = "wasm32"))]
mod outside;
mod random;
mod script;
mod solve;
#[cfg(not(target_arch = "wasm32"))]
mod town;
#[cfg(not(target_arch = "wasm32"))]
mod trouble;

pub use advice::Advice;
pub use answers::{Clerk, Eye, FACE_MISS_DEFAULT, SeenFace};
pub use check::{Ledger, Violation};
pub use random::{Outcome, Rehearsal, rehearse};
pub use solve::{Solved, solve};
#[cfg(not(target_arch = "wasm32"))]
pub use town::{Conducted, ProcessEnd, Put, START_MS, Town, conduct_in_memory, sandbox_settings};
#[cfg(not(target_arch = "wasm32"))]
pub use trouble::{Kind, Operation, Trouble, When};

//! How models make a state: three questions about a page, each with a closed list
//! and an answer that is read by a whitelist. What a page shows stands in a fence as data; an answer is a
//! number of a list or one call of the grammar, so that nothing on a page can ask for anything else.
//!
//! ```text
//! which prompt fits ──> which triggers tell ──> (second look) ──> one action after the other ──> end
//! ```
//!
//! //= seed 001, Synthesis and Regeneration

mod agent;
mod answer;
mod judge;
mod offer;
mod pages;
mod session;
mod words;

pub(super) use agent::{ActionQuestion, Chosen};
pub(super) use judge::{PromptQuestion, TriggerQuestion};
pub(super) use pages::{PageDigest, Pages};
pub(super) use session::{Goal, Making, Stage, stays};

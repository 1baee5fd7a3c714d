//! A state that a model makes: what is offered to it, and what becomes of its answers. A model answers
//! with words and keys, and nothing of them is ever executed as code.
//!
//! //= seed 001, Synthesis and Regeneration

mod choice;
mod made_state;
mod offer;
mod recorded_action;

pub use choice::chosen;
pub use made_state::{Answers, MadeState};
pub use offer::{Offer, offers};
pub use recorded_action::{Element, RecordedAction};

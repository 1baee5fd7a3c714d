//! The stored forms of an investigation: its order, its questions and its answers.

mod answer_limits;
mod call_key;
mod captured_form;
mod engine;
mod found_form;
mod hit_form;
mod inherited;
mod note;
mod order;
mod outcome_form;
mod photo_sources;
mod recalled_form;
mod recognised_form;
mod remembered_form;
mod source_form;

pub use call_key::CallKey;
pub use engine::InvestigationEngine;
pub use note::InvestigationNote;
pub use order::Order;
pub use outcome_form::is_success;
pub use photo_sources::PhotoSource;

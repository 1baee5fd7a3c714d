//! The language model behind all planners, whichever dialect it is asked in.

mod bad_habits;
mod json_schema;
mod model;

pub(super) use bad_habits::{
    LAWLESS, after_thinking, chatty, fenced, naming_somebody_unknown, without_its_end,
};
pub(super) use json_schema::conform;
pub(super) use model::plan;

/// About four characters a token.
pub(super) fn tokens_in(text: &str) -> u64 {
    text.chars().count().div_ceil(4) as u64
}

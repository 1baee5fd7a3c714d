//! The values of a workflow: variables, conditions over them, and a tool's answer as a value.
//!
//! They are JSON, since the tools speak it.

mod answer_value;
mod evaluation;
mod extraction;
mod shown;
mod variables;

pub use answer_value::parse_text;
pub use evaluation::{comparison_steps, holds, told_sides};
pub use extraction::{ArrayAlias, fold, variables_of};
pub use shown::shown;
pub use variables::{VARIABLES_BYTES_MAX, Variables, value_bytes};

//! The words for assistants: the answers of tools, in which what strangers have written is quoted and bounded.

mod answer;
mod members;
mod quoted;
mod stored_tool;

pub use answer::{Answer, CallPlace};
pub use members::Members;
pub use quoted::{make_plain, quoted, quoted_value};
pub use stored_tool::{STORED_TEXT_CHARS_MAX, stored_tool, tool_description};

//! The words for assistants: the answers of tools, in which what strangers have written is quoted and bounded.

mod answer;
mod asked;
mod known;
mod members;
mod quoted;
mod stored_tool;
mod told;
mod tools;

pub use answer::{Answer, CallPlace};
pub use asked::{Asked, check_described, take_wait_ms};
pub use known::known_answer;
pub use members::Members;
pub use quoted::{make_plain, quoted, quoted_value};
pub use stored_tool::{STORED_TEXT_CHARS_MAX, stored_tool, tool_description};
pub use told::{no_run_of_tools, not_by_arguments, only_its_beginner, people_answer, stopping};
pub use tools::{CHECK_CHAIN, GET_RUN, PATH_BETWEEN, SEEN_WITH, STOP_RUN, WHO_IS};

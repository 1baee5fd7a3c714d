//! The words for assistants: the answers of tools, in which what strangers have written is quoted and bounded.

mod asked;
mod known;
mod told;
mod tools;

pub use asked::{Asked, check_described, take_wait_ms};
pub use known::known_answer;
pub use told::{no_run_of_tools, not_by_arguments, only_its_beginner, people_answer, stopping};
pub use tools::{CHECK_CHAIN, GET_RUN, PATH_BETWEEN, SEEN_WITH, STOP_RUN, WHO_IS};

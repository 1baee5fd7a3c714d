//! Recorded workflow cases: a graph, a script that answers its calls, and what the original engine did.

mod arguments;
mod case;
mod execution;
mod script;
mod speed;
mod suite;

pub use arguments::{CASES_HELP, CasesTask, parse_cases};
pub use case::{Case, CaseError, CaseFile};
pub use speed::measure_engine;
pub use suite::run_cases;

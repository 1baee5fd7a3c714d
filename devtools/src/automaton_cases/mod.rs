//! Recorded cases of automata: states, a page's signals over time, and what the original program decided and did. Where
//! the engine deliberately differs from that program, the case was changed to match the engine.

mod arguments;
mod case;
mod execution;
mod expectation;
mod grammar_case;
mod page_script;
mod recorder;
mod settings;
mod stand_in;
mod suite;

pub use arguments::{AUTOMATA_HELP, AutomataTask, parse_automata};
pub use case::{Case, CaseError, CaseFile};
pub use suite::{read_files, run_cases};

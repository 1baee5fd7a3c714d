//! The automaton's order, questions and answers as they are stored.

mod browser_form;
mod chain_form;
mod engine;
mod key;
mod note;
mod order;
mod order_limits;
mod outcome_form;
mod view_form;

pub use browser_form::{BrowserForm, DialogAnswer};
pub use engine::AutomatonEngine;
pub use key::AutomatonKey;
pub use note::AutomatonNote;
pub use order::{AUTOMATON_ENGINE, AutomatonOrder, OrderParts};
pub use outcome_form::AutomatonOutcomeForm;

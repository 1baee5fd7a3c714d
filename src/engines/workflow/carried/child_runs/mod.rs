//! The runs that a workflow begins and waits for.

mod child_order;
mod child_run;
mod last_event;

pub(super) use child_run::{ChildTerms, investigate};

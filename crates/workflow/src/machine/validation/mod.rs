//! The validation of a workflow: whether it can be executed, and what in it will surprise.
//!
//! The rules are the original's, in its order: the first rule that is broken is told. Beyond them
//! stand the surprises: warnings, some of which no new run may have.

mod circles;
mod edges;
mod finding;
mod loops;
mod surprises;

pub use finding::Finding;
pub use surprises::{Surprise, Validated};

use super::dialect::Dialect;
use super::graph::Routes;

/// Validates a workflow. Fails where it cannot be executed.
pub fn validate(routes: &Routes, dialect: Dialect) -> Result<Validated, Finding> {
    if routes.workflow().nodes.is_empty() {
        return Err(Finding::NoNodes);
    }
    let entry = match routes.entries().as_slice() {
        [] => return Err(Finding::NoEntryPoint),
        [entry] => *entry,
        several => return Err(Finding::MultipleEntryPoints(several.len())),
    };
    edges::check_edges(routes)?;
    loops::check_loops(routes)?;
    circles::check_circles(routes)?;
    Ok(surprises::look(routes, entry, dialect))
}

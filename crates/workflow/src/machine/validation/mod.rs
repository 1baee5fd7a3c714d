//! The validation of a workflow: whether it can be executed, and what in it will surprise.
//!
//! The rules are the original's, in its order: the first rule that is broken is told. The strict
//! dialect has more rules; in the other dialect a breach of one of those is a warning.

mod circles;
mod edges;
mod finding;
mod loops;
mod surprises;

use super::dialect::Dialect;
use super::graph::Routes;
use surprises::surprises;

pub use finding::Finding;
pub use surprises::Surprise;

/// Returns the position of the node that the walk begins with, and what will surprise.
pub fn validate(routes: &Routes, dialect: Dialect) -> Result<(usize, Vec<Surprise>), Finding> {
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
    let surprises = surprises(routes, entry);
    let refused = surprises.iter().find(|surprise| surprise.is_refused());
    match (dialect, refused) {
        (Dialect::Strict, Some(refused)) => Err(refused.finding()),
        _ => Ok((entry, surprises)),
    }
}

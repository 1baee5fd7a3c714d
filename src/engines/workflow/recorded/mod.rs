//! What is kept of a workflow's run.

mod documents;
mod record;

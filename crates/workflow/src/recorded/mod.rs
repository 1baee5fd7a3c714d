//! The record of a workflow's run: what is kept of it.

mod documents;
mod record;

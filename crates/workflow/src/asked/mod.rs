//! A workflow that is asked for: what `POST /runs` says of it is held against the operator's
//! servers and limits. Nothing is spent before it is accepted here.

mod acceptance;
mod asking;
mod begun;
mod options;
mod permission;
mod wanted;

pub use permission::{PUBLIC_WORKFLOWS, may_start_workflow};
pub use wanted::{
    WORKFLOW_BODY_BYTES_MAX, WantedGraph, WorkflowFork, WorkflowRequest, check_stored_workflow,
    is_about_workflow,
};

//! The first entry of a run of either engine.

use std::rc::Rc;

use super::engine::Engine;
use super::engine_name::EngineName;
use super::entry::{Entry, Opened};
use super::investigation::InvestigationEngine;
use super::workflow::WorkflowEngine;

/// How a run of either engine began.
#[derive(Debug, Clone)]
pub enum OpenedRun {
    /// The search for a chain.
    Investigation(Rc<Opened>),
    /// A graph of nodes.
    Workflow(Rc<Opened<WorkflowEngine>>),
}

impl OpenedRun {
    /// Reads a journal's first entry; none where it is not one that this program wrote.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        Some(match EngineName::of_first_entry(json)? {
            EngineName::Investigation => {
                Self::Investigation(Rc::new(opened::<InvestigationEngine>(json)?))
            }
            EngineName::Workflow => Self::Workflow(Rc::new(opened::<WorkflowEngine>(json)?)),
        })
    }

    /// Which engine it is of.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        match self {
            Self::Investigation(_) => EngineName::Investigation,
            Self::Workflow(_) => EngineName::Workflow,
        }
    }

    /// The run's public token.
    #[must_use]
    pub fn run(&self) -> &str {
        match self {
            Self::Investigation(opened) => &opened.run,
            Self::Workflow(opened) => &opened.run,
        }
    }

    /// The version of the program that began it.
    #[must_use]
    pub fn program_version(&self) -> &str {
        match self {
            Self::Investigation(opened) => &opened.engine,
            Self::Workflow(opened) => &opened.engine,
        }
    }

    /// When everything of the run is deleted, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        match self {
            Self::Investigation(opened) => opened.expires_ms,
            Self::Workflow(opened) => opened.expires_ms,
        }
    }

    /// The run whose answers are used again.
    #[must_use]
    pub fn forked_from(&self) -> Option<&str> {
        match self {
            Self::Investigation(opened) => opened.forked_from.as_deref(),
            Self::Workflow(opened) => opened.forked_from.as_deref(),
        }
    }

    /// The host of this server where it was created.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::Investigation(opened) => opened.host.as_deref(),
            Self::Workflow(opened) => opened.host.as_deref(),
        }
    }
}

fn opened<E: Engine>(json: &str) -> Option<Opened<E>> {
    match Entry::<E>::from_json(json) {
        Ok(Entry::Opened(opened)) => Some(opened),
        _ => None,
    }
}

//! What a run gives to its forks.

use worker::{Response, Result, SqlStorage};

use crate::journal::{
    Engine, Entry, InvestigationEngine, OpenedRun, WorkflowEngine, answers_before,
    answers_to_inherit,
};
use crate::session::ForkSource;
use crate::workflow::graph::NodeId;

use super::live_run::LiveRun;
use super::{journal_table, replies};

/// The order and the answers; of a workflow those before a node, where one is given.
pub(super) fn answer(sql: &SqlStorage, live: &LiveRun, before: Option<NodeId>) -> Result<Response> {
    match live.opened() {
        OpenedRun::Investigation(opened) => {
            let source: ForkSource<InvestigationEngine> = ForkSource {
                order: opened.order.clone(),
                answers: answers_to_inherit(entries(sql)?),
            };
            replies::json(&source)
        }
        OpenedRun::Workflow(opened) => {
            let source: ForkSource<WorkflowEngine> = ForkSource {
                order: opened.order.clone(),
                answers: answers_before(entries(sql)?, before),
            };
            replies::json(&source)
        }
    }
}

/// What cannot be read is no answer; the others are.
fn entries<E: Engine>(sql: &SqlStorage) -> Result<Vec<Entry<E>>> {
    let entries = journal_table::entries(sql)?;
    let entries = entries.iter();
    Ok(entries
        .filter_map(|json| Entry::from_json(json).ok())
        .collect())
}

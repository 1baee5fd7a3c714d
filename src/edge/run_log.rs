//! Tells the operator of a run that has ended: one structured line in the log, and a data point
//! where the Worker has a dataset.

use std::rc::Rc;

use worker::{AnalyticsEngineDataPointBuilder, Env, Result, SqlStorage};

use crate::run_summary::{ResourceUsage, RunSummary, Unended};

use super::environment::{analytics, settings};
use super::live_run::LiveRun;
use super::{journal_table, json_table, memory};

/// The name under which is stored whether the operator was told of the run.
const TOLD_NAME: &str = "told";

/// Notes that the operator was told of the run, so that it is not told again.
pub(super) fn note_told(sql: &SqlStorage) -> Result<()> {
    json_table::put(sql, TOLD_NAME, &true)
}

/// Tells of a run that does nothing any more, unless that was done before.
pub(super) fn tell_once(
    sql: &SqlStorage,
    env: &Env,
    live: &LiveRun,
    or_else: Unended,
) -> Result<()> {
    if json_table::get::<bool>(sql, TOLD_NAME)? == Some(true) {
        return Ok(());
    }
    note_told(sql)?;
    let events: Vec<Rc<str>> = live.log().jsons();
    let is_named = settings(env).is_log_named;
    let used = used(sql)?;
    let summary = RunSummary::new(live.opened(), &events, or_else, used, is_named);
    worker::console_log!("{}", summary.line());
    if let Some(dataset) = analytics(env) {
        let point = AnalyticsEngineDataPointBuilder::new()
            .indexes([summary.index()])
            .blobs(summary.texts())
            .doubles(summary.numbers());
        if let Err(error) = point.write_to(&dataset) {
            worker::console_warn!("a data point could not be written: {error}");
        }
    }
    Ok(())
}

fn used(sql: &SqlStorage) -> Result<ResourceUsage> {
    let entries = json_table::size(sql, "journal")?;
    let events = json_table::size(sql, "events")?;
    Ok(ResourceUsage {
        rows_written: entries.rows + events.rows,
        bytes_written: entries.bytes + events.bytes,
        kv_writes: journal_table::documents_written(sql)?,
        memory_bytes: memory::bytes(),
    })
}

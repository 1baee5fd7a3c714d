//! The events of a run, in the `SQLite` database of its object.

use worker::{Result, SqlStorage, SqlStorageValue};

use engine::run::EventLog;
use platform::events::{EventKinds, WireEvent};

use super::json_table;

/// Loads the log of a run with the stored events.
pub(crate) fn load(sql: &SqlStorage, run: &str, kinds: EventKinds) -> Result<EventLog> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, \
         json TEXT NOT NULL)",
        None,
    )?;
    let log = EventLog::of(run);
    let rows = sql.exec(
        "SELECT number, kind, json FROM events ORDER BY number",
        None,
    )?;
    for row in rows.raw() {
        if let Some(event) = stored_event(kinds, run, row?) {
            log.show(&event);
        }
    }
    Ok(log)
}

/// Returns the JSON of the last event, if any. Writes nothing.
pub(crate) fn last(sql: &SqlStorage) -> Result<Option<String>> {
    if !json_table::has_table(sql, "events")? {
        return Ok(None);
    }
    let rows = sql.exec("SELECT json FROM events ORDER BY number DESC LIMIT 1", None)?;
    let row = rows.raw().next().transpose()?;
    Ok(match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::String(json)) => Some(json),
        _ => None,
    })
}

/// Removes all events of the run.
pub(crate) fn remove(sql: &SqlStorage) -> Result<()> {
    sql.exec("DROP TABLE IF EXISTS events", None)?;
    Ok(())
}

/// Writes an event, replacing an earlier copy.
pub(crate) fn write(sql: &SqlStorage, event: &WireEvent) -> Result<()> {
    sql.exec(
        "INSERT OR REPLACE INTO events (number, kind, json) VALUES (?, ?, ?)",
        vec![
            i64::from(event.number).into(),
            event.kind.into(),
            event.json.as_str().into(),
        ],
    )?;
    Ok(())
}

/// Parses an event from its row. Returns `None` if this program did not write it.
fn stored_event(kinds: EventKinds, run: &str, row: Vec<SqlStorageValue>) -> Option<WireEvent> {
    let mut columns = row.into_iter();
    let number = match columns.next()? {
        SqlStorageValue::Integer(number) => u32::try_from(number).ok()?,
        _ => return None,
    };
    let SqlStorageValue::String(kind) = columns.next()? else {
        return None;
    };
    let SqlStorageValue::String(json) = columns.next()? else {
        return None;
    };
    WireEvent::stored(kinds, run, number, &kind, json)
}

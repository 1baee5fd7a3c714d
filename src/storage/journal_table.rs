//! The journal of a run, in the `SQLite` database of its object. Access is synchronous, and the platform holds back
//! outgoing messages until writes are durable. So an entry is stored before its call is sent.

use worker::{Result, SqlStorage, SqlStorageValue};

use super::json_table;

/// Begins a journal with these entries.
pub(crate) fn begin(sql: &SqlStorage, entries: &[String]) -> Result<()> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, json TEXT NOT NULL)",
        None,
    )?;
    for (number, entry) in (1u32..).zip(entries) {
        write(sql, number, entry)?;
    }
    Ok(())
}

/// Writes an entry under its number, replacing an earlier copy.
pub(crate) fn write(sql: &SqlStorage, number: u32, entry: &str) -> Result<()> {
    sql.exec(
        "INSERT OR REPLACE INTO journal (number, json) VALUES (?, ?)",
        vec![i64::from(number).into(), entry.into()],
    )?;
    Ok(())
}

/// Returns how many documents of the run were written so far, which is the last sequence number in the journal.
pub(crate) fn documents_written(sql: &SqlStorage) -> Result<u64> {
    if !json_table::has_table(sql, "journal")? {
        return Ok(0);
    }
    let rows = sql.exec(
        "SELECT coalesce(max(json ->> '$.written.sequence'), 0) FROM journal \
         WHERE json LIKE '{\"written\":%'",
        None,
    )?;
    let row = rows.raw().next().transpose()?;
    match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::Integer(sequence)) => Ok(u64::try_from(sequence).unwrap_or_default()),
        _ => Ok(0),
    }
}

/// Removes the journal.
pub(crate) fn remove(sql: &SqlStorage) -> Result<()> {
    sql.exec("DROP TABLE IF EXISTS journal", None)?;
    Ok(())
}

/// Returns the first entry, if any. Writes nothing.
pub(crate) fn first(sql: &SqlStorage) -> Result<Option<String>> {
    if !json_table::has_table(sql, "journal")? {
        return Ok(None);
    }
    let rows = sql.exec("SELECT json FROM journal ORDER BY number LIMIT 1", None)?;
    let row = rows.raw().next().transpose()?;
    Ok(match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::String(text)) => Some(text),
        _ => None,
    })
}

/// Returns all entries, oldest first; none if there is no journal. Writes nothing, so that a request for a made-up
/// address does not leave an object with storage behind.
pub(crate) fn entries(sql: &SqlStorage) -> Result<Vec<String>> {
    if !json_table::has_table(sql, "journal")? {
        return Ok(Vec::new());
    }
    let rows = sql.exec("SELECT json FROM journal ORDER BY number", None)?;
    let mut entries = Vec::new();
    for row in rows.raw() {
        // A row that is not text counts as an unreadable entry. Skipping it would renumber the entries after it.
        let text = match row?.into_iter().next() {
            Some(SqlStorageValue::String(text)) => text,
            _ => String::new(),
        };
        entries.push(text);
    }
    Ok(entries)
}

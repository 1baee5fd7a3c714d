//! Small JSON documents of an object, by name, in its `SQLite` database. Access is synchronous, so nothing happens
//! between a read and a write. The table is called `shelf`, because existing objects have it under this name.

use serde::Serialize;
use serde::de::DeserializeOwned;
use worker::{Result, SqlStorage, SqlStorageValue};

/// Writes a document, replacing an earlier one with this name.
pub(crate) fn put<T: Serialize>(sql: &SqlStorage, name: &str, document: &T) -> Result<()> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS shelf (name TEXT PRIMARY KEY, json TEXT NOT NULL)",
        None,
    )?;
    let text = serde_json::to_string(document)?;
    sql.exec(
        "INSERT OR REPLACE INTO shelf (name, json) VALUES (?, ?)",
        vec![name.into(), text.into()],
    )?;
    Ok(())
}

/// Removes all documents.
pub(crate) fn remove_all(sql: &SqlStorage) -> Result<()> {
    sql.exec("DROP TABLE IF EXISTS shelf", None)?;
    Ok(())
}

/// The size of a table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TableSize {
    pub(crate) rows: u64,
    /// The total length of the texts in the table's column `json`, in bytes.
    pub(crate) bytes: u64,
}

/// Returns the size of a table of this object; zero if the table does not exist.
pub(crate) fn size(sql: &SqlStorage, table: &'static str) -> Result<TableSize> {
    if !has_table(sql, table)? {
        return Ok(TableSize::default());
    }
    let select = format!("SELECT count(*), total(length(CAST(json AS BLOB))) FROM {table}");
    let row = sql.exec(&select, None)?.raw().next().transpose()?;
    let mut numbers = row.into_iter().flatten().map(|value| match value {
        SqlStorageValue::Integer(count) => u64::try_from(count).unwrap_or_default(),
        // The sum is an integer far below 2^52.
        SqlStorageValue::Float(total) => format!("{total:.0}").parse().unwrap_or_default(),
        _ => 0,
    });
    Ok(TableSize {
        rows: numbers.next().unwrap_or_default(),
        bytes: numbers.next().unwrap_or_default(),
    })
}

/// Returns whether this table exists. Does not create it.
pub(crate) fn has_table(sql: &SqlStorage, name: &str) -> Result<bool> {
    let tables = sql.exec(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?",
        vec![name.into()],
    )?;
    Ok(tables.raw().next().is_some())
}

/// Returns the document with this name, if it exists. Writes nothing, so that a request for a made-up address does
/// not leave an object with storage behind.
pub(crate) fn get<T: DeserializeOwned>(sql: &SqlStorage, name: &str) -> Result<Option<T>> {
    if !has_table(sql, "shelf")? {
        return Ok(None);
    }
    let rows = sql.exec("SELECT json FROM shelf WHERE name = ?", vec![name.into()])?;
    let row = rows.raw().next().transpose()?;
    match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::String(text)) => Ok(Some(serde_json::from_str(&text)?)),
        _ => Ok(None),
    }
}

//! The bytes that tools returned to a workflow's run, stored under their digests in the object's `SQLite`.

use worker::{Result, SqlStorage, SqlStorageValue};

use domain::Sha256Digest;
use platform::ARTIFACTS_BYTES_MAX;

use crate::run_object::ArtifactFrame;

use super::json_table;

/// The most bytes per row; the platform allows two megabytes.
const ROW_BYTES_MAX: usize = 1_500_000;

/// Stores bytes under their digest. Returns `false` if that would exceed the run's limit.
pub(crate) fn put(
    sql: &SqlStorage,
    digest: &Sha256Digest,
    mime_type: &str,
    bytes: &[u8],
) -> Result<bool> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS artifacts (digest TEXT, part INTEGER, mime TEXT NOT NULL, \
         bytes BLOB NOT NULL, PRIMARY KEY (digest, part))",
        None,
    )?;
    if has(sql, digest)? {
        return Ok(true);
    }
    if bytes_kept(sql)?.saturating_add(bytes.len()) > ARTIFACTS_BYTES_MAX {
        return Ok(false);
    }
    for (part, bytes) in (0_i64..).zip(bytes.chunks(ROW_BYTES_MAX)) {
        sql.exec(
            "INSERT OR REPLACE INTO artifacts (digest, part, mime, bytes) VALUES (?, ?, ?, ?)",
            vec![
                digest.to_string().into(),
                part.into(),
                mime_type.into(),
                bytes.to_vec().into(),
            ],
        )?;
    }
    Ok(true)
}

/// Returns the bytes with this digest, if stored. Does not create the table.
pub(crate) fn get(sql: &SqlStorage, digest: &Sha256Digest) -> Result<Option<Vec<u8>>> {
    if !json_table::has_table(sql, "artifacts")? {
        return Ok(None);
    }
    let rows = sql.exec(
        "SELECT bytes FROM artifacts WHERE digest = ? ORDER BY part",
        vec![digest.to_string().into()],
    )?;
    let mut whole = None;
    for row in rows.raw() {
        if let Some(SqlStorageValue::Blob(part)) = row?.into_iter().next() {
            whole.get_or_insert_with(Vec::new).extend(part);
        }
    }
    Ok(whole)
}

/// Returns the MIME type and the bytes with this digest, if stored.
pub(crate) fn find(sql: &SqlStorage, digest: &Sha256Digest) -> Result<Option<(String, Vec<u8>)>> {
    let Some(bytes) = get(sql, digest)? else {
        return Ok(None);
    };
    let rows = sql.exec(
        "SELECT mime FROM artifacts WHERE digest = ? LIMIT 1",
        vec![digest.to_string().into()],
    )?;
    let row = rows.raw().next().transpose()?;
    Ok(match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::String(kind)) => Some((kind, bytes)),
        _ => None,
    })
}

/// Returns all artifacts as frames, for the object of a fork.
pub(crate) fn frames(sql: &SqlStorage) -> Result<Vec<u8>> {
    let mut frames = Vec::new();
    if !json_table::has_table(sql, "artifacts")? {
        return Ok(frames);
    }
    let rows = sql.exec("SELECT DISTINCT digest, mime FROM artifacts", None)?;
    for row in rows.raw() {
        let mut row = row?.into_iter();
        if let (Some(SqlStorageValue::String(digest)), Some(SqlStorageValue::String(mime_type))) =
            (row.next(), row.next())
            && let Some(digest) = Sha256Digest::parse(&digest)
            && let Some(bytes) = get(sql, &digest)?
        {
            let (mime_type, bytes) = (&*mime_type, &*bytes);
            let frame = ArtifactFrame {
                digest,
                mime_type,
                bytes,
            };
            frame.write(&mut frames);
        }
    }
    Ok(frames)
}

/// Removes all artifacts of the run.
pub(crate) fn remove(sql: &SqlStorage) -> Result<()> {
    sql.exec("DROP TABLE IF EXISTS artifacts", None)?;
    Ok(())
}

fn has(sql: &SqlStorage, digest: &Sha256Digest) -> Result<bool> {
    let rows = sql.exec(
        "SELECT 1 FROM artifacts WHERE digest = ? LIMIT 1",
        vec![digest.to_string().into()],
    )?;
    Ok(rows.raw().next().is_some())
}

fn bytes_kept(sql: &SqlStorage) -> Result<usize> {
    let rows = sql.exec(
        "SELECT coalesce(sum(length(bytes)), 0) FROM artifacts",
        None,
    )?;
    let row = rows.raw().next().transpose()?;
    Ok(match row.and_then(|row| row.into_iter().next()) {
        Some(SqlStorageValue::Integer(bytes)) => usize::try_from(bytes).unwrap_or(usize::MAX),
        _ => 0,
    })
}

//! Storage: the tables of objects, the documents and chains in KV, and the photo database.

pub(crate) mod artifact_table;
pub(crate) mod chains;
pub(crate) mod documents;
pub(crate) mod event_table;
pub(crate) mod journal_table;
pub(crate) mod json_table;
pub(crate) mod photo_database;

//! The documents of a run in KV: their keys, their stored forms, and when they are written.

mod documents;
mod keys;
mod record;
mod write_schedule;

pub use documents::{CallRecord, CallState, DOCUMENT_VERSION, Documents, RunMeta, calls_body};
pub use keys::{KEY_BYTES_MAX, Keys, chain_key, chain_key_prefix, over_key};
pub use record::{interrupted_meta, outline, record};
pub use write_schedule::{WriteLimits, WriteSchedule};

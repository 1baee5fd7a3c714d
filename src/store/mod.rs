//! The run's documents in KV: key names, stored forms, and when they are written.

mod documents;
mod keys;
mod ledger;
mod record;

pub use documents::{CallRecord, CallState, DOCUMENT_VERSION, Documents, RunMeta, decisions_json};
pub use keys::{KEY_BYTES_MAX, Keys};
pub use ledger::{Ledger, WRITES_MAX};
pub use record::{interrupted_meta, outline, record};

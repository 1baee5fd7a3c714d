//! The run's documents in KV: key names, stored forms, and when they are written.

mod documents;
mod keys;
mod ledger;

pub use documents::{DOCUMENT_VERSION, Documents, RunMeta, interrupted_meta, outline, record};
pub use keys::{KEY_BYTES_MAX, Keys};
pub use ledger::{Ledger, WRITES_MAX};

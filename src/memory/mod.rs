//! The memory of what runs have recognised: photos by the digest of their bytes, and who was seen with whom.
//!
//! It is a database (`SQLite`, as Cloudflare's D1 has it). Here are its tables (`migrations`), what is asked of it
//! (`statements.rs`, and the `.sql` files that it names) and how rows become values (`rows.rs`). Who asks is
//! elsewhere. `in_memory.rs` is the model that the statements must do as, and serves tests and benchmarks.

#[cfg(any(test, feature = "sandbox"))]
mod in_memory;
mod people;
mod rows;
mod statements;

#[cfg(any(test, feature = "sandbox"))]
pub use in_memory::InMemoryPhotos;
pub use rows::{read_answer, read_recalled};
pub use statements::{Parameter, Statement, answer_of, keeping, recall, version};

/// The version of the tables that this program reads and writes.
pub const VERSION: u32 = 1;

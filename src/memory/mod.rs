//! The memory of what runs have recognised: photos by the digest of their bytes, and who was seen with whom; and of
//! what image searches have answered.
//!
//! It is a database (`SQLite`, as Cloudflare's D1 has it). Here are its tables (`migrations`), what is asked of it
//! (`recall.rs` and `searches.rs` for runs, `atlas.rs` and `path.rs` for the atlas), what changes it (`keeping.rs`), and how rows become
//! values (`rows.rs`). Who asks is elsewhere. `in_memory.rs` is the model that the statements must do as, and serves
//! tests and benchmarks.

mod atlas;
mod keeping;
mod path;
mod people;
mod recall;
mod rows;
mod searches;
mod statement;

pub use atlas::{LINES_MAX, OFFSET_MAX, find_people, lines_of, most_seen, person, size, told_path};
pub use keeping::{FAILED_DAYS_MAX, forgetting, keeping, photo, photos_of};
pub use path::{KnownPath, PathSearch};
pub use people::{named_people, sure_people};
pub use recall::{NAMESAKES_MAX, answer_of, recall};
pub use rows::{read_answer, read_recalled};
pub use searches::{read_search, search_answer};
pub use statement::{Parameter, Statement, version};

/// The version of the tables that this program reads and writes.
pub const VERSION: u32 = 3;

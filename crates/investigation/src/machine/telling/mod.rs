//! The notices to viewers, and the records for those who ask why.

mod certificate;
mod pages;
mod photo_line;
mod record;
mod report;
mod story;
mod teller;
mod told_hints;
mod words;

pub use certificate::{certificate, other_paths};
pub use pages::{next_page, page_urls};
pub use photo_line::photo_line;
pub use record::{frontier_records, path_report};
pub use report::{edge_report, graph_report, person_ref, subject_ref};
pub use story::Story;
pub use teller::Teller;
pub use words::counted;

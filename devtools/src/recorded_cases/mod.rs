//! Tools for the recorded cases of every engine: reading a folder, comparing values, and counting matches.

mod difference;
mod figures;
#[cfg(not(target_arch = "wasm32"))]
mod folder;

pub use difference::{Difference, difference};
pub use figures::CaseFigures;
#[cfg(not(target_arch = "wasm32"))]
pub use folder::json_files;

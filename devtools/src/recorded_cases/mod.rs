//! Shared by the recorded cases of all engines: files of a folder, comparison of values, and figures. Requires the
//! feature `sandbox` and is never in the Worker.

mod difference;
mod figures;
#[cfg(not(target_arch = "wasm32"))]
mod folder;

pub use difference::{Difference, difference};
pub use figures::CaseFigures;
#[cfg(not(target_arch = "wasm32"))]
pub use folder::json_files;

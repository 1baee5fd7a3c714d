//! What the recorded cases of every engine share: the files of a folder, the comparison of two values, and
//! the figures of many cases. It needs the feature `sandbox` and is never in the Worker.

mod difference;
mod figures;
#[cfg(not(target_arch = "wasm32"))]
mod folder;

pub use difference::{Difference, difference};
pub use figures::CaseFigures;
#[cfg(not(target_arch = "wasm32"))]
pub use folder::json_files;

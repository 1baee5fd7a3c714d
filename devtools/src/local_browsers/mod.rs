//! Browsers on this machine, or at any address, natively: a Chromium is found and started, and driven over
//! a socket. It needs the feature `sandbox` and is never in the Worker.

mod chromium;
mod devtools;
mod socket;

pub use chromium::{Chromium, find_chromium};
pub use devtools::LocalDevTools;

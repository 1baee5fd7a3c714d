//! Browsers on this machine, or at any address, natively: finds and starts a Chromium, and drives it over a socket.

mod chromium;
mod devtools;
mod socket;

pub use chromium::{Chromium, find_chromium};
pub use devtools::LocalDevTools;

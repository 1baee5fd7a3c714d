//! The effects: what the platform does for a run.

mod artifacts;
mod browsers;
mod children;
mod network;
mod photo_pixels;
mod remembered_photos;
mod run_browser;
mod run_effects;
mod sent_secrets;
mod wire;

pub mod events;
pub mod isolate;

pub use artifacts::{ARTIFACTS_BYTES_MAX, Artifacts};
pub use browsers::{AddressWriter, Browser, BrowserError, Browsers};
pub use children::{ChildRefusal, Children};
pub use network::{IncomingBody, Network, TransportError, timeout, timeout_of};
pub use photo_pixels::{PhotoPixels, collage_check, fingerprint_of};
pub use remembered_photos::{MemoryDown, RememberedPhotos, WantedAnswers};
pub use run_browser::{AddressNoter, RunBrowser};
pub use run_effects::{Effects, WriteError};
pub use sent_secrets::SentSecrets;
pub use wire::{WireRequest, WireResponse};

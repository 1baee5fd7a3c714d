//! What the platform provides to a run: its effects on the outside world.

mod browsers;
mod effects;
mod photo_pixels;

pub mod events;
pub mod isolate;

pub use browsers::{AddressNoter, AddressWriter, Browser, BrowserError, Browsers, RunBrowser};
pub use effects::{
    ARTIFACTS_BYTES_MAX, ChildRefusal, Effects, IncomingBody, MemoryDown, Network,
    RememberedPhotos, Stop, TransportError, WantedAnswers, WireRequest, WireResponse, WriteError,
    timeout, timeout_of,
};
pub use photo_pixels::{PhotoPixels, collage_check, fingerprint_of};

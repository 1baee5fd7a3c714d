//! The sandbox as one function from requests to replies: every provider, every image host, and
//! what goes wrong with them. It knows nothing of sockets; the server and the tests of other rooms
//! call the same function.

mod ask;
mod calls;
mod chooser;
pub mod faults;
mod fields;
mod gemini;
mod gemini_faults;
mod google;
mod google_faults;
mod images;
mod options;
mod recogniser_faults;
mod rekognition;
mod reply;
mod sandbox;
mod schema;
pub mod sigv4;
#[cfg(test)]
mod tests;
mod ugly;

pub use calls::{Call, Provider};
pub use faults::{FaultError, FaultPlan};
pub use options::{Credentials, Latency, Options};
pub use reply::{Body, Chunk, Ending, Reply};
pub use sandbox::Sandbox;
pub use ugly::Ugly;

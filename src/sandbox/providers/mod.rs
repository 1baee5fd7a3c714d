//! The providers, each one function from requests to replies, and what goes wrong with them.

mod common_faults;
mod context;
mod credentials;
mod fault_kinds;
pub(in crate::sandbox) mod gemini;
pub(in crate::sandbox) mod google;
mod google_errors;
pub(in crate::sandbox) mod images;
mod language_model;
pub(in crate::sandbox) mod openai;
mod provider;
pub mod rekognition;
mod reply;
mod request;
pub(in crate::sandbox) mod workers_ai;

pub(in crate::sandbox) use common_faults::{CommonFault, reply as common_fault_reply};
pub(in crate::sandbox) use context::ProviderContext;
pub use credentials::SandboxCredentials;
pub use provider::SandboxProvider;
pub use reply::{BodyEnding, Chunk, Reply, ReplyBody};
pub(in crate::sandbox) use request::{ParsedRequest, SandboxRoute};

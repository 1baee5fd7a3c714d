//! The providers, each one function from requests to replies, and what goes wrong with them.

pub(in crate::sandbox) mod brave;
mod common_faults;
pub(in crate::sandbox) mod commons;
mod context;
mod credentials;
mod echo_faults;
mod fault_kinds;
pub(in crate::sandbox) mod gemini;
pub(in crate::sandbox) mod google;
mod google_errors;
pub(in crate::sandbox) mod images;
mod language_model;
pub(in crate::sandbox) mod mediawiki;
pub(in crate::sandbox) mod openai;
pub(in crate::sandbox) mod openverse;
mod provider;
pub mod rekognition;
mod reply;
mod request;
pub(in crate::sandbox) mod serpapi;
pub(in crate::sandbox) mod serper;
pub(in crate::sandbox) mod turnstile;
pub(in crate::sandbox) mod wikidata;
pub(in crate::sandbox) mod workers_ai;

pub(in crate::sandbox) use common_faults::{CommonFault, reply as common_fault_reply};
pub(in crate::sandbox) use context::ProviderContext;
pub use credentials::SandboxCredentials;
pub(in crate::sandbox) use echo_faults::EchoFault;
pub use provider::SandboxProvider;
pub use reply::{BodyEnding, Chunk, Reply, ReplyBody};
pub(in crate::sandbox) use request::{ParsedRequest, SandboxRoute};

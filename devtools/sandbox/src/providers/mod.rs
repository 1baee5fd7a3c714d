//! The providers, each a function from requests to replies, and their faults.

pub(crate) mod brave;
mod common_faults;
pub(crate) mod commons;
mod context;
mod credentials;
mod echo_faults;
mod fault_kinds;
pub(crate) mod gemini;
pub(crate) mod google;
mod google_errors;
pub(crate) mod images;
mod language_model;
pub(crate) mod mediawiki;
mod model_habits;
pub(crate) mod openai;
pub(crate) mod openverse;
mod provider;
pub(crate) mod references;
pub mod rekognition;
mod reply;
mod request;
pub(crate) mod serpapi;
pub(crate) mod serper;
pub(crate) mod turnstile;
pub(crate) mod wikidata;
pub(crate) mod workers_ai;

pub(crate) use common_faults::{CommonFault, reply as common_fault_reply};
pub(crate) use commons::FilePages;
pub(crate) use context::ProviderContext;
pub use credentials::SandboxCredentials;
pub(crate) use echo_faults::EchoFault;
pub(crate) use fault_kinds::fault_kinds;
pub use model_habits::ModelHabit;
pub use provider::SandboxProvider;
pub use reply::{BodyEnding, Chunk, Reply, ReplyBody};
pub(crate) use request::{ParsedRequest, SITE, SandboxRoute, TOOL_SERVERS};

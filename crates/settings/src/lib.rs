//! The operator's settings: who may start runs, how much a run may ask for, and how the providers
//! are reached.

mod address_policy;
mod atlas_access;
mod bindings;
mod bounded_url;
mod browser_settings;
mod caps;
mod caps_reader;
mod dollars;
mod door_reader;
mod engine_variables;
mod examples_reader;
mod kept_secrets;
mod kv_writes;
mod mcp_secrets;
mod mcp_servers;
mod network_address;
mod operator_settings;
mod own_host;
mod own_names;
mod parts;
mod planner_reader;
mod provider_reader;
mod providers;
mod reader;
mod shared_access;
mod start_limits;
mod tools_access;
mod turnstile;

pub use address_policy::{AddressError, AddressPolicy};
pub use atlas_access::AtlasAccess;
pub use bindings::{Binding, Bindings};
pub use browser_settings::BrowserSettings;
pub use caps::Caps;
pub use engine_variables::{EngineVariables, SharedVariable};
pub use kept_secrets::{KeptSecret, origin_of};
pub use kv_writes::{KV_WRITES_DEFAULT, KV_WRITES_MAX, KV_WRITES_MIN};
pub use mcp_servers::McpServer;
pub use operator_settings::{Access, Settings};
pub use own_host::{OwnHost, host_and_port};
pub use own_names::OwnNames;
pub use parts::{PartFaults, SettingsPart};
pub use providers::{
    MemorySettings, PricedConverter, PricedPlanner, PricedRecogniser, PricedSearch, Providers,
};
pub use reader::among;
pub use shared_access::SharedAccess;
pub use start_limits::StartLimits;
pub use tools_access::ToolsAccess;
pub use turnstile::TurnstileSettings;

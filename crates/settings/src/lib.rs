//! The operator's settings: who may start runs, the limits of runs, and how to reach the providers.

mod access;
mod address_policy;
mod browsers;
mod limits;
mod mcp_servers;
mod operator_settings;
mod own_host;
mod planners;
mod providers;
mod reader;

pub use access::{AtlasAccess, SharedAccess, ToolsAccess, TurnstileSettings};
pub use address_policy::{AddressError, AddressPolicy};
pub use browsers::{BrowserSettings, KeptSecret, origin_of};
pub use limits::{Caps, KV_WRITES_DEFAULT, KV_WRITES_MAX, KV_WRITES_MIN, StartLimits};
pub use mcp_servers::McpServer;
pub use operator_settings::{
    Access, EngineVariables, PartFaults, Settings, SettingsPart, SharedVariable,
};
pub use own_host::{OwnHost, OwnNames, host_and_port};
pub use providers::{
    MemorySettings, PricedConverter, PricedPlanner, PricedRecogniser, PricedSearch, Providers,
};
pub use reader::{Binding, Bindings, among};

//! Parses a request and conducts a run: the machine's commands are carried out here, by whatever
//! [`Effects`] the platform gives.

mod access;
mod address;
mod calls;
mod conductor;
mod effects;
mod identifiers;
mod interrupted;
mod options;
mod order;
mod perform;
mod photos;
mod problem;
mod route;
mod settings;
mod settings_reader;
mod writer;

pub use access::{Caller, may_start, readable_by};
pub use address::{AddressError, AddressPolicy};
pub use conductor::conduct;
pub use effects::{Effects, TransportError, WriteError};
pub use identifiers::{EventId, RunToken, TokenError};
pub use interrupted::interrupted_event;
pub use options::{Asked, BODY_BYTES_MAX};
pub use order::{Creation, Order, Reservation};
pub use photos::{IMAGE_BYTES_MAX, IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX};
pub use problem::Problem;
pub use route::{Route, Wanted, is_prefetch};
pub use settings::{Access, Caps, PlannerSettings, Prices, Providers, Settings};

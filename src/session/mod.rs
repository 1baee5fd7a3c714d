//! Parses a request and conducts a run: the machine's commands are carried out here, by whatever
//! [`Effects`] the platform gives.

mod access;
mod address;
mod bell;
mod calls;
mod conductor;
mod creation;
mod effects;
mod gate;
mod identifiers;
mod judged;
mod keeper;
mod log;
mod options;
mod perform;
mod photos;
mod problem;
mod progress;
mod route;
mod settings;
mod settings_reader;
mod taking_up;
mod under_way;
mod wish;
mod writer;

pub use access::{Caller, may_start, readable_by};
pub use address::{AddressError, AddressPolicy};
pub use creation::{Creation, Fork, Reservation, opening};
pub use effects::{Effects, TransportError, WriteError};
pub use identifiers::{EventId, RunToken, TokenError};
pub use judged::judged;
pub use log::{Log, StopSwitch};
pub use options::{Asked, BODY_BYTES_MAX};

pub use photos::{IMAGE_BYTES_MAX, IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX};
pub use problem::Problem;
pub use route::{Route, Wanted, is_prefetch};
pub use settings::{Access, Caps, PlannerSettings, Prices, Providers, Settings};
pub use taking_up::{Past, Taken, conduct};
pub use wish::{ForkWish, Wish};

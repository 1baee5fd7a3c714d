//! Parses a request and conducts a run: the machine's commands are carried out here, by whatever
//! [`Effects`] the platform gives.

mod ask_once;
mod calls;
mod collage_check;
mod conductor;
mod doctor;
mod effects;
mod identifiers;
mod pace;
mod people;
mod request;
mod run_object;
mod settings;
mod stream;

pub use calls::{IMAGE_BYTES_MAX, IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX, check_photo};
pub use collage_check::collage_veto;
pub use conductor::{ConductOutcome, SavedRun, conduct};
pub use doctor::{Diagnosis, diagnose};
pub use effects::{Effects, Network, TransportError, WriteError};
pub use identifiers::{EventId, RunToken, TokenError};
pub use pace::Pace;
pub use people::{SuggestionPace, people_text, suggest_people};
pub use request::{
    BODY_BYTES_MAX, Caller, CreateRequest, ForkRequest, Problem, ResponseFormat, Route, RunRequest,
    allowed_reader, is_prefetch, may_look_deep, may_start,
};
pub use run_object::{
    Creation, Fork, ForkSource, LiveRunCall, Reservation, RunObjectCall, opening,
};
pub use settings::{
    Access, AddressError, AddressPolicy, Caps, OwnHost, PricedPlanner, PricedRecogniser,
    PricedSearch, Providers, Settings, host_and_port,
};
pub use stream::{EventLog, StopSwitch};

//! The kinds of events that an investigation tells.

use platform::events::EventKinds;

/// The kinds of events that an investigation tells.
pub const KINDS: EventKinds = EventKinds {
    goes_on: &["status", "evidence", "path_update", "page_capture"],
    ends: &["final", "no_path", "error"],
};

//! The calls to a run's object. Each is an inner HTTP request; its address says which call it is.

use url::Url;

/// A call to the object of a run, or of an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunObjectCall {
    /// Begins the run of the [`super::Creation`] in the body, or finds it begun.
    Create,
    /// Gives the [`super::Reservation`] of an idempotency key: the one in the body, or an earlier one.
    Reserve,
    /// Streams the events after this one; 0 streams all.
    Events {
        /// The number of an event, from 1.
        after: u32,
    },
    /// Gives the last event's JSON, once it is there.
    Last,
    /// Ends the run within one provider call.
    Stop,
    /// Tells of the run what its last event so far tells.
    Outline,
    /// Gives the ended run as a sealed file.
    Sealed,
    /// Gives a [`super::ForkSource`], for a fork of the run.
    Answers,
}

/// Nothing but the path and the query is read: the object is addressed by its name.
const BASE: &str = "https://run";

impl RunObjectCall {
    /// The address of its inner request.
    #[must_use]
    pub fn address(self) -> String {
        match self {
            Self::Create => format!("{BASE}/create"),
            Self::Reserve => format!("{BASE}/reserve"),
            Self::Events { after } => format!("{BASE}/events?after={after}"),
            Self::Last => format!("{BASE}/last"),
            Self::Stop => format!("{BASE}/stop"),
            Self::Outline => format!("{BASE}/outline"),
            Self::Sealed => format!("{BASE}/sealed"),
            Self::Answers => format!("{BASE}/answers"),
        }
    }

    /// The call of an inner request's address; none where it is not one that [`Self::address`] gives.
    #[must_use]
    pub fn parse(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        Some(match url.path() {
            "/create" => Self::Create,
            "/reserve" => Self::Reserve,
            "/events" => {
                let (_, after) = url.query_pairs().find(|(key, _)| key == "after")?;
                Self::Events {
                    after: after.parse().ok()?,
                }
            }
            "/last" => Self::Last,
            "/stop" => Self::Stop,
            "/outline" => Self::Outline,
            "/sealed" => Self::Sealed,
            "/answers" => Self::Answers,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_read_back_from_its_address() {
        let calls = [
            RunObjectCall::Create,
            RunObjectCall::Reserve,
            RunObjectCall::Events { after: 0 },
            RunObjectCall::Events { after: u32::MAX },
            RunObjectCall::Last,
            RunObjectCall::Stop,
            RunObjectCall::Outline,
            RunObjectCall::Sealed,
            RunObjectCall::Answers,
        ];
        for call in calls {
            // A new variant must be added to the list above.
            match call {
                RunObjectCall::Create
                | RunObjectCall::Reserve
                | RunObjectCall::Events { .. }
                | RunObjectCall::Last
                | RunObjectCall::Stop
                | RunObjectCall::Outline
                | RunObjectCall::Sealed
                | RunObjectCall::Answers => {}
            }
            assert_eq!(RunObjectCall::parse(&call.address()), Some(call));
        }
    }

    #[test]
    fn anything_else_is_no_call() {
        for address in [
            "https://run/",
            "https://run/delete",
            "https://run/events",
            "https://run/events?after=-1",
            "create",
        ] {
            assert_eq!(RunObjectCall::parse(address), None, "{address}");
        }
    }
}

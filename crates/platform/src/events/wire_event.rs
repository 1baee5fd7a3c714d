//! One event of a run, ready to be stored and sent.

/// The kinds of events that the runs of one engine tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKinds {
    /// The kinds after which the run goes on.
    pub goes_on: &'static [&'static str],
    /// The kinds that end the run.
    pub ends: &'static [&'static str],
}

impl EventKinds {
    /// Returns the kind of this name and whether it ends the run.
    fn find(self, name: &str) -> Option<(&'static str, bool)> {
        let goes_on = self.goes_on.iter().map(|kind| (*kind, false));
        let ends = self.ends.iter().map(|kind| (*kind, true));
        goes_on.chain(ends).find(|(kind, _)| *kind == name)
    }
}

/// One event, ready to be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    /// The run's public token.
    pub run: String,
    /// The number of the event: 1, 2, 3, ... without gaps.
    pub number: u32,
    /// The event's kind: `status`, `evidence`, `path_update`, `final`, `no_path` or `error`. The
    /// event of a workflow has one of the kinds of its trace.
    pub kind: &'static str,
    /// One line of JSON.
    pub json: String,
    /// Whether no event comes after this one.
    pub is_last: bool,
}

impl WireEvent {
    /// Reads a stored event back. Returns `None` where the engine tells no event of this kind.
    #[must_use]
    pub fn stored(
        kinds: EventKinds,
        run: &str,
        number: u32,
        kind: &str,
        json: String,
    ) -> Option<Self> {
        let (kind, is_last) = kinds.find(kind)?;
        Some(Self {
            run: run.to_owned(),
            number,
            kind,
            json,
            is_last,
        })
    }

    /// Returns the reason of a `no_path` or of a workflow's `failed`, or the code of an `error`.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Because {
            reason: Option<String>,
            code: Option<String>,
            #[serde(default)]
            payload: Payload,
        }
        /// The payload of a workflow's last event.
        #[derive(Default, serde::Deserialize)]
        struct Payload {
            reason: Option<String>,
        }
        let because: Because = serde_json::from_str(&self.json).ok()?;
        let reason = because.reason.or(because.payload.reason);
        reason.or(because.code).filter(|_| self.is_last)
    }
}

//! What is told, and from where: a call's answer is told of the place in the search that asked for
//! it, wherever the search has gone on to meanwhile.

use crate::domain::Side;

use super::machine::{Investigation, Route};
use super::notice::{Notice, StateName, Status, Told};
use super::report;
use super::subject::Subject;

/// A place in the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) state: StateName,
    /// Whose surroundings are looked at.
    pub(super) frontier: Option<Subject>,
    /// From which side.
    pub(super) side: Option<Side>,
    /// How many edges from that side's start.
    pub(super) hop: u32,
}

impl Investigation {
    pub(super) fn tell(&mut self, told: Told) {
        self.outbox.notice(Notice { at: self.now, told });
    }

    /// Tells what is being tried.
    pub(super) fn status(&mut self, message: impl Into<String>) {
        self.status_at(self.place(), message);
    }

    /// Tells something of an earlier place in the search.
    pub(super) fn status_at(&mut self, place: Place, message: impl Into<String>) {
        let status = self.status_from(place, message);
        self.tell(Told::Status(status));
    }

    pub(super) fn status_from(&self, place: Place, message: impl Into<String>) -> Status {
        let frontier = place
            .frontier
            .map(|subject| report::subject_ref(&self.knowledge, subject));
        Status {
            state: place.state,
            message: message.into(),
            hop: place.hop,
            frontier,
            side: place.side,
            spent: self.spent(),
            limits: self.request.limits.clone(),
            guess: None,
        }
    }

    /// Where the search is.
    pub(super) fn place(&self) -> Place {
        let (frontier, side, hop) = match &self.route {
            Route::OneSided(route) => (
                Some(route.frontier().subject),
                Some(Side::A),
                route.accepted_edges(),
            ),
            Route::BothEnds(route) => match &route.frontier {
                Some(frontier) => (Some(frontier.subject), Some(frontier.side), frontier.depth),
                None => (None, None, 0),
            },
        };
        Place {
            state: self.state_name(),
            frontier,
            side,
            hop,
        }
    }
}

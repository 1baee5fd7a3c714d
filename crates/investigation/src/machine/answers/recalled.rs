//! The changes that an answer of the memory makes.

use domain::{RecalledPhoto, SidesToConnect};

use crate::machine::facts::ListKey;
use crate::machine::state::Move;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Notes photos that earlier runs had recognised.
    pub fn take_recalled(&mut self, photos: Vec<RecalledPhoto>) -> Option<Move> {
        self.facts.note_recalled(photos);
        None
    }

    /// Looks at the photos of a chain that earlier runs have proven. Whom they show is told with each that comes.
    pub fn take_connected(&mut self, sides: &SidesToConnect, photos: usize) -> Option<Move> {
        let photos = photos.min(sides.photos_max);
        if photos > 0 && !self.state.is_ending() {
            let places = self.facts.note_connected(sides, photos);
            let policy = self.policy();
            self.look_on(&ListKey::of_recalled(), &places, &policy);
        }
        None
    }
}

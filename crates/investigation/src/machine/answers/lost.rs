//! The changes that the loss of a call's answer makes.

use domain::{Failure, FailureKind};

use crate::machine::scheduler::{AnsweredAdvice, Purpose};
use crate::machine::state::Move;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Goes on without a call that was lost and cannot be made again.
    pub fn do_without(&mut self, purpose: Purpose) -> Option<Move> {
        match purpose {
            Purpose::Plan {
                table,
                allowed_queries,
            } => self.take_advice(AnsweredAdvice {
                table,
                allowed_queries,
                result: Err(Failure::new(FailureKind::Down, "its answer was lost")),
            }),
            Purpose::Search { survey } => {
                self.lose_search(survey);
                None
            }
            Purpose::Fetch { survey, photo } | Purpose::Recognise { survey, photo, .. } => {
                self.lose_photo(survey, &photo);
                None
            }
            Purpose::Recall => None,
            Purpose::Capture { page } => {
                self.capture(page);
                None
            }
        }
    }
}

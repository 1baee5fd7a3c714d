//! What carrying a command out came to.

use crate::domain::{Failure, FailureKind, PhotoFailure};
use crate::investigation::{Action, Answer, Command, CommandId, Outcome};
use crate::journal::AnswerSource;
use crate::session::photo_pool::HeldPhoto;

use super::hand_over::Asked;

/// What carrying a command out came to.
#[derive(Debug)]
pub struct CallResult {
    answer: Answer,
    source: AnswerSource,
    photo: Option<HeldPhoto>,
}

impl CallResult {
    /// An answer of an earlier run: nothing was sent.
    pub fn reused(command: CommandId, outcome: Outcome) -> Self {
        let source = AnswerSource {
            is_reused: true,
            ..AnswerSource::default()
        };
        Self::unsent(command, outcome, source)
    }

    /// Of a call that is not asked again: reading its answer ended the program twice.
    pub fn passed_over(command: &Command) -> Self {
        const WHY: &str = "it was passed over: reading it ended the program twice";
        let failure = |kind| Failure::new(kind, WHY);
        let outcome = match command.action {
            Action::Search { .. } => Outcome::Searched(Err(failure(FailureKind::Malformed))),
            Action::Fetch { .. } => Outcome::Fetched(Err(PhotoFailure::Unreadable(WHY.into()))),
            Action::Recognise { .. } => Outcome::Recognised(Err(failure(FailureKind::BadImage))),
            Action::Plan(_) => Outcome::Planned(Err(failure(FailureKind::Malformed))),
        };
        Self::unsent(command.id, outcome, AnswerSource::default())
    }

    fn unsent(command: CommandId, outcome: Outcome, source: AnswerSource) -> Self {
        Self {
            answer: Answer {
                command,
                attempts: 0,
                throttled: 0,
                nano_usd: 0,
                outcome,
                remarks: Vec::new(),
            },
            source,
            photo: None,
        }
    }

    /// The answer for the machine.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Where it came from.
    pub fn source(&self) -> &AnswerSource {
        &self.source
    }

    /// The answer, and the bytes of the photo that was fetched.
    pub fn into_answer_and_photo(self) -> (Answer, Option<HeldPhoto>) {
        (self.answer, self.photo)
    }

    /// Of a fetched photo, with its bytes where they came.
    pub(super) fn of_photo(answer: Answer, photo: Option<HeldPhoto>) -> Self {
        Self {
            answer,
            source: AnswerSource::default(),
            photo,
        }
    }

    /// Of what the providers of a role were asked.
    pub(super) fn of<T>(
        command: CommandId,
        asked: Asked<T>,
        outcome: fn(Result<T, Failure>) -> Outcome,
    ) -> Self {
        let called = asked.called;
        Self {
            answer: Answer {
                command,
                attempts: called.attempts,
                throttled: called.throttled,
                nano_usd: called.nano_usd,
                outcome: outcome(called.result),
                remarks: asked.remarks,
            },
            source: AnswerSource {
                provider: asked.provider.map(str::to_owned),
                set_aside: asked.set_aside,
                body: called.body_digest,
                is_reused: false,
            },
            photo: None,
        }
    }
}

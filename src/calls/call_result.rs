//! What carrying a command out came to.

use crate::domain::Failure;
use crate::kernel::{Answer, CommandId};

use super::answer_source::AnswerSource;
use super::hand_over::Asked;

/// What carrying a command out came to; and what came with the answer and is kept beside it.
#[derive(Debug)]
pub struct CallResult<Outcome, Kept> {
    answer: Answer<Outcome>,
    source: AnswerSource,
    kept: Option<Kept>,
}

impl<Outcome, Kept> CallResult<Outcome, Kept> {
    /// An answer of an earlier run: nothing was sent.
    pub fn reused(command: CommandId, outcome: Outcome) -> Self {
        let source = AnswerSource {
            is_reused: true,
            ..AnswerSource::default()
        };
        Self::unsent(command, outcome, source)
    }

    /// Of a call that is not asked again: reading its answer ended the program twice.
    pub fn passed_over(command: CommandId, outcome: Outcome) -> Self {
        Self::unsent(command, outcome, AnswerSource::default())
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
            kept: None,
        }
    }

    /// The answer for the machine.
    pub fn answer(&self) -> &Answer<Outcome> {
        &self.answer
    }

    /// Where it came from.
    pub fn source(&self) -> &AnswerSource {
        &self.source
    }

    /// The answer, and what is kept beside it.
    pub fn into_parts(self) -> (Answer<Outcome>, Option<Kept>) {
        (self.answer, self.kept)
    }

    /// Of an answer that came with something to keep, where it came.
    pub fn with(answer: Answer<Outcome>, kept: Option<Kept>) -> Self {
        Self {
            answer,
            source: AnswerSource::default(),
            kept,
        }
    }

    /// Of what the providers of a role were asked.
    pub fn of<T>(
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
            kept: None,
        }
    }
}

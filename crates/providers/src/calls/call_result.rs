//! The result of carrying a command out.

use domain::Failure;
use kernel::{Answer, CommandId};

use super::answer_source::AnswerSource;
use super::hand_over::Asked;

/// The result of carrying a command out, and what came with the answer and is kept beside it.
#[derive(Debug)]
pub struct CallResult<Outcome, Kept> {
    answer: Answer<Outcome>,
    source: AnswerSource,
    kept: Option<Kept>,
}

impl<Outcome, Kept> CallResult<Outcome, Kept> {
    /// Returns the result of a command that an earlier run's answer answers: nothing was sent.
    pub fn reused(command: CommandId, outcome: Outcome) -> Self {
        let source = AnswerSource {
            is_reused: true,
            ..AnswerSource::default()
        };
        Self::unsent(command, outcome, source)
    }

    /// Returns the result of a call that is not asked again, since reading its answer ended the
    /// program twice.
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

    /// Returns the answer for the machine.
    pub fn answer(&self) -> &Answer<Outcome> {
        &self.answer
    }

    /// Returns where the answer came from.
    pub fn source(&self) -> &AnswerSource {
        &self.source
    }

    /// Returns the result with another answer.
    #[must_use]
    pub fn changed(mut self, change: impl FnOnce(&mut Answer<Outcome>)) -> Self {
        change(&mut self.answer);
        self
    }

    /// Returns the answer, and what is kept beside it.
    pub fn into_parts(self) -> (Answer<Outcome>, Option<Kept>) {
        (self.answer, self.kept)
    }

    /// Returns the result with something to keep.
    #[must_use]
    pub fn keeping(self, kept: Option<Kept>) -> Self {
        Self { kept, ..self }
    }

    /// Returns the result as that of a remembered answer, which another run was given at this time, in milliseconds
    /// since 1970: nothing was sent.
    #[must_use]
    pub fn given_before(mut self, at_ms: u64) -> Self {
        self.source.given_ms = Some(at_ms);
        self
    }

    /// Returns the result of an answer, with something to keep where such a thing came with it.
    pub fn with(answer: Answer<Outcome>, kept: Option<Kept>) -> Self {
        Self {
            answer,
            source: AnswerSource::default(),
            kept,
        }
    }

    /// Returns the result of asking the providers of a role.
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
                ..AnswerSource::default()
            },
            kept: None,
        }
    }
}

//! Asks a language model for the next turn of a conversation.

use domain::chat::{ChatPurpose, ChatQuestion, ChatReply};
use domain::{Failure, FailureKind};
use kernel::{Answer, Command, CommandId};
use platform::{Effects, WriteError};
use providers::calls::Attempts;
use providers::calls::CallResult;
use providers::calls::Failover;
use providers::calls::{Choice, ask_in_order};
use providers::calls::{charged, limits};
use providers::{Images, JSON_BYTES_MAX, Usage};
use settings::PricedPlanner;

/// The longest attempt of a question, in milliseconds.
const CHAT_MS_MAX: u64 = 60_000;

/// Asks the operator's models.
#[derive(Debug)]
pub struct ChatAsker<'run, E> {
    effects: &'run E,
    models: &'run [PricedPlanner],
    /// The model that looks at pictures.
    vision: Option<&'run PricedPlanner>,
    failover: Failover,
}

impl<'run, E: Effects> ChatAsker<'run, E> {
    /// Makes an asker of the operator's models, of which some may be set aside.
    pub fn new(
        effects: &'run E,
        models: &'run [PricedPlanner],
        vision: Option<&'run PricedPlanner>,
        failover: Failover,
    ) -> Self {
        Self {
            effects,
            models,
            vision,
            failover,
        }
    }

    /// Returns whether a question is asked with its pictures.
    pub fn shows_images(&self, question: &ChatQuestion) -> bool {
        self.vision.is_some() && is_of_pictures(question)
    }

    /// Asks the models in order, or the one that looks at pictures. Fails where the journal cannot
    /// be written.
    pub async fn ask<Action, Outcome>(
        &self,
        command: &Command<Action>,
        question: &ChatQuestion,
        images: &Images,
        attempts: Attempts<'_>,
        outcome: fn(Result<ChatReply, Failure>) -> Outcome,
    ) -> Result<CallResult<Outcome, ()>, WriteError> {
        let models = match self.vision.filter(|_| is_of_pictures(question)) {
            Some(vision) => std::slice::from_ref(vision),
            None if question.purpose == ChatPurpose::Vision => {
                let what = "no model that looks at pictures is set (VISION_MODEL)";
                let failure = Failure::new(FailureKind::Misconfigured, what);
                return Ok(not_asked(command.id, outcome(Err(failure))));
            }
            None => self.models,
        };
        let choices = models.iter().map(|priced| Choice {
            id: priced.planner.id(),
            name: priced.planner.name(),
            price_nano_usd: priced.chat_nano_usd_max(),
            build: Box::new(|| priced.planner.chat(question, images)),
            read: Box::new(|response| {
                let (reply, usage) = priced.planner.read_chat(question, response);
                let nano_usd = if usage == Usage::default() {
                    charged(&reply, response, priced.chat_nano_usd_max())
                } else {
                    priced.nano_usd_of(usage)
                };
                (reply, nano_usd)
            }),
        });
        let limits = limits(command, JSON_BYTES_MAX, CHAT_MS_MAX);
        let choices: Vec<_> = choices.collect();
        let choices = choices.into();
        let asked = ask_in_order(self.effects, &self.failover, choices, limits, attempts).await?;
        Ok(CallResult::of(command.id, asked, outcome))
    }
}

fn is_of_pictures(question: &ChatQuestion) -> bool {
    use ChatPurpose::{Checks, Judge, PageAction, Vision};
    matches!(question.purpose, Vision | Checks | Judge | PageAction)
}

fn not_asked<Outcome>(command: CommandId, outcome: Outcome) -> CallResult<Outcome, ()> {
    let answer = Answer {
        command,
        attempts: 0,
        throttled: 0,
        nano_usd: 0,
        outcome,
        remarks: Vec::new(),
    };
    CallResult::with(answer, None)
}

//! The interface of executors, which execute an engine's commands, and the questions of executors to language models.

use std::future::ready;

use futures::FutureExt as _;
use std::collections::BTreeSet;

use domain::chat::{ChatPurpose, ChatQuestion, ChatReply};
use domain::{Failure, FailureKind};
use kernel::{Answer, Command, CommandId, Millis};
use platform::{Effects, WriteError};
use providers::calls::{
    Attempts, CallResult, Choice, Failover, SetAside, ask_in_order, charged, limits,
};
use providers::{Images, JSON_BYTES_MAX, Usage};
use settings::{Caps, PricedPlanner, Providers};

use crate::child_run::Registry;
use crate::{Engine, Machine, PendingCommand, RunState};

/// The timeout of one attempt to get a model's answer, in milliseconds.
const CHAT_MS_MAX: u64 = 60_000;

/// An engine whose commands can be executed with the effects `E`.
pub trait Execute<E: Effects>: Engine {
    /// The executor of one run.
    type Executor<'run>: Executor<'run, Self>
    where
        E: 'run;

    /// Makes the executor of a run. If the run is resumed, `run` includes what its journal says about it.
    fn executor<'run>(effects: &'run E, run: &RunContext<'run, '_, Self>) -> Self::Executor<'run>;
}

/// A function that records what another process needs to resume a call. It is called before the call sends anything.
pub type NoteWriter<'run, G> = &'run dyn Fn(<G as Engine>::Note) -> Result<(), WriteError>;

/// What an executor may know about its run and about the operator's settings.
pub struct RunContext<'run, 'journal, G: Engine> {
    /// The operator's providers.
    pub providers: &'run Providers,
    /// The limits that apply to child runs.
    pub caps: &'run Caps,
    /// The engines on which child runs may run.
    pub engines: Registry,
    /// The order of the run.
    pub order: &'journal G::Order,
    /// The time at which the run began; `None` if it begins now.
    pub began: Option<Millis>,
    /// The notes that earlier processes wrote, oldest first.
    pub notes: &'journal [G::Note],
    /// The commands that an earlier process may have sent, but to which the journal has no answer.
    pub in_flight: &'journal BTreeSet<CommandId>,
    /// The providers that failed earlier in the run. No more requests are sent to them.
    pub set_aside: &'journal [SetAside],
    /// The length of the journal, in bytes.
    pub journal_bytes: usize,
    /// A function that writes a note to the journal.
    pub note: NoteWriter<'run, G>,
}

/// The result of one executed call.
pub type ExecutedCall<G, Kept> = CallResult<<G as Machine>::Outcome, Kept>;

/// Executes the commands of one run. Several calls may be in flight at the same time.
pub trait Executor<'run, G: Engine> {
    /// The input of one call. It is complete before the call begins, so that calls can run concurrently.
    type Prepared: 'run;
    /// A value that arrives with an answer and is kept until a later command sends it, such as the bytes of a photo.
    type Kept: 'run;

    /// Collects what a command needs, including values that the executor kept from earlier answers.
    fn prepare(&mut self, pending: &PendingCommand<G>, state: &RunState<G>) -> Self::Prepared;

    /// Executes a command. Fails if the journal cannot be written.
    fn execute(
        prepared: Self::Prepared,
        command: &Command<G::Action>,
        attempts: Attempts<'_>,
    ) -> impl Future<Output = Result<ExecutedCall<G, Self::Kept>, WriteError>>;

    /// Keeps the value that arrived with the answer to this command, if the executor's limit allows it.
    fn keep(&mut self, _command: CommandId, _kept: Self::Kept) {}

    /// Drops the kept values that no later command sends. `is_answered` returns whether a command has an answer that
    /// the machine has not received yet.
    fn drop_unneeded(&mut self, _state: &RunState<G>, _is_answered: impl Fn(CommandId) -> bool) {}

    /// Drops every kept value.
    fn drop_all(&mut self) {}

    /// Returns the outcome of a call that is given up because the process ended twice while reading its answer.
    fn passed_over(&self, action: &G::Action) -> G::Outcome;

    /// Closes what the run has open outside this process, such as pages, once the run is over.
    fn close(&self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// Sends questions to the operator's language models.
#[derive(Debug)]
pub struct ChatAsker<'run, E> {
    effects: &'run E,
    models: &'run [PricedPlanner],
    /// The model that accepts images, if the operator has configured one.
    vision: Option<&'run PricedPlanner>,
    failover: Failover,
}

impl<'run, E: Effects> ChatAsker<'run, E> {
    /// Makes the asker for the operator's models. `failover` knows which models are set aside.
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

    /// Returns whether a question's images are sent to a model along with its text.
    pub fn shows_images(&self, question: &ChatQuestion) -> bool {
        self.vision.is_some() && is_of_pictures(question)
    }

    /// Sends the question to the vision model if it is about images and the operator has configured such a model.
    /// Otherwise sends it to one model after another until one answers. Fails if the journal cannot be written.
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
            per_second_max: None,
            build: Box::new(|_| ready(priced.planner.chat(question, images)).boxed_local()),
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
        let choices = choices.collect::<Vec<_>>().into();
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

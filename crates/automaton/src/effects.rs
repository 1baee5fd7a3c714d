//! Executes the commands of an automaton run: drives its browser, asks models, begins child runs, and fills in
//! parameters.

mod driver;
mod one_time_code;
mod values;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, select};
use serde_json::json;

use domain::chat::{ChatQuestion, Part, Turn};
use domain::page::{ActionFailure, BrowserGone, Look};
use domain::{Failure, FailureKind, RunToken};
use engine::child_run::{ChildRun, EndedRun};
use engine::{
    ChatAsker, Execute, ExecutedCall, Executor, NoteWriter, PendingCommand, Registry, Requests,
    RunContext, RunState,
};
use kernel::{Answer, CommandId};
use platform::{Browsers, Effects, WriteError, timeout};
use providers::calls::{Attempts, CallResult, Failover};
use providers::{CHAT_IMAGES_MAX, Images};
use settings::{Caps, Providers};

use crate::machine::{Action, ChainEnd, ChainFailure, Command, InvestigateCall, Outcome};
use crate::wire::{AutomatonEngine, AutomatonNote};

use driver::{Driver, Told};
use values::{Values, hide_in_answer};

/// The message for a call that is not repeated, because reading its answer has already ended two processes.
const WHY_PASSED_OVER: &str = "it was passed over: reading its answer ended the program twice";
/// The longest wait for a stopped child run to end, in milliseconds.
const STOPPING_MS_MAX: u64 = 20_000;

/// Executes the commands of one automaton run.
pub struct AutomatonExecutor<'run, E: Browsers>(Rc<AutomatonCaller<'run, E>>);

/// What the commands of one run use: its browser, its child runs and the models.
struct AutomatonCaller<'run, E: Browsers> {
    effects: &'run E,
    driver: Driver<'run, E>,
    chains: Chains<'run, E>,
    models: ChatAsker<'run, E>,
}

impl<'run, E: Effects + Browsers> AutomatonCaller<'run, E> {
    /// Returns a run's caller in the state that the run's journal records.
    fn new(effects: &'run E, run: &RunContext<'run, '_, AutomatonEngine>) -> Self {
        Self {
            effects,
            driver: Driver::new(effects, run),
            chains: Chains::new(effects, run),
            models: ChatAsker::new(
                effects,
                &run.providers.planners,
                run.providers.vision.as_ref(),
                Failover::restored(run.set_aside.iter()),
            ),
        }
    }

    async fn execute(
        &self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<CallResult<Outcome, ()>, WriteError> {
        let told = match &command.action {
            Action::Look {
                queries,
                wants_elements,
                wants_picture,
            } => {
                let look = Look {
                    queries: queries.clone(),
                    wants_elements: *wants_elements,
                    wants_picture: *wants_picture,
                };
                self.driver.look(command, &look, attempts).await?
            }
            Action::Act { action, .. } => self.driver.act(command, action, attempts).await?,
            Action::Reload => self.driver.reload(command, attempts).await?,
            Action::Ask(question) => {
                let images = self.images(question)?;
                let asked = self
                    .models
                    .ask(command, question, &images, attempts, Outcome::Asked);
                return asked.await;
            }
            Action::Investigate(call) => {
                let values = self.driver.values();
                let chain = self.chains.investigate(command, call, values, attempts);
                // The platform closes a browser that gets no commands, so it is kept alive until the investigation
                // ends.
                let waiting = self.driver.wait(command.time_left_ms.saturating_mul(2));
                match select(pin!(chain), pin!(waiting)).await {
                    Either::Left((outcome, _)) => outcome?.into(),
                    Either::Right(((), chain)) => chain.await?.into(),
                }
            }
            Action::Wait { ms } => {
                self.driver.wait((*ms).min(command.time_left_ms)).await;
                Outcome::Waited.into()
            }
        };
        // An open browser costs money during every command, even one that does not use it.
        attempts.settle(0, self.driver.charge());
        Ok(answered(command.id, attempts, told))
    }

    /// Returns the pictures to send with a question, up to the limit.
    fn images(&self, question: &ChatQuestion) -> Result<Images, WriteError> {
        let mut images = Images::new();
        if !self.models.shows_images(question) {
            return Ok(images);
        }
        for turn in question.turns.iter().rev() {
            let Turn::User(parts) = turn else { continue };
            for part in parts {
                if let Part::Image(image) = part
                    && images.len() < CHAT_IMAGES_MAX
                    && let Some(bytes) = self.effects.artifact(&image.digest)?
                {
                    images.insert(image.digest.clone(), bytes);
                }
            }
        }
        Ok(images)
    }
}

fn answered(command: CommandId, attempts: Attempts<'_>, told: Told) -> CallResult<Outcome, ()> {
    let answer = Answer {
        command,
        attempts: attempts.made(),
        throttled: attempts.throttled(),
        nano_usd: attempts.nano_usd(),
        outcome: told.outcome,
        remarks: told.remarks,
    };
    CallResult::with(answer, None)
}

impl<E: Effects + Browsers> Execute<E> for AutomatonEngine {
    type Executor<'run>
        = AutomatonExecutor<'run, E>
    where
        E: 'run;

    fn executor<'run>(
        effects: &'run E,
        run: &RunContext<'run, '_, Self>,
    ) -> AutomatonExecutor<'run, E> {
        AutomatonExecutor(Rc::new(AutomatonCaller::new(effects, run)))
    }
}

impl<'run, E: Effects + Browsers> Executor<'run, AutomatonEngine> for AutomatonExecutor<'run, E> {
    type Prepared = Self;
    type Kept = ();

    fn prepare(
        &mut self,
        _pending: &PendingCommand<AutomatonEngine>,
        _state: &RunState<AutomatonEngine>,
    ) -> Self {
        Self(self.0.clone())
    }

    async fn execute(
        prepared: Self::Prepared,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<ExecutedCall<AutomatonEngine, ()>, WriteError> {
        let result = prepared.0.execute(command, attempts).await?;
        Ok(result.changed(|answer| hide_in_answer(prepared.0.driver.mask(), answer)))
    }

    async fn close(&self) {
        self.0.chains.end().await;
        self.0.driver.end().await;
    }

    fn passed_over(&self, action: &Action) -> Outcome {
        let gone = || BrowserGone(WHY_PASSED_OVER.to_owned());
        match action {
            Action::Look { .. } => Outcome::Looked(Err(gone())),
            Action::Act { .. } => {
                let says = WHY_PASSED_OVER.to_owned();
                Outcome::Acted(Err(ActionFailure::UnknownOutcome(says)))
            }
            Action::Reload => Outcome::Reloaded(Err(gone())),
            Action::Ask(_) => {
                Outcome::Asked(Err(Failure::new(FailureKind::Malformed, WHY_PASSED_OVER)))
            }
            Action::Investigate(_) => Outcome::Investigated(Err(ChainFailure {
                run: None,
                message: WHY_PASSED_OVER.to_owned(),
            })),
            Action::Wait { .. } => Outcome::Waited,
        }
    }
}

/// The investigations that a run begins. Only one is under way at a time, and it is stopped when the run ends.
struct Chains<'run, E> {
    effects: &'run E,
    note: NoteWriter<'run, AutomatonEngine>,
    engines: Registry,
    providers: &'run Providers,
    caps: &'run Caps,
    /// The child runs that an earlier process was about to begin, by the ids of their commands.
    begun: BTreeMap<CommandId, RunToken>,
    /// The child run whose end is awaited; `None` if there is none.
    under_way: RefCell<Option<RunToken>>,
}

impl<'run, E: Effects> Chains<'run, E> {
    /// Returns a run's investigations in the state that the run's journal records.
    fn new(effects: &'run E, run: &RunContext<'run, '_, AutomatonEngine>) -> Self {
        let begun: BTreeMap<CommandId, RunToken> = run
            .notes
            .iter()
            .filter_map(|note| match note {
                AutomatonNote::Child { command, run } => {
                    Some((CommandId(*command), RunToken::parse(run).ok()?))
                }
                _ => None,
            })
            .collect();
        // The child run of an unanswered command may still be in progress, so the end of this run must stop it.
        let unanswered = |(command, _): &(&CommandId, _)| run.in_flight.contains(*command);
        let under_way = begun.iter().find(unanswered).map(|(_, run)| run.clone());
        Self {
            effects,
            note: run.note,
            engines: run.engines,
            providers: run.providers,
            caps: run.caps,
            begun,
            under_way: RefCell::new(under_way),
        }
    }

    /// Waits for the end of an investigation, and first begins it unless an earlier process has.
    async fn investigate(
        &self,
        command: &Command,
        call: &InvestigateCall,
        values: &Values,
        attempts: Attempts<'_>,
    ) -> Result<Outcome, WriteError> {
        let now_ms = self.effects.now_ms();
        let people = [&call.person_a, &call.person_b].map(|person| values.fill(person, now_ms));
        let [Ok(person_a), Ok(person_b)] = people else {
            let message = "A person is named by a value that is gone.".to_owned();
            return Ok(Outcome::Investigated(Err(ChainFailure {
                run: None,
                message,
            })));
        };
        let request = json!({
            "personA": person_a.text.text.reveal(),
            "personB": person_b.text.text.reveal(),
        });
        let note = |run: &RunToken| {
            self.under_way.replace(Some(run.clone()));
            (self.note)(AutomatonNote::Child {
                command: command.id.0,
                run: run.to_string(),
            })
        };
        let begun = self.begun.get(&command.id).cloned();
        self.under_way.replace(begun.clone());
        let child = ChildRun {
            request: &request,
            parent_noun: AutomatonEngine::NOUN,
            engines: self.engines,
            providers: self.providers,
            caps: self.caps,
            nano_usd_max: call.nano_usd_max,
            time_left_ms: command.time_left_ms,
            begun,
            attempts,
            note: &note,
        };
        let ended = child.carry_out(self.effects).await?;
        self.under_way.replace(None);
        Ok(Outcome::Investigated(end_of(ended)))
    }

    /// Stops the investigation that is still awaited when the run ends.
    async fn end(&self) {
        let run = self.under_way.take();
        if let Some(run) = run {
            let _ = timeout(self.effects, STOPPING_MS_MAX, self.effects.stop_child(&run)).await;
        }
    }
}

fn end_of(ended: EndedRun) -> Result<ChainEnd, ChainFailure> {
    let run = ended.run.map(|run| run.to_string());
    match (ended.result, run) {
        (Ok(output), Some(run)) => Ok(ChainEnd {
            run,
            message: output.message,
        }),
        (Ok(output), None) => Err(ChainFailure {
            run: None,
            message: output.message,
        }),
        (Err(why), run) => Err(ChainFailure {
            run,
            message: why.message,
        }),
    }
}

//! Carries the commands of an automaton out, one after the other.

use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, select};

use domain::chat::{ChatQuestion, Part, Turn};
use domain::page::{ActionFailure, BrowserGone, Look};
use domain::{Failure, FailureKind};
use engine::{
    Call, Carried, CarriedCall, Carrier, ChatAsker, PendingCommand, RunState, RunToCarry,
};
use kernel::{Answer, CommandId};
use platform::{Artifacts, Browsers, Children, Effects, SentSecrets, WriteError};
use providers::calls::{Attempts, CallResult, Failover};
use providers::{CHAT_IMAGES_MAX, Images};

use crate::machine::{Action, ChainFailure, Command, Outcome};
use crate::stored::AutomatonEngine;

use super::chains::Chains;
use super::driver::{Driver, Told};
use super::hiding::hide_in_answer;

/// The reason why a call whose answer ended two processes is not made again.
const WHY_PASSED_OVER: &str = "it was passed over: reading its answer ended the program twice";
/// Carries the commands of one automaton out.
pub struct AutomatonCarrier<'run, E: Browsers>(Rc<AutomatonCaller<'run, E>>);

/// The browser and the models with which the commands of one automaton are carried out.
pub struct AutomatonCaller<'run, E: Browsers> {
    effects: &'run E,
    driver: Driver<'run, E>,
    chains: Chains<'run, E>,
    models: ChatAsker<'run, E>,
}

impl<'run, E: Effects + Artifacts + Browsers + Children + SentSecrets> AutomatonCaller<'run, E> {
    /// Returns the caller of a run as its journal tells it.
    fn new(effects: &'run E, run: &RunToCarry<'run, '_, AutomatonEngine>) -> Self {
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
                // A browser that nobody speaks to is ended by its platform.
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
        // While something else is awaited, an open browser is paid for, too.
        attempts.settle(0, self.driver.charge());
        Ok(answered(command.id, attempts, told))
    }

    /// Returns the pictures of a question, as many as one may have.
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

impl<E: Effects + Artifacts + Browsers + Children + SentSecrets> Carried<E> for AutomatonEngine {
    type Carrier<'run>
        = AutomatonCarrier<'run, E>
    where
        E: 'run;

    fn carrier<'run>(
        effects: &'run E,
        run: &RunToCarry<'run, '_, Self>,
    ) -> AutomatonCarrier<'run, E> {
        AutomatonCarrier(Rc::new(AutomatonCaller::new(effects, run)))
    }
}

impl<E: Effects + Artifacts + Browsers + Children + SentSecrets> Call<AutomatonEngine, ()>
    for AutomatonCarrier<'_, E>
{
    async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<CarriedCall<AutomatonEngine, ()>, WriteError> {
        let result = self.0.execute(command, attempts).await?;
        Ok(result.changed(|answer| hide_in_answer(self.0.driver.mask(), answer)))
    }
}

impl<'run, E: Effects + Artifacts + Browsers + Children + SentSecrets>
    Carrier<'run, AutomatonEngine> for AutomatonCarrier<'run, E>
{
    type Call = Self;
    type Kept = ();

    fn prepare(
        &mut self,
        _pending: &PendingCommand<AutomatonEngine>,
        _state: &RunState<AutomatonEngine>,
    ) -> Self {
        Self(self.0.clone())
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

//! The carrier of an investigation's commands. It keeps a photo that was fetched until it is sent
//! to the recogniser.

use std::rc::Rc;

use crate::calls::Attempts;
use crate::effects::{Artifacts, Browsers, Effects, WriteError};
use crate::engine::{Call, Carried, CarriedCall, Carrier, PendingCommand, RunState, RunToCarry};
use crate::engines::investigation::machine::{Action, Command, Outcome};
use crate::engines::investigation::stored::InvestigationEngine;
use crate::kernel::CommandId;
use crate::sorted::SortedMap;

use super::executor::{Executor, passed_over};
use super::kept_photo::KeptPhoto;
use super::run_photos::PhotoInput;

/// The carrier of one investigation's commands.
pub struct PhotoCarrier<'run, E: Browsers> {
    executor: Rc<Executor<'run, E>>,
    /// The fetched photos that could be kept, until they are recognised.
    photos: SortedMap<CommandId, KeptPhoto>,
}

impl<'run, E: Effects + Artifacts + Browsers> PhotoCarrier<'run, E> {
    /// Makes a carrier that keeps no photo yet.
    pub fn new(executor: Executor<'run, E>) -> Self {
        Self {
            executor: Rc::new(executor),
            photos: SortedMap::new(),
        }
    }
}

/// One call, with the photo that it sends.
pub struct PhotoCall<'run, E: Browsers> {
    executor: Rc<Executor<'run, E>>,
    photo: PhotoInput,
    /// The addresses of the pages that the run opens.
    pages: Vec<String>,
}

impl<E: Effects + Artifacts + Browsers> Carried<E> for InvestigationEngine {
    type Carrier<'run>
        = PhotoCarrier<'run, E>
    where
        E: 'run;

    fn carrier<'run>(effects: &'run E, run: &RunToCarry<'run, '_, Self>) -> PhotoCarrier<'run, E> {
        PhotoCarrier::new(Executor::new(effects, run))
    }
}

impl<E: Effects + Artifacts + Browsers> Call<InvestigationEngine, KeptPhoto> for PhotoCall<'_, E> {
    async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<CarriedCall<InvestigationEngine, KeptPhoto>, WriteError> {
        self.executor
            .execute(command, self.photo, &self.pages, attempts)
            .await
    }
}

impl<'run, E: Effects + Artifacts + Browsers> Carrier<'run, InvestigationEngine>
    for PhotoCarrier<'run, E>
{
    type Call = PhotoCall<'run, E>;
    type Kept = KeptPhoto;

    fn prepare(
        &mut self,
        pending: &PendingCommand<InvestigationEngine>,
        state: &RunState<InvestigationEngine>,
    ) -> PhotoCall<'run, E> {
        let fetched_by = pending.sends_photo_of();
        let held = fetched_by.and_then(|fetched_by| self.photos.remove(&fetched_by));
        let source = fetched_by.and_then(|fetched_by| state.photo(fetched_by));
        let photo = match (held, source) {
            (Some(photo), _) => PhotoInput::Held(photo),
            (None, Some(source)) => PhotoInput::FetchAgain(source.clone()),
            (None, None) => PhotoInput::None,
        };
        PhotoCall {
            executor: self.executor.clone(),
            photo,
            pages: state.machine().pages_to_capture(),
        }
    }

    fn keep(&mut self, command: CommandId, photo: KeptPhoto) {
        if let Some(photo) = self.executor.keep(photo) {
            self.photos.insert(command, photo);
        }
    }

    /// Drops the photos that are sent to nobody: known ones, and those of searches that were
    /// dropped.
    fn drop_unneeded(
        &mut self,
        state: &RunState<InvestigationEngine>,
        is_answered: impl Fn(CommandId) -> bool,
    ) {
        self.photos
            .retain(|command, _| is_answered(*command) || state.needs_photo(*command));
    }

    fn drop_all(&mut self) {
        self.photos.clear();
    }

    async fn close(&self) {
        self.executor.close().await;
    }

    fn passed_over(&self, action: &Action) -> Outcome {
        passed_over(action)
    }
}

//! Carries the commands of an investigation out: a photo that was fetched is kept until it is sent to
//! the recogniser.

use std::rc::Rc;

use crate::investigation::{Action, Command, CommandId, Outcome};
use crate::journal::{InvestigationEngine, PendingCommand, RunState};
use crate::session::calls::{Attempts, Executor, PhotoInput, passed_over};
use crate::session::effects::{Effects, WriteError};
use crate::session::photo_pool::HeldPhoto;
use crate::sorted::SortedMap;

use super::carrier::{Call, Carried, Carrier};

/// Carries the commands of one investigation out.
pub(super) struct PhotoCarrier<'run, E> {
    executor: Rc<Executor<'run, E>>,
    /// Fetched photos that could be kept, until they are recognised.
    photos: SortedMap<CommandId, HeldPhoto>,
}

impl<'run, E: Effects> PhotoCarrier<'run, E> {
    /// With no photo yet.
    pub(super) fn new(executor: Executor<'run, E>) -> Self {
        Self {
            executor: Rc::new(executor),
            photos: SortedMap::new(),
        }
    }
}

/// One call, with the photo that it sends.
pub(super) struct PhotoCall<'run, E> {
    executor: Rc<Executor<'run, E>>,
    photo: PhotoInput,
}

impl<E: Effects> Call<InvestigationEngine, HeldPhoto> for PhotoCall<'_, E> {
    async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Carried<InvestigationEngine, HeldPhoto>, WriteError> {
        self.executor.execute(command, self.photo, attempts).await
    }
}

impl<'run, E: Effects> Carrier<'run, InvestigationEngine> for PhotoCarrier<'run, E> {
    type Call = PhotoCall<'run, E>;
    type Kept = HeldPhoto;

    fn prepare(&mut self, pending: &PendingCommand, state: &RunState) -> PhotoCall<'run, E> {
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
        }
    }

    fn keep(&mut self, command: CommandId, photo: HeldPhoto) {
        if let Some(photo) = self.executor.keep(photo) {
            self.photos.insert(command, photo);
        }
    }

    /// Known photos, and those of searches that were dropped, are sent to nobody.
    fn drop_unneeded(&mut self, state: &RunState, is_answered: impl Fn(CommandId) -> bool) {
        self.photos
            .retain(|command, _| is_answered(*command) || state.needs_photo(*command));
    }

    fn drop_all(&mut self) {
        self.photos.clear();
    }

    fn passed_over(&self, action: &Action) -> Outcome {
        passed_over(action)
    }
}

//! The carrier of an investigation's commands. It keeps a photo that was fetched until it is sent
//! to the recogniser.

use std::collections::BTreeMap;
use std::rc::Rc;

use domain::{Hints, Hit, PhotoCopy};
use engine::{Call, Carried, CarriedCall, Carrier, PendingCommand, RunState, RunToCarry};
use kernel::CommandId;
use platform::{Artifacts, Browsers, Effects, RememberedPhotos, WriteError};
use providers::calls::Attempts;

use crate::machine::{Action, Command, Outcome};
use crate::stored::InvestigationEngine;

use super::executor::{Executor, passed_over};
use super::kept_photo::{KeptAnswer, KeptPhoto};
use super::run_photos::{PhotoInput, SentPhoto};

/// The carrier of one investigation's commands.
pub struct PhotoCarrier<'run, E: Browsers> {
    executor: Rc<Executor<'run, E>>,
    /// The fetched photos that could be kept, until they are recognised.
    photos: BTreeMap<CommandId, KeptPhoto>,
}

impl<'run, E: Effects + Artifacts + Browsers + RememberedPhotos> PhotoCarrier<'run, E> {
    /// Makes a carrier that keeps no photo yet.
    pub fn new(executor: Executor<'run, E>) -> Self {
        Self {
            executor: Rc::new(executor),
            photos: BTreeMap::new(),
        }
    }
}

/// One call, with the photo that it sends.
pub struct PhotoCall<'run, E: Browsers> {
    executor: Rc<Executor<'run, E>>,
    sent: SentPhoto,
    /// The addresses of the pages that the run opens.
    pages: Vec<String>,
}

impl<E: Effects + Artifacts + Browsers + RememberedPhotos> Carried<E> for InvestigationEngine {
    type Carrier<'run>
        = PhotoCarrier<'run, E>
    where
        E: 'run;

    fn carrier<'run>(effects: &'run E, run: &RunToCarry<'run, '_, Self>) -> PhotoCarrier<'run, E> {
        PhotoCarrier::new(Executor::new(effects, run))
    }
}

impl<E: Effects + Artifacts + Browsers + RememberedPhotos> Call<InvestigationEngine, KeptAnswer>
    for PhotoCall<'_, E>
{
    async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<CarriedCall<InvestigationEngine, KeptAnswer>, WriteError> {
        self.executor
            .execute(command, self.sent, &self.pages, attempts)
            .await
    }
}

impl<'run, E: Effects + Artifacts + Browsers + RememberedPhotos> Carrier<'run, InvestigationEngine>
    for PhotoCarrier<'run, E>
{
    type Call = PhotoCall<'run, E>;
    type Kept = KeptAnswer;

    fn prepare(
        &mut self,
        pending: &PendingCommand<InvestigationEngine>,
        state: &RunState<InvestigationEngine>,
    ) -> PhotoCall<'run, E> {
        let fetched_by = match pending.command().action {
            Action::Recognise { fetched_by } => Some(fetched_by),
            _ => None,
        };
        let held = fetched_by.and_then(|fetched_by| self.photos.remove(&fetched_by));
        let source = fetched_by.and_then(|fetched_by| state.memory().photo(fetched_by));
        let photo = match (held, source) {
            (Some(photo), _) => PhotoInput::Held(photo),
            (None, Some(source)) => PhotoInput::FetchAgain(source.clone()),
            (None, None) => PhotoInput::None,
        };
        let found = state.machine().photo_to_recognise(pending.id());
        let found = found.and_then(|(hit, fetched)| {
            // A small copy's address lasts as long as its search engine pleases.
            let is_whole = fetched.copy != PhotoCopy::Thumbnail;
            let hit = Hit {
                image_url: hit.url(fetched.copy).to_owned(),
                original_url: None,
                thumbnail_url: None,
                hints: Hints::default(),
                ..hit.clone()
            };
            is_whole.then(|| (hit, fetched.digest.clone()))
        });
        PhotoCall {
            executor: self.executor.clone(),
            sent: SentPhoto { photo, found },
            pages: state.machine().pages_to_capture(),
        }
    }

    fn keep(&mut self, command: CommandId, kept: KeptAnswer) {
        match kept {
            KeptAnswer::Photo(photo) => {
                if let Some(photo) = self.executor.keep(photo) {
                    self.photos.insert(command, photo);
                }
            }
            KeptAnswer::Remembered => self.executor.note_saved(),
            KeptAnswer::Recognised(photo) => self.executor.remember(*photo),
            KeptAnswer::Searched(search) => self.executor.remember_search(*search),
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
            .retain(|command, _| is_answered(*command) || state.machine().needs_photo(*command));
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

//! A survey: one query, and the processing of its photos.

use std::collections::VecDeque;
use std::rc::Rc;

use domain::Hit;
use kernel::CommandId;

use crate::machine::facts::{ListKey, Place, SearchSight, Subject};
use crate::machine::interface::Fetched;

/// The number of a survey, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurveyNumber(pub u32);

/// A photo of a survey.
#[derive(Debug, Clone)]
pub struct SurveyPhoto {
    /// The search result. It is shared, since several holders need it and its texts are long.
    pub hit: Rc<Hit>,
    /// The photo's number from 1, in the order of the search's answer.
    pub number: usize,
    /// Whether the photo comes after the others, concurrently with the next search.
    pub is_deferred: bool,
}

impl SurveyPhoto {
    pub fn url(&self) -> &str {
        &self.hit.image_url
    }
}

/// The next step with a photo.
#[derive(Debug, Clone)]
pub enum PhotoStep {
    Fetch(SurveyPhoto),
    Recognise {
        photo: SurveyPhoto,
        fetched: Fetched,
        fetched_by: CommandId,
    },
}

impl PhotoStep {
    pub fn photo(&self) -> &SurveyPhoto {
        let (Self::Fetch(photo) | Self::Recognise { photo, .. }) = self;
        photo
    }
}

/// The stage of a survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The survey's search is not answered yet.
    Searching,
    /// The survey's photos are looked at; the deferred ones, too, once they are released.
    Looking { is_released: bool },
    /// The survey's photos are no longer needed.
    Dropped,
}

/// A query and its photos.
#[derive(Debug, Clone)]
pub struct Survey {
    number: SurveyNumber,
    list: ListKey,
    named: Vec<Subject>,
    /// The place in the search where the survey was begun.
    place: Place,
    /// The two people whom the survey should show together.
    wanted: Option<(Subject, Subject)>,
    steps: VecDeque<PhotoStep>,
    photos_in_all: usize,
    calls_under_way: usize,
    /// Whether any photo could be looked at. Photos that could not be are no evidence that two people are not together.
    any_looked: bool,
    /// Whether a search was sent for it, whose answer was neither lost nor unreadable.
    counts_as_search: bool,
    stage: Stage,
    /// Whether a slot was free when the last of the survey's photos was begun. If not, one answered photo of many is no
    /// reason to go on before the others.
    left_a_slot: bool,
}

impl Survey {
    fn new(number: SurveyNumber, list: ListKey, named: Vec<Subject>, place: Place) -> Self {
        Self {
            number,
            list,
            named,
            place,
            wanted: None,
            steps: VecDeque::new(),
            photos_in_all: 0,
            calls_under_way: 0,
            any_looked: false,
            counts_as_search: false,
            stage: Stage::Searching,
            left_a_slot: false,
        }
    }

    /// Creates a survey of photos that a query found before.
    pub fn of_known(
        number: SurveyNumber,
        list: ListKey,
        named: Vec<Subject>,
        place: Place,
        hits: Vec<Hit>,
    ) -> Self {
        let mut survey = Self::new(number, list, named, place);
        survey.take_hits(hits);
        survey
    }

    /// Creates a survey whose search is sent now.
    pub fn of_search(
        number: SurveyNumber,
        list: ListKey,
        named: Vec<Subject>,
        place: Place,
    ) -> Self {
        Self {
            counts_as_search: true,
            calls_under_way: 1,
            ..Self::new(number, list, named, place)
        }
    }

    /// Sets the two people whom the survey's photos should show together.
    pub fn wanting(self, wanted: Option<(Subject, Subject)>) -> Self {
        Self { wanted, ..self }
    }

    pub fn take_hits(&mut self, hits: Vec<Hit>) {
        self.photos_in_all = hits.len();
        let photos = (1..).zip(hits).map(|(number, hit)| SurveyPhoto {
            hit: Rc::new(hit),
            number,
            is_deferred: false,
        });
        self.stage = Stage::Looking { is_released: false };
        self.steps = photos.map(PhotoStep::Fetch).collect();
        self.left_a_slot = self.steps.is_empty();
    }

    pub fn number(&self) -> SurveyNumber {
        self.number
    }

    pub fn query(&self) -> &str {
        &self.list.query
    }

    /// Notes which image search has answered.
    pub fn note_source(&mut self, source: usize) {
        self.list.source = source;
    }

    /// Returns the query and the image search that is asked.
    pub fn list(&self) -> &ListKey {
        &self.list
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn wanted(&self) -> Option<(Subject, Subject)> {
        self.wanted
    }

    pub fn photos_in_all(&self) -> usize {
        self.photos_in_all
    }

    /// Returns whether a search was sent for the survey, whose answer was neither lost nor unreadable.
    pub fn counts_as_search(&self) -> bool {
        self.counts_as_search
    }

    /// Returns what the survey has shown of the people whom it names; `None` if its query was not asked now, or its
    /// photos are no longer needed.
    pub fn sight(&self) -> Option<SearchSight> {
        if !self.counts_as_search || self.is_dropped() {
            return None;
        }
        Some(match (self.any_looked, self.photos_in_all) {
            (true, _) => SearchSight::Photos,
            (false, 0) => SearchSight::Nothing,
            (false, _) => SearchSight::Unread,
        })
    }

    /// Returns the steps that are left to take, in order.
    pub fn steps(&self) -> impl Iterator<Item = &PhotoStep> {
        self.steps.iter()
    }

    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns the number of its photos that were begun.
    pub fn photos_begun(&self) -> usize {
        self.photos_in_all.saturating_sub(self.steps.len())
    }

    pub fn calls_under_way(&self) -> usize {
        self.calls_under_way
    }

    pub fn is_over(&self) -> bool {
        self.calls_under_way == 0 && self.steps.is_empty()
    }

    pub fn is_dropped(&self) -> bool {
        self.stage == Stage::Dropped
    }

    /// Returns whether its search is not answered yet.
    pub fn is_searching(&self) -> bool {
        self.stage == Stage::Searching
    }

    /// Notes that one of its calls is sent.
    pub fn begin_call(&mut self) {
        self.calls_under_way += 1;
    }

    /// Notes that one of its calls was answered or lost.
    pub fn end_call(&mut self) {
        self.calls_under_way = self.calls_under_way.saturating_sub(1);
    }

    /// Notes that one of its photos was looked at.
    pub fn note_looked(&mut self) {
        self.any_looked = true;
    }

    /// Notes that its answer was lost or unreadable, and so proves nothing about the people whom it names.
    pub fn note_unanswered(&mut self) {
        self.counts_as_search = false;
    }

    /// Defers this photo, if it is not fetched yet.
    pub fn defer(&mut self, url: &str) {
        for step in &mut self.steps {
            if let PhotoStep::Fetch(photo) = step {
                photo.is_deferred |= photo.hit.image_url == url;
            }
        }
    }

    /// Releases the deferred photos.
    pub fn release(&mut self) {
        if let Stage::Looking { is_released } = &mut self.stage {
            *is_released = true;
        }
    }

    fn is_released(&self) -> bool {
        self.stage == Stage::Looking { is_released: true }
    }

    /// Returns whether a step waits for what the survey's other photos show.
    pub fn is_deferred(&self, step: &PhotoStep) -> bool {
        step.photo().is_deferred && !self.is_released()
    }

    pub fn has_deferred(&self) -> bool {
        self.steps.iter().any(|step| self.is_deferred(step))
    }

    /// Returns whether another search may begin before the survey ends: all that is left of it is in flight and leaves
    /// a slot, or was deferred for that search.
    pub fn leaves_a_slot(&self) -> bool {
        self.is_released() || (self.left_a_slot && self.steps.is_empty())
    }

    /// Removes a step. For the last photo, notes whether a slot stays free.
    pub fn take_step(&mut self, index: usize, leaves_a_slot: bool) -> Option<PhotoStep> {
        let step = self.steps.remove(index)?;
        if let (PhotoStep::Fetch(_), true) = (&step, self.steps.is_empty()) {
            self.left_a_slot = leaves_a_slot;
        }
        Some(step)
    }

    /// Queues a fetched photo for the recogniser, before all photos not fetched yet.
    pub fn queue_for_recogniser(
        &mut self,
        photo: SurveyPhoto,
        fetched: Fetched,
        fetched_by: CommandId,
    ) {
        if self.is_dropped() {
            return;
        }
        let index = self.photos_waiting();
        let step = PhotoStep::Recognise {
            photo,
            fetched,
            fetched_by,
        };
        self.steps.insert(index, step);
    }

    /// Returns the number of its fetched photos that wait for the recogniser. They come first.
    pub fn photos_waiting(&self) -> usize {
        let is_waiting = |step: &&PhotoStep| matches!(step, PhotoStep::Recognise { .. });
        self.steps.iter().take_while(is_waiting).count()
    }

    /// Drops the steps that are not begun. Answers to calls in flight are still noted.
    pub fn drop_steps(&mut self) {
        self.stage = Stage::Dropped;
        self.steps.clear();
    }

    /// Returns whether the photo fetched by this command waits for the recogniser.
    pub fn has_photo(&self, by: CommandId) -> bool {
        self.has_waiting(|_, fetched_by| fetched_by == by)
    }

    /// Returns whether a matching photo waits for the recogniser.
    pub fn has_waiting(&self, is_meant: impl Fn(&SurveyPhoto, CommandId) -> bool) -> bool {
        self.steps.iter().any(|step| match step {
            PhotoStep::Recognise {
                photo, fetched_by, ..
            } => is_meant(photo, *fetched_by),
            PhotoStep::Fetch(_) => false,
        })
    }
}

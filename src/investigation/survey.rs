//! A survey: one query, and a look at each of its photos.

use std::collections::VecDeque;

use crate::domain::Hit;

use super::command::CommandId;
use super::input::Fetched;
use super::subject::Subject;
use super::telling::Place;

/// The number of a survey, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SurveyNumber(pub(super) u32);

/// A photo of a survey.
#[derive(Debug, Clone)]
pub(super) struct Photo {
    pub(super) hit: Hit,
    /// From 1, in the order of the search's answer.
    pub(super) number: usize,
    /// It comes after the others, beside the next search.
    pub(super) is_held_back: bool,
}

/// What is to be done next with a photo.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Fetch(Photo),
    Recognise {
        photo: Photo,
        fetched: Fetched,
        fetched_by: CommandId,
    },
}

impl Step {
    pub(super) fn photo(&self) -> &Photo {
        let (Self::Fetch(photo) | Self::Recognise { photo, .. }) = self;
        photo
    }
}

/// How far a survey has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Its search is not answered yet.
    Searching,
    /// Its photos are looked at; what it held back too, once the next search was sent or there is
    /// none.
    Looking { is_released: bool },
    /// Nobody waits for its photos any more.
    Dropped,
}

/// A query and its photos.
#[derive(Debug, Clone)]
pub(super) struct Survey {
    pub(super) number: SurveyNumber,
    pub(super) query: String,
    pub(super) named: Vec<Subject>,
    /// Where in the search it was begun.
    pub(super) place: Place,
    /// The two people whom it is to show together.
    pub(super) wanted: Option<(Subject, Subject)>,
    pub(super) steps: VecDeque<Step>,
    pub(super) photos_in_all: usize,
    /// Its calls under way.
    pub(super) under_way: usize,
    /// Whether any photo could be looked at: a failure is never "not together".
    pub(super) any_looked: bool,
    /// Asked now, not remembered.
    pub(super) is_new: bool,
    stage: Stage,
    /// When the last of its photos was taken in hand, a place stayed empty beside them. That one
    /// of many photos is answered is no reason to go on before the others.
    pub(super) leaves_a_place: bool,
}

impl Survey {
    /// A survey whose search is not answered yet.
    pub(super) fn new(
        number: SurveyNumber,
        query: String,
        named: Vec<Subject>,
        place: Place,
    ) -> Self {
        Self {
            number,
            query,
            named,
            place,
            wanted: None,
            steps: VecDeque::new(),
            photos_in_all: 0,
            under_way: 0,
            any_looked: false,
            is_new: false,
            stage: Stage::Searching,
            leaves_a_place: false,
        }
    }

    pub(super) fn take_hits(&mut self, hits: &[Hit]) {
        self.photos_in_all = hits.len();
        let photos = (1..).zip(hits).map(|(number, hit)| Photo {
            hit: hit.clone(),
            number,
            is_held_back: false,
        });
        self.stage = Stage::Looking { is_released: false };
        self.steps = photos.map(Step::Fetch).collect();
        self.leaves_a_place = self.steps.is_empty();
    }

    pub(super) fn is_over(&self) -> bool {
        self.under_way == 0 && self.steps.is_empty()
    }

    pub(super) fn is_dropped(&self) -> bool {
        self.stage == Stage::Dropped
    }

    /// Holds this photo of those still to be fetched back.
    pub(super) fn hold_back(&mut self, url: &str) {
        for step in &mut self.steps {
            if let Step::Fetch(photo) = step {
                photo.is_held_back |= photo.hit.image_url == url;
            }
        }
    }

    /// What it holds back waits no longer.
    pub(super) fn release(&mut self) {
        if let Stage::Looking { is_released } = &mut self.stage {
            *is_released = true;
        }
    }

    fn is_released(&self) -> bool {
        self.stage == Stage::Looking { is_released: true }
    }

    /// Whether a step waits for what its other photos show.
    pub(super) fn is_held_back(&self, step: &Step) -> bool {
        step.photo().is_held_back && !self.is_released()
    }

    /// Whether it holds photos back.
    pub(super) fn holds_back(&self) -> bool {
        self.steps.iter().any(|step| self.is_held_back(step))
    }

    /// Whether another search may begin beside it: all that is left of it is under way and leaves a
    /// place, or was held back for that search.
    pub(super) fn leaves_a_place(&self) -> bool {
        self.is_released() || (self.leaves_a_place && self.steps.is_empty())
    }

    /// Whether its search is not answered yet.
    pub(super) fn is_searching(&self) -> bool {
        self.stage == Stage::Searching
    }

    /// Its photos that were fetched and wait for the recogniser.
    pub(super) fn photos_waiting(&self) -> usize {
        let steps = self.steps.iter();
        let waiting = steps.filter(|step| matches!(step, Step::Recognise { .. }));
        waiting.count()
    }

    /// What is under way is noted when it comes; nothing more is begun.
    pub(super) fn drop(&mut self) {
        self.stage = Stage::Dropped;
        self.steps.clear();
    }

    /// Whether the photo that this command fetched waits for the recogniser.
    pub(super) fn has_photo(&self, by: CommandId) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Recognise { fetched_by, .. } => *fetched_by == by,
            Step::Fetch(_) => false,
        })
    }

    pub(super) fn has_waiting(&self, is_same: impl Fn(&Photo, &Fetched) -> bool) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Recognise { photo, fetched, .. } => is_same(photo, fetched),
            Step::Fetch(_) => false,
        })
    }
}

//! A survey: one query, and a look at each of its photos in turn.

use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::domain::{
    Binding, Confidence, EvidenceRef, Face, Failure, FailureKind, Hit, PersonIndex, PhotoDigest,
    PhotoFailure, Provider, Side,
};

use super::command::{Action, CommandId};
use super::input::Fetched;
use super::knowledge::PhotoMemory;
use super::machine::{Investigation, Purpose, Route, State};
use super::notice::Reason;
use super::subject::Subject;

/// A typed name that this many searches naming it have not shown is unknown.
const SEARCHES_UNTIL_UNKNOWN: u32 = 3;
/// Names that a status lists at most.
const NAMES_TOLD_MAX: usize = 6;

/// The photos of one query that are still to be looked at.
#[derive(Debug, Clone)]
pub(super) struct Survey {
    pub(super) query: String,
    photos: VecDeque<Hit>,
    photos_in_all: usize,
    /// Whether any photo could be looked at: a failure is never "not together".
    any_looked: bool,
    /// Asked now, not remembered.
    is_new: bool,
}

impl Survey {
    fn new(query: &str, hits: &[Hit], is_new: bool) -> Self {
        Self {
            query: query.to_owned(),
            photos: hits.iter().cloned().collect(),
            photos_in_all: hits.len(),
            any_looked: false,
            is_new,
        }
    }

    fn number(&self) -> usize {
        self.photos_in_all.saturating_sub(self.photos.len())
    }
}

impl Investigation {
    /// Looks at what a query finds. A query that was asked before is not paid for again.
    pub(super) fn begin_survey(&mut self, query: String, named: Vec<Subject>) {
        if let Some(asked) = self.knowledge.asked(&query) {
            self.survey = Some(Survey::new(&query, &asked.hits, false));
            return;
        }
        if let Err(reason) = self.spend.may_search(self.now) {
            self.state = State::Failure(reason);
            return;
        }
        let count = self.request.limits.images_per_search;
        self.status(format!("Searching for photos: “{query}”"));
        let action = Action::Search {
            query: query.clone(),
            count,
        };
        self.send(action, Purpose::Search { query, named });
    }

    pub(super) fn on_searched(
        &mut self,
        query: &str,
        named: Vec<Subject>,
        result: Result<Vec<Hit>, Failure>,
    ) {
        match result {
            Ok(mut hits) => {
                self.nonsense_in_a_row[0] = 0;
                let photos_max =
                    usize::try_from(self.request.limits.images_per_search).unwrap_or(usize::MAX);
                hits.truncate(photos_max);
                if hits.is_empty() {
                    self.status(format!("Nothing found for “{query}”."));
                }
                self.knowledge.note_query(query, named, hits.clone());
                self.survey = Some(Survey::new(query, &hits, true));
            }
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // Paid for and lost: not asked again, and no proof of anything.
                self.knowledge.note_query(query, named, Vec::new());
                self.note_nonsense(Provider::Search, &failure);
            }
            Err(failure) => self.end_with_failure(Provider::Search, &failure),
        }
    }

    /// Takes the next photo, or ends the survey.
    pub(super) fn step_survey(&mut self) {
        let Some(survey) = self.survey.as_mut() else {
            return;
        };
        let Some(hit) = survey.photos.pop_front() else {
            self.end_survey();
            return;
        };
        match self.knowledge.photo_at(&hit.image_url) {
            Some(PhotoMemory::Seen(reference)) => self.on_seen_again(reference),
            Some(PhotoMemory::Useless) => {}
            None => self.fetch(hit),
        }
    }

    fn fetch(&mut self, hit: Hit) {
        if let Err(reason) = self.spend.may_recognise(self.now) {
            self.state = State::Failure(reason);
            return;
        }
        let action = Action::Fetch {
            image_url: hit.image_url.clone(),
            thumbnail_url: hit.thumbnail_url.clone(),
        };
        self.send(action, Purpose::Fetch { hit });
    }

    pub(super) fn on_fetched(
        &mut self,
        fetched_by: CommandId,
        hit: Hit,
        result: Result<Fetched, PhotoFailure>,
    ) {
        let fetched = match result {
            Ok(fetched) => fetched,
            Err(failure) => {
                self.note_useless_photo(&hit, None, &failure);
                return;
            }
        };
        match self.knowledge.photo_of(&fetched.digest) {
            Some(memory) => {
                self.knowledge.note_photo(&hit.image_url, None, memory);
                if let PhotoMemory::Seen(reference) = memory {
                    self.on_seen_again(reference);
                }
            }
            None => match self.spend.may_recognise(self.now) {
                Ok(()) => {
                    let action = Action::Recognise { fetched_by };
                    self.send(action, Purpose::Recognise { hit, fetched });
                }
                Err(reason) => self.state = State::Failure(reason),
            },
        }
    }

    pub(super) fn on_recognised(
        &mut self,
        hit: &Hit,
        fetched: &Fetched,
        result: Result<Vec<Face>, Failure>,
    ) {
        let failure = match result {
            Ok(faces) => {
                self.nonsense_in_a_row[1] = 0;
                self.spend.photos.looked += 1;
                let query = self
                    .survey
                    .as_ref()
                    .map_or("", |survey| &survey.query)
                    .to_owned();
                let (reference, bindings) = self.knowledge.see(hit, fetched, &query, &faces);
                self.tell_bindings(&bindings);
                self.on_photo_shown(reference);
                return;
            }
            Err(failure) => failure,
        };
        match failure.kind {
            FailureKind::BadImage | FailureKind::TooLarge | FailureKind::Malformed => {
                let unreadable = PhotoFailure::Unreadable(failure.detail.clone());
                self.note_useless_photo(hit, Some(&fetched.digest), &unreadable);
                if failure.kind == FailureKind::Malformed {
                    self.note_nonsense(Provider::Recogniser, &failure);
                }
            }
            _ => self.end_with_failure(Provider::Recogniser, &failure),
        }
    }

    fn note_useless_photo(
        &mut self,
        hit: &Hit,
        digest: Option<&PhotoDigest>,
        failure: &PhotoFailure,
    ) {
        self.knowledge
            .note_photo(&hit.image_url, digest, PhotoMemory::Useless);
        let number = self.survey.as_ref().map_or(0, Survey::number);
        let message = match failure {
            PhotoFailure::Unfetchable(why) => {
                self.spend.photos.unfetchable += 1;
                format!("Photo {number} could not be fetched: {why}.")
            }
            PhotoFailure::Unreadable(why) => {
                self.spend.photos.unreadable += 1;
                format!("Photo {number} could not be read: {why}.")
            }
        };
        self.status(message);
    }

    fn on_seen_again(&mut self, reference: EvidenceRef) {
        self.spend.photos.repeated += 1;
        self.on_photo_shown(reference);
    }

    /// What a photo shows, new or remembered, is told and then acted upon.
    fn on_photo_shown(&mut self, reference: EvidenceRef) {
        if let Some(survey) = self.survey.as_mut() {
            survey.any_looked = true;
        }
        let message = self.describe_photo(reference);
        self.status(message);
        if self.knowledge.people.are_one() {
            self.state = State::Failure(Reason::NoCandidates);
            return;
        }
        match &self.route {
            Route::OneSided(_) => self.check_wanted_pair(reference),
            Route::BothEnds(_) => self.check_both_ends(),
        }
    }

    fn describe_photo(&self, reference: EvidenceRef) -> String {
        let Some(sighting) = self.knowledge.sighting(reference) else {
            return String::new();
        };
        let (number, all) = self
            .survey
            .as_ref()
            .map_or((0, 0), |survey| (survey.number(), survey.photos_in_all));
        let threshold = self.knowledge.threshold();
        let sure: Vec<&str> = sighting
            .faces
            .iter()
            .filter(|face| face.confidence >= threshold)
            .map(|face| self.knowledge.people.name(face.person))
            .collect();
        let unsure = sighting.faces.len() - sure.len();
        let mut message = match sure.as_slice() {
            [] => format!("Photo {number} of {all} shows nobody for certain"),
            names => format!("Photo {number} of {all} shows {}", listed(names)),
        };
        if unsure > 0 {
            // Writing to a String cannot fail.
            let _ = write!(message, ", and {unsure} below the threshold");
        }
        if let Some(missing) = self.missing_of_wanted(sighting, threshold) {
            let _ = write!(message, ", but not {missing}");
        }
        message.push('.');
        message
    }

    /// The one of the two wanted people who is not in a photo that shows the other.
    fn missing_of_wanted(
        &self,
        sighting: &crate::domain::Sighting,
        threshold: Confidence,
    ) -> Option<&str> {
        let (one, other) = self.wanted_subjects()?;
        let is_in = |subject: Subject| {
            let person: Option<PersonIndex> = self.knowledge.person_of(subject);
            person
                .and_then(|person| sighting.confidence_of(person))
                .is_some_and(|confidence| confidence >= threshold)
        };
        match (is_in(one), is_in(other)) {
            (true, false) => Some(self.knowledge.name_of(other)),
            (false, true) => Some(self.knowledge.name_of(one)),
            _ => None,
        }
    }

    fn tell_bindings(&mut self, bindings: &[Binding]) {
        for binding in bindings {
            let side = match binding {
                Binding::Bound(_) => continue,
                Binding::Namesake(side) | Binding::SamePerson(side) => *side,
            };
            let name = self.knowledge.people.typed_name(side).as_str();
            let message = match binding {
                Binding::SamePerson(_) => {
                    let other = self.knowledge.people.typed_name(side.other()).as_str();
                    format!("The recogniser takes {name} and {other} for one person.")
                }
                _ => format!(
                    "A second person named {name} was recognised; they are kept apart, and the \
                     search stays with the first."
                ),
            };
            self.status(message);
        }
    }

    fn end_survey(&mut self) {
        let Some(survey) = self.survey.take() else {
            return;
        };
        let counts = survey.is_new && (survey.any_looked || survey.photos_in_all == 0);
        if !counts {
            return;
        }
        let named = self
            .knowledge
            .asked(&survey.query)
            .map(|asked| asked.named.clone());
        for subject in named.unwrap_or_default() {
            let [naming_a, naming_b] = &mut self.searches_naming;
            match subject {
                Subject::Typed(Side::A) => *naming_a += 1,
                Subject::Typed(Side::B) => *naming_b += 1,
                Subject::Person(_) => {}
            }
        }
        if !self.unknown_sides().is_empty() {
            self.state = State::Failure(Reason::UnknownPerson);
        }
    }

    /// The typed names that enough searches have not shown.
    pub(super) fn unknown_sides(&self) -> Vec<Side> {
        [Side::A, Side::B]
            .into_iter()
            .zip(self.searches_naming)
            .filter(|(side, searches)| {
                *searches >= SEARCHES_UNTIL_UNKNOWN && self.knowledge.people.bound(*side).is_none()
            })
            .map(|(side, _)| side)
            .collect()
    }
}

/// `A`, `A and B`, `A, B and C`; a long list is cut with a count.
fn listed(names: &[&str]) -> String {
    let (told, rest) = names.split_at(names.len().min(NAMES_TOLD_MAX));
    if !rest.is_empty() {
        return format!("{} and {} more", told.join(", "), rest.len());
    }
    match told.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
        assert_eq!(
            listed(&["A", "B", "C", "D", "E", "F", "G", "H"]),
            "A, B, C, D, E, F and 2 more"
        );
    }
}

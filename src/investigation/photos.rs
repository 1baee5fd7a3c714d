//! A survey's photos: fetched, recognised, told and acted upon.

use std::fmt::Write as _;

use crate::domain::{
    Binding, Confidence, EvidenceRef, Failure, FailureKind, Pace, PersonIndex, PhotoDigest,
    PhotoFailure, Provider, Sighting,
};

use super::calls::Purpose;
use super::command::CommandId;
use super::input::{Fetched, Recognised};
use super::knowledge::PhotoMemory;
use super::machine::{Investigation, Route, State};
use super::notice::Reason;
use super::spend::ATTEMPTS_MAX;
use super::subject::Subject;
use super::survey::{Photo, Survey, SurveyNumber};

/// Names that a status lists at most.
const NAMES_TOLD_MAX: usize = 6;

impl Investigation {
    pub(super) fn on_fetched(
        &mut self,
        fetched_by: CommandId,
        survey: SurveyNumber,
        photo: Photo,
        result: Result<Fetched, PhotoFailure>,
    ) {
        self.answered(survey);
        match result {
            Ok(fetched) => self.queue_for_recogniser(survey, photo, fetched, fetched_by),
            Err(failure) => self.note_useless_photo(survey, &photo, None, &failure),
        }
    }

    pub(super) fn on_recognised(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        fetched: &Fetched,
        result: Result<Recognised, Failure>,
        attempts_max: u32,
    ) {
        let (query, named) = self
            .answered(survey)
            .map_or_else(Default::default, |survey| {
                (survey.query.clone(), survey.named.clone())
            });
        let failure = match result {
            Ok(recognised) => {
                self.nonsense_in_a_row[1] = 0;
                self.spend.photos.looked += 1;
                self.spend.photos.vetoed += u32::from(recognised.veto.is_some());
                let (reference, bindings) =
                    (self.knowledge).see(&photo.hit, fetched, &query, &named, &recognised);
                self.tell_bindings(survey, &bindings);
                self.on_photo_shown(survey, photo.number, reference);
                return;
            }
            Err(failure) => failure,
        };
        match failure.kind {
            FailureKind::BadImage | FailureKind::TooLarge | FailureKind::Malformed => {
                let unreadable = PhotoFailure::Unreadable(failure.detail.clone());
                self.note_useless_photo(survey, photo, Some(&fetched.digest), &unreadable);
                if failure.kind == FailureKind::Malformed {
                    self.note_nonsense(Provider::Recogniser, &failure);
                }
            }
            kind if kind.is_transient() && attempts_max < ATTEMPTS_MAX => {
                // Few attempts were left for it. It is no photo that was looked at: a later search
                // may have room for it. The third in a row is one too many.
                let number = photo.number;
                let message = format!("Photo {number} is left over: {}.", failure.detail);
                self.status_of(survey, message);
                self.note_nonsense(Provider::Recogniser, &failure);
            }
            _ => self.end_with_failure(Provider::Recogniser, &failure),
        }
    }

    /// What was seen in a photo was lost, and it may not be looked at again.
    pub(super) fn lose_photo(&mut self, survey: SurveyNumber, photo: &Photo) {
        self.answered(survey);
        let failure = PhotoFailure::Unreadable(
            "the answer was lost, and no further attempt is allowed".into(),
        );
        self.note_useless_photo(survey, photo, None, &failure);
    }

    fn note_useless_photo(
        &mut self,
        survey: SurveyNumber,
        photo: &Photo,
        digest: Option<&PhotoDigest>,
        failure: &PhotoFailure,
    ) {
        self.knowledge
            .note_photo(&photo.hit.image_url, digest, PhotoMemory::Useless);
        let number = photo.number;
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
        self.status_of(survey, message);
    }

    /// What a photo shows, new or remembered, is told and then acted upon.
    pub(super) fn on_photo_shown(
        &mut self,
        survey: SurveyNumber,
        number: usize,
        reference: EvidenceRef,
    ) {
        if let Some(survey) = self.survey_mut(survey) {
            survey.any_looked = true;
        }
        let message = self.describe_photo(self.survey(survey), number, reference);
        self.status_of(survey, message);
        if self.knowledge.people.are_one() {
            self.end_as(State::Failure(Reason::NoCandidates));
            return;
        }
        match &self.route {
            Route::OneSided(_) => self.check_wanted_pair(reference),
            Route::BothEnds(_) => self.check_both_ends(),
        }
        self.check_frugal(survey, reference);
    }

    /// The frugal pace looks no further once a photo proves the pair that a query names.
    fn check_frugal(&mut self, survey: SurveyNumber, reference: EvidenceRef) {
        if self.request.limits.pace != Pace::Frugal {
            return;
        }
        let named = self.survey(survey).map(|survey| survey.named.as_slice());
        let Some([one, other]) = named else {
            return;
        };
        let is_proven = self.are_shown(*one, *other, reference);
        if is_proven && let Some(survey) = self.survey_mut(survey) {
            survey.drop();
        }
    }

    /// Whether this photo proves that the two were together.
    pub(super) fn are_shown(&self, one: Subject, other: Subject, reference: EvidenceRef) -> bool {
        let people = (
            self.knowledge.person_of(one),
            self.knowledge.person_of(other),
        );
        let (Some(one), Some(other)) = people else {
            return false;
        };
        let edge = self.knowledge.together().edge(one, other);
        edge.is_some_and(|edge| edge.evidence().contains(&reference))
    }

    /// Tells something of a survey, from where in the search it was begun.
    pub(super) fn status_of(&mut self, survey: SurveyNumber, message: impl Into<String>) {
        let place = self.survey(survey).map(|survey| survey.place);
        self.status_at(place.unwrap_or_else(|| self.place()), message);
    }

    fn describe_photo(
        &self,
        survey: Option<&Survey>,
        number: usize,
        reference: EvidenceRef,
    ) -> String {
        let Some(sighting) = self.knowledge.sighting(reference) else {
            return String::new();
        };
        let all = survey.map_or(0, |survey| survey.photos_in_all);
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
        if let Some(veto) = sighting.veto {
            let reason = veto.reason();
            // Writing to a String cannot fail.
            let _ = write!(
                message,
                ", but it looks put together from several photos: {reason}; it proves nothing."
            );
            return message;
        }
        let wanted = survey.and_then(|survey| survey.wanted);
        if let Some(missing) = wanted.and_then(|two| self.missing_of(two, sighting, threshold)) {
            let _ = write!(message, ", but not {missing}");
        }
        message.push('.');
        message
    }

    /// The one of the two wanted people who is not in a photo that shows the other.
    fn missing_of(
        &self,
        (one, other): (Subject, Subject),
        sighting: &Sighting,
        threshold: Confidence,
    ) -> Option<&str> {
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

    fn tell_bindings(&mut self, survey: SurveyNumber, bindings: &[Binding]) {
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
            self.status_of(survey, message);
        }
    }

    /// Photos that are fetched now, and those that were and are not recognised yet.
    pub(super) fn photos_unpaid(&self) -> usize {
        let fetches = self.calls.values();
        let fetches = fetches.filter(|call| matches!(call.purpose, Purpose::Fetch { .. }));
        let waiting: usize = self.surveys.iter().map(Survey::photos_waiting).sum();
        fetches.count() + waiting
    }

    /// Photos whose bytes are held, or will be.
    pub(super) fn photos_in_hand(&self) -> usize {
        let recognised = self.calls.values();
        let recognised =
            recognised.filter(|call| matches!(call.purpose, Purpose::Recognise { .. }));
        recognised.count() + self.photos_unpaid()
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

//! Searches: begun, answered, lost and at their end.

use crate::domain::{Failure, FailureKind, Hit, Provider, Side};

use super::calls::Purpose;
use super::command::{Action, CommandId};
use super::input::Fetched;
use super::machine::{Investigation, State};
use super::notice::Reason;
use super::spend::{Kind, Permission};
use super::subject::Subject;
use super::survey::{Photo, Step, Survey, SurveyNumber};

/// A typed name that this many searches naming it have not shown is unknown.
const SEARCHES_UNTIL_UNKNOWN: u32 = 3;

impl Investigation {
    /// Looks at what a query finds. A query that was asked before is not paid for again.
    pub(super) fn begin_survey(&mut self, query: String, named: Vec<Subject>) {
        // It has looked at these; what it has left over is looked at where there is room.
        let known = self.knowledge.asked(&query).map(|asked| {
            let hits = asked.hits.iter().take(asked.looked_at);
            hits.cloned().collect::<Vec<Hit>>()
        });
        if known.is_none()
            && let Permission::Refused(reason) = self.spend.permission(Kind::Search, self.now)
        {
            self.end_as(State::Failure(reason));
            return;
        }
        self.release_held_back();
        let mut survey = self.new_survey(query.clone(), named.clone());
        survey.wanted = self.wanted_subjects();
        if let Some(hits) = known {
            survey.take_hits(&hits);
            self.surveys.push(survey);
            return;
        }
        survey.is_new = true;
        survey.under_way = 1;
        let number = survey.number;
        self.surveys.push(survey);
        self.status(format!("Searching for photos: “{query}”"));
        self.knowledge.note_query(&query, named);
        let count = self.hits_per_search();
        self.send(
            Action::Search { query, count },
            Purpose::Search { survey: number },
        );
    }

    /// A survey that is begun here and now, of photos that a query has found or will find.
    pub(super) fn new_survey(&mut self, query: String, named: Vec<Subject>) -> Survey {
        self.last_survey.0 = self.last_survey.0.saturating_add(1);
        Survey::new(self.last_survey, query, named, self.place())
    }

    pub(super) fn on_searched(&mut self, number: SurveyNumber, result: Result<Vec<Hit>, Failure>) {
        let Some(survey) = self.answered(number) else {
            return;
        };
        match result {
            Ok(hits) => self.on_found(number, hits),
            Err(failure) if failure.kind == FailureKind::Malformed => {
                // Paid for and lost: not asked again, and no proof of anything.
                survey.is_new = false;
                self.note_nonsense(Provider::Search, &failure);
            }
            Err(failure) => self.end_with_failure(Provider::Search, &failure),
        }
    }

    /// What a search found was lost, and it may not be made again: no proof of anything.
    pub(super) fn lose_search(&mut self, number: SurveyNumber) {
        if let Some(survey) = self.answered(number) {
            survey.is_new = false;
            let (query, place) = (survey.query.clone(), survey.place);
            let message = format!("The answer to “{query}” was lost; it may not be asked again.");
            self.status_at(place, message);
        }
    }

    fn on_found(&mut self, number: SurveyNumber, mut hits: Vec<Hit>) {
        hits.truncate(usize::try_from(self.hits_per_search()).unwrap_or(usize::MAX));
        let first = self.first_of(&hits);
        self.found.searches += 1;
        self.nonsense_in_a_row[0] = 0;
        let Some(survey) = self.survey_mut(number) else {
            return;
        };
        let (query, place) = (survey.query.clone(), survey.place);
        // Nobody waits any more for what a dropped one would show.
        let is_awaited = !survey.is_dropped();
        if is_awaited {
            survey.take_hits(hits.get(..first.looked_at).unwrap_or(&hits));
        }
        if hits.is_empty() {
            self.status_at(place, format!("Nothing found for “{query}”."));
        }
        self.knowledge.note_hits(&query, hits, first.looked_at);
        if is_awaited {
            self.hold_back_of(number);
            self.look_at_leftovers(first.missing);
        }
    }

    /// The survey of this number, one of its calls less under way.
    pub(super) fn answered(&mut self, number: SurveyNumber) -> Option<&mut Survey> {
        let survey = self.survey_mut(number)?;
        survey.under_way = survey.under_way.saturating_sub(1);
        Some(survey)
    }

    pub(super) fn survey(&self, number: SurveyNumber) -> Option<&Survey> {
        self.surveys.iter().find(|survey| survey.number == number)
    }

    pub(super) fn survey_mut(&mut self, number: SurveyNumber) -> Option<&mut Survey> {
        self.surveys
            .iter_mut()
            .find(|survey| survey.number == number)
    }

    /// A fetched photo waits for the recogniser, before all that is still to be fetched.
    pub(super) fn queue_for_recogniser(
        &mut self,
        number: SurveyNumber,
        photo: Photo,
        fetched: Fetched,
        fetched_by: CommandId,
    ) {
        if let Some(survey) = self.survey_mut(number).filter(|one| !one.is_dropped()) {
            let waiting = survey.steps.iter();
            let before = waiting.take_while(|step| matches!(step, Step::Recognise { .. }));
            let place = before.count();
            survey.steps.insert(
                place,
                Step::Recognise {
                    photo,
                    fetched,
                    fetched_by,
                },
            );
        }
    }

    /// Nobody waits any more for what the surveys may still show; what is under way is noted when
    /// it comes.
    pub(super) fn drop_surveys(&mut self) {
        for survey in &mut self.surveys {
            survey.drop();
        }
    }

    pub(super) fn end_survey(&mut self, survey: &Survey) {
        let counts = survey.is_new
            && !survey.is_dropped()
            && (survey.any_looked || survey.photos_in_all == 0);
        for subject in survey.named.iter().filter(|_| counts) {
            let [naming_a, naming_b] = &mut self.searches_naming;
            match subject {
                Subject::Typed(Side::A) => *naming_a += 1,
                Subject::Typed(Side::B) => *naming_b += 1,
                Subject::Person(_) => {}
            }
        }
        let unknown = self.unknown_sides();
        if unknown.into_iter().any(|side| !self.has_leftovers_of(side)) {
            self.end_as(State::Failure(Reason::UnknownPerson));
        }
    }

    /// Whether photos that earlier searches for somebody left over are looked at now.
    fn has_leftovers_of(&self, side: Side) -> bool {
        let subject = Subject::Typed(side);
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| !survey.is_new && survey.named.contains(&subject))
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

//! The planner: asked with a closed table, believed only as far as the table goes.

use std::collections::VecDeque;

use crate::domain::{Failure, FailureKind, PersonIndex, PlanAnswer, PlanQuestion, Side, fold};

use super::calls::Purpose;
use super::command::Action;
use super::machine::{Investigation, Route, State};
use super::query;
use super::ranking::{Candidate, rows};
use super::spend::Kind;

/// The longest narration that is told, in characters.
pub const NARRATION_CHARS_MAX: usize = 280;
/// Candidates taken of one answer at most.
//= spec S3 "1-2 items recommended"
const CANDIDATES_MAX: usize = 2;
/// After so many failures in a row it is not asked again.
const FAILURES_MAX: u32 = 2;

/// What the planner said last, and whether it is still asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Planner {
    suggested: VecDeque<PersonIndex>,
    queries: Vec<String>,
    narration: Option<String>,
    failures_in_a_row: u32,
    is_given_up: bool,
    told_budget: bool,
}

impl Planner {
    /// What was said of one table is no advice for another.
    pub(super) fn forget_suggestions(&mut self) {
        self.suggested.clear();
        self.queries.clear();
        self.narration = None;
    }

    /// The next suggested person who is still in the table.
    pub(super) fn take_suggestion(&mut self, table: &[Candidate]) -> Option<PersonIndex> {
        while let Some(person) = self.suggested.pop_front() {
            if table.iter().any(|candidate| candidate.person == person) {
                return Some(person);
            }
        }
        None
    }

    /// The suggested queries among these, taken; those for the next suggested person stay.
    pub(super) fn take_queries(&mut self, own: &[String]) -> Vec<String> {
        let (taken, kept) = std::mem::take(&mut self.queries)
            .into_iter()
            .partition(|query| own.contains(query));
        self.queries = kept;
        taken
    }

    /// The sentence that goes with the next choice.
    pub(super) fn take_narration(&mut self) -> Option<String> {
        self.narration.take()
    }
}

impl Investigation {
    /// Asks the planner if there is something to choose and it may be asked. True where asked.
    //= spec S3
    pub(super) fn ask_planner(&mut self, table: &[Candidate], frontier: &str) -> bool {
        if table.len() < 2 || self.planner.is_given_up || self.spend.time_left_ms(self.now) == 0 {
            return false;
        }
        let calls = self.spend.allowance(Kind::Plan);
        if calls.left() == 0 {
            if self.has_planner() && !self.planner.told_budget {
                self.planner.told_budget = true;
                self.status("The planner's calls are used up; from here on the ranking decides.");
            }
            return false;
        }
        let people = table.iter().take(super::ranking::TABLE_ROWS_MAX);
        let people: Vec<PersonIndex> = people.map(|candidate| candidate.person).collect();
        let allowed_queries = self.allowed_queries(&people, frontier);
        let question = PlanQuestion {
            person_a: self.request.person_a.as_str().to_owned(),
            person_b: self.request.person_b.as_str().to_owned(),
            frontier: frontier.to_owned(),
            candidates: rows(table),
            allowed_queries: allowed_queries.clone(),
            hops_left: self.hops_left(),
            // An interruption shall not change the advice: the same question, the same answer.
            searches_left: self.spend.allowance(Kind::Search).unspent_but_for_losses(),
            may_guess: matches!(self.route, Route::BothEnds(_)),
            recognitions_left: (self.spend.allowance(Kind::Recognition)).unspent_but_for_losses(),
        };
        self.send(
            Action::Plan(question),
            Purpose::Plan {
                table: people,
                allowed_queries,
            },
        );
        true
    }

    /// Whether this run may ask a planner at all.
    pub(super) fn has_planner(&self) -> bool {
        self.spend.allowance(Kind::Plan).limit() > 0
    }

    /// Whether the next choice is the planner's, who is to know all that there is to know.
    pub(super) fn would_ask_planner(&self) -> bool {
        let has_advice = !self.planner.suggested.is_empty() || !self.guesses.is_empty();
        let is_usable = !self.planner.is_given_up && self.spend.allowance(Kind::Plan).left() > 0;
        is_usable && !has_advice
    }

    fn hops_left(&self) -> u32 {
        let depth = match &self.route {
            Route::OneSided(route) => route.accepted_edges(),
            Route::BothEnds(route) => route.frontier.map_or(0, |frontier| frontier.depth),
        };
        self.request.limits.hops.saturating_sub(depth)
    }

    /// The templates with the table's names: nothing else may be searched for.
    fn allowed_queries(&self, people: &[PersonIndex], frontier: &str) -> Vec<String> {
        let mut allowed = Vec::new();
        for person in people {
            let name = self.knowledge.people.name(*person);
            match &self.route {
                Route::OneSided(_) => {
                    allowed.push(query::pair(frontier, name));
                    allowed.push(query::pair_event(frontier, name));
                }
                Route::BothEnds(_) => {
                    let discovery = (0..query::DISCOVERY.len())
                        .filter_map(|template| query::discovery(name, template));
                    allowed.extend(discovery);
                    for side in [Side::A, Side::B] {
                        let typed = self.knowledge.people.typed_name(side).as_str();
                        let mut naming_both = query::naming_both(name, typed).into_iter();
                        if !naming_both.any(|query| self.knowledge.asked(&query).is_some()) {
                            allowed.push(query::pair(name, typed));
                        }
                    }
                }
            }
        }
        allowed.retain(|query| self.knowledge.asked(query).is_none());
        allowed
    }

    /// Holds the planner's answer against the table; its failure never ends a run.
    pub(super) fn on_planned(
        &mut self,
        table: &[PersonIndex],
        allowed_queries: &[String],
        result: Result<PlanAnswer, Failure>,
    ) {
        // While it was asked a chain was proven by what was under way.
        if !matches!(self.state, State::Choice { .. }) {
            return;
        }
        self.state = State::Choice {
            planner_answered: true,
        };
        match result {
            Ok(answer) => {
                self.planner.failures_in_a_row = 0;
                self.take_plan(table, allowed_queries, &answer);
            }
            Err(failure) => self.note_planner_failure(&failure),
        }
    }

    fn take_plan(
        &mut self,
        table: &[PersonIndex],
        allowed_queries: &[String],
        answer: &PlanAnswer,
    ) {
        let named = |name: &String| {
            let folded = fold(name);
            let mut people = table.iter().copied();
            people.find(|person| fold(self.knowledge.people.name(*person)) == folded)
        };
        let mut suggested: VecDeque<PersonIndex> = VecDeque::new();
        for person in answer.next_candidates.iter().filter_map(named) {
            if suggested.len() < CANDIDATES_MAX && !suggested.contains(&person) {
                suggested.push_back(person);
            }
        }
        let proposed: Vec<String> = answer
            .search_queries
            .iter()
            .map(|query| fold(query))
            .collect();
        let queries = allowed_queries
            .iter()
            .filter(|query| proposed.contains(&fold(query)));
        self.planner.queries = queries.cloned().collect();
        self.planner.narration = readable_narration(&answer.narration);
        self.take_guesses(answer);
        if suggested.is_empty() && self.guesses.is_empty() {
            self.planner.narration = None;
            self.status("The planner named nobody of the table; the ranking decides.");
        }
        self.planner.suggested = suggested;
    }

    fn note_planner_failure(&mut self, failure: &Failure) {
        self.planner.failures_in_a_row += 1;
        let is_final = matches!(
            failure.kind,
            FailureKind::Quota
                | FailureKind::Closed
                | FailureKind::Refused
                | FailureKind::Misconfigured
        );
        let detail = &failure.detail;
        if is_final || self.planner.failures_in_a_row >= FAILURES_MAX {
            self.planner.is_given_up = true;
            self.status(format!(
                "The planner is not asked again ({detail}); the ranking decides."
            ));
        } else {
            self.status(format!(
                "The planner gave no plan ({detail}); the ranking decides."
            ));
        }
    }
}

/// One line of bounded length without control characters, or nothing.
fn readable_narration(narration: &str) -> Option<String> {
    let words = narration.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = words
        .chars()
        .filter(|c| !c.is_control())
        .take(NARRATION_CHARS_MAX)
        .collect();
    (!clean.is_empty()).then_some(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narration_is_one_bounded_line() {
        assert_eq!(readable_narration(" a\n b\u{0} "), Some("a b".into()));
        assert_eq!(readable_narration(" \n "), None);
        assert_eq!(
            readable_narration(&"x".repeat(999)).map(|text| text.len()),
            Some(280)
        );
    }
}

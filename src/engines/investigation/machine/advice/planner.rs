//! The planner: asked with a closed table, believed only as far as the table goes.

use std::collections::VecDeque;

use crate::domain::{Failure, FailureKind, PersonIndex, PlanAnswer, PlanQuestion, fold};
use crate::engines::investigation::machine::budget::{Budget, CallKind};
use crate::engines::investigation::machine::facts::{Facts, Query};
use crate::engines::investigation::machine::interface::Reason;
use crate::engines::investigation::machine::state::Move;
use crate::engines::investigation::machine::telling::Teller;

use super::candidate::{Candidate, TABLE_ROWS_MAX, numbered_rows};
use super::guesses::Guesses;

/// The longest narration that is told, in characters.
pub const NARRATION_CHARS_MAX: usize = 280;
/// Candidates taken of one answer at most.
//= spec S3 "1-2 items recommended"
const CANDIDATES_MAX: usize = 2;
/// After so many failures in a row it is not asked again.
const FAILURES_MAX: u32 = 2;

/// What the planner said last, and whether it is still asked.
#[derive(Debug, Clone)]
pub struct Advice {
    /// Whether people may be guessed whom nobody has seen yet.
    may_guess: bool,
    suggested: VecDeque<PersonIndex>,
    queries: Vec<String>,
    narration: Option<String>,
    guesses: Guesses,
    failures_in_a_row: u32,
    is_given_up: bool,
    told_budget: bool,
}

/// What a plan asks the planner about.
#[derive(Debug)]
pub struct Consultation<'run> {
    pub table: &'run [&'run Candidate],
    /// The name of whose surroundings were looked at last.
    pub frontier: &'run str,
    /// Edges from the side's start to there.
    pub depth: u32,
    /// The only queries that may be proposed.
    pub allowed_queries: Vec<String>,
}

impl Advice {
    pub fn new(may_guess: bool) -> Self {
        Self {
            may_guess,
            suggested: VecDeque::new(),
            queries: Vec::new(),
            narration: None,
            guesses: Guesses::default(),
            failures_in_a_row: 0,
            is_given_up: false,
            told_budget: false,
        }
    }

    /// What was said of one table is no advice for another.
    pub fn forget_suggestions(&mut self) {
        self.suggested.clear();
        self.queries.clear();
        self.narration = None;
    }

    /// The next suggested person who is still in the table.
    pub fn take_suggestion<'table>(
        &mut self,
        table: &[&'table Candidate],
    ) -> Option<&'table Candidate> {
        while let Some(person) = self.suggested.pop_front() {
            let mut rows = table.iter().copied();
            if let Some(row) = rows.find(|candidate| candidate.person == person) {
                return Some(row);
            }
        }
        None
    }

    /// The suggested queries among these, taken; those for the next suggested person stay.
    pub fn take_queries(&mut self, own: &[Query]) -> Vec<Query> {
        let mut taken = Vec::new();
        self.queries.retain(|text| {
            let query = own.iter().find(|query| query.text() == text);
            taken.extend(query.cloned());
            query.is_none()
        });
        taken
    }

    /// The sentence that goes with the next choice.
    pub fn take_narration(&mut self) -> Option<String> {
        self.narration.take()
    }

    pub fn guesses(&mut self) -> &mut Guesses {
        &mut self.guesses
    }

    /// Whether the next choice is the planner's, who is to know all that there is to know.
    pub fn would_ask(&self, budget: &Budget) -> bool {
        let has_advice = !self.suggested.is_empty() || !self.guesses.is_empty();
        let is_usable = !self.is_given_up && budget.left(CallKind::Planner) > 0;
        is_usable && !has_advice
    }

    /// Whether there is something to choose and the planner may be asked; that its calls are used
    /// up is told once.
    pub fn may_ask(&mut self, rows: usize, budget: &Budget, teller: &mut Teller) -> bool {
        if rows < 2 || self.is_given_up || budget.time_left_ms() == 0 {
            return false;
        }
        if budget.left(CallKind::Planner) == 0 {
            // What is only kept for calls under way may come back.
            let is_over = budget.unspent(CallKind::Planner) == 0;
            if has_planner(budget) && is_over && !self.told_budget {
                self.told_budget = true;
                let what = match budget.refusal(CallKind::Planner) {
                    Some(Reason::UsdBudget) => "There are no dollars left for the planner",
                    _ => "The planner's calls are used up",
                };
                teller.status(format!("{what}; from here on the ranking decides."));
            }
            return false;
        }
        true
    }

    /// The question, with what the run may still do.
    pub fn ask(&self, consultation: Consultation, facts: &Facts, budget: &Budget) -> Move {
        let unspent = |kind| budget.allowance(kind).unspent_but_for_losses();
        let people = consultation.table.iter().take(TABLE_ROWS_MAX);
        let people = people.map(|candidate| candidate.person).collect();
        let question = PlanQuestion {
            person_a: facts.request().person_a.as_str().to_owned(),
            person_b: facts.request().person_b.as_str().to_owned(),
            frontier: consultation.frontier.to_owned(),
            candidates: numbered_rows(consultation.table),
            allowed_queries: consultation.allowed_queries,
            hops_left: facts.limits().hops.saturating_sub(consultation.depth),
            // An interruption shall not change the advice: the same question, the same answer.
            searches_left: unspent(CallKind::Search),
            may_guess: self.may_guess,
            recognitions_left: unspent(CallKind::Recognition),
        };
        Move::Ask {
            question: Box::new(question),
            people,
        }
    }

    /// Holds the planner's answer against the table; its failure never ends a run.
    pub fn take_answer(
        &mut self,
        (table, allowed_queries): (&[PersonIndex], &[String]),
        result: Result<PlanAnswer, Failure>,
        facts: &Facts,
        teller: &mut Teller,
    ) {
        match result {
            Ok(answer) => {
                self.failures_in_a_row = 0;
                self.take_advice(table, allowed_queries, &answer, facts, teller);
            }
            Err(failure) => self.note_failure(&failure, teller),
        }
    }

    fn take_advice(
        &mut self,
        table: &[PersonIndex],
        allowed_queries: &[String],
        answer: &PlanAnswer,
        facts: &Facts,
        teller: &mut Teller,
    ) {
        let named = |name: &String| {
            let folded = fold(name);
            let mut people = table.iter().copied();
            people.find(|person| fold(facts.name(*person)) == folded)
        };
        let mut suggested: VecDeque<PersonIndex> = VecDeque::new();
        for person in answer.next_candidates.iter().filter_map(named) {
            if suggested.len() < CANDIDATES_MAX && !suggested.contains(&person) {
                suggested.push_back(person);
            }
        }
        let proposed = answer.search_queries.iter();
        let proposed: Vec<String> = proposed.map(|query| fold(query)).collect();
        let queries = allowed_queries.iter();
        let queries = queries.filter(|query| proposed.contains(&fold(query)));
        self.queries = queries.cloned().collect();
        self.narration = readable_narration(&answer.narration);
        if self.may_guess {
            self.guesses.take(answer, facts);
        }
        if suggested.is_empty() && self.guesses.is_empty() {
            self.narration = None;
            teller.status("The planner named nobody of the table; the ranking decides.");
        }
        self.suggested = suggested;
    }

    fn note_failure(&mut self, failure: &Failure, teller: &mut Teller) {
        if !failure.kind.is_handed_over() {
            self.failures_in_a_row += 1;
        }
        let is_final = matches!(
            failure.kind,
            FailureKind::Quota
                | FailureKind::Closed
                | FailureKind::Refused
                | FailureKind::Misconfigured
        );
        let detail = &failure.detail;
        if is_final || self.failures_in_a_row >= FAILURES_MAX {
            self.is_given_up = true;
            teller.status(format!(
                "The planner is not asked again ({detail}); the ranking decides."
            ));
        } else {
            teller.status(format!(
                "The planner gave no plan ({detail}); the ranking decides."
            ));
        }
    }
}

/// Whether a run may ask a planner at all.
pub fn has_planner(budget: &Budget) -> bool {
    budget.allowance(CallKind::Planner).limit() > 0
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

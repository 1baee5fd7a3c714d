//! Help in choosing whom to try next: the table of candidates, and the planner, whose advice counts only as far as it
//! fits the table.

use std::collections::{BTreeSet, VecDeque};

use domain::{
    CandidateRow, Confidence, Failure, FailureKind, Name, PlanAnswer, PlanQuestion, Side, fold,
};

use super::budget::{Budget, CallKind};
use super::facts::{Facts, Query, Subject};
use super::interface::Reason;
use super::states::Move;
use super::telling::Teller;

/// The longest reported narration, in characters.
pub const NARRATION_CHARS_MAX: usize = 280;

/// The most candidates taken from one answer.
//= spec S3 "1-2 items recommended"
const CANDIDATES_MAX: usize = 2;

/// The number of consecutive failures after which the planner is not asked again.
const FAILURES_MAX: u32 = 2;

/// The most rows of the table that the planner sees.
pub const TABLE_ROWS_MAX: usize = 20;

/// The most guesses taken from one answer.
const GUESSES_PER_ANSWER_MAX: usize = 2;

/// The most guesses taken in one run: each may cost two searches.
const GUESSES_MAX: usize = 6;

/// The planner's last answer, and whether the planner may be asked again.
#[derive(Debug, Clone)]
pub struct Advice {
    /// Whether the planner may guess people who were not seen yet.
    may_guess: bool,
    suggested: VecDeque<Subject>,
    queries: Vec<String>,
    narration: Option<String>,
    guesses: Guesses,
    failures_in_a_row: u32,
    is_given_up: bool,
    told_budget: bool,
}

/// A plan's question for the planner.
#[derive(Debug)]
pub struct Consultation<'run> {
    pub table: &'run [&'run Candidate],
    /// The name of the frontier: the person whose surroundings were searched last.
    pub frontier: &'run str,
    /// The number of edges from the side's start to the frontier.
    pub depth: u32,
    /// The queries that the planner may propose.
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

    /// Drops the suggestions, because those for one table do not fit the next.
    pub fn forget_suggestions(&mut self) {
        self.suggested.clear();
        self.queries.clear();
        self.narration = None;
    }

    /// Takes the next suggested person who is still in the table.
    pub fn take_suggestion<'table>(
        &mut self,
        table: &[&'table Candidate],
    ) -> Option<&'table Candidate> {
        while let Some(person) = self.suggested.pop_front() {
            let mut rows = table.iter().copied();
            if let Some(row) = rows.find(|candidate| candidate.subject == person) {
                return Some(row);
            }
        }
        None
    }

    /// Takes the suggested queries that are among `own`. Queries that fit only the next suggested person stay.
    pub fn take_queries(&mut self, own: &[Query]) -> Vec<Query> {
        let mut taken = Vec::new();
        self.queries.retain(|text| {
            let query = own.iter().find(|query| query.text() == text);
            taken.extend(query.cloned());
            query.is_none()
        });
        taken
    }

    /// Takes the narration of the next choice.
    pub fn take_narration(&mut self) -> Option<String> {
        self.narration.take()
    }

    pub fn guesses(&mut self) -> &mut Guesses {
        &mut self.guesses
    }

    /// Returns whether the planner would be asked for the next choice. If so, the choice should wait until all calls in
    /// flight are answered.
    pub fn would_ask(&self, budget: &Budget) -> bool {
        let has_advice = !self.suggested.is_empty() || !self.guesses.is_empty();
        let is_usable = !self.is_given_up && budget.left(CallKind::Planner) > 0;
        is_usable && !has_advice
    }

    /// Returns whether there is something to choose and the planner may be asked. When no more planner calls are
    /// allowed, reports that once.
    pub fn may_ask(&mut self, rows: usize, budget: &Budget, teller: &mut Teller) -> bool {
        if rows < 2 || self.is_given_up || budget.time_left_ms() == 0 {
            return false;
        }
        if budget.left(CallKind::Planner) == 0 {
            // `unspent` includes attempts that are reserved for calls in flight, because they may be released again.
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

    /// Builds the question for the planner, with the budget that is left.
    pub fn ask(&self, consultation: Consultation, facts: &Facts, budget: &Budget) -> Move {
        let unspent = |kind| budget.allowance(kind).unspent_but_for_losses();
        let people = consultation
            .table
            .iter()
            .take(TABLE_ROWS_MAX)
            .map(|candidate| candidate.subject)
            .collect();
        let question = PlanQuestion {
            person_a: facts.request().person_a.as_str().to_owned(),
            person_b: facts.request().person_b.as_str().to_owned(),
            frontier: consultation.frontier.to_owned(),
            candidates: numbered_rows(consultation.table),
            allowed_queries: consultation.allowed_queries,
            hops_left: facts.limits().hops.saturating_sub(consultation.depth),
            // Attempts whose answers were lost in an interruption count as left, so that a resumed run asks the same
            // question as an uninterrupted one.
            searches_left: unspent(CallKind::Search),
            may_guess: self.may_guess,
            recognitions_left: unspent(CallKind::Recognition),
        };
        Move::Ask {
            question: Box::new(question),
            people,
        }
    }

    /// Checks the planner's answer against the table. A failure of the planner never ends a run.
    pub fn take_answer(
        &mut self,
        (table, allowed_queries): (&[Subject], &[String]),
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
        table: &[Subject],
        allowed_queries: &[String],
        answer: &PlanAnswer,
        facts: &Facts,
        teller: &mut Teller,
    ) {
        let named = |name: &String| {
            let folded = fold(name);
            let mut people = table.iter().copied();
            people.find(|person| fold(facts.knowledge().name_of(*person)) == folded)
        };
        let mut suggested: VecDeque<Subject> = VecDeque::new();
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
        let detail = failure.detail();
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

/// Returns whether a run may ask a planner at all.
pub fn has_planner(budget: &Budget) -> bool {
    budget.allowance(CallKind::Planner).limit() > 0
}

/// Returns the narration as one line of bounded length without control characters; `None` if nothing is left.
fn readable_narration(narration: &str) -> Option<String> {
    let words = narration.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = words
        .chars()
        .filter(|c| !c.is_control())
        .take(NARRATION_CHARS_MAX)
        .collect();
    (!clean.is_empty()).then_some(clean)
}

/// A person who may be tried next.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub subject: Subject,
    pub side: Side,
    /// The number of edges from the side's start.
    pub depth: u32,
    /// In the one-sided plan, the number of photos with the frontier. In the both-ends plan, the number of photos found
    /// by other people's queries.
    pub count: usize,
    /// The number of different people seen with the candidate.
    pub degree: usize,
    pub best_confidence: Confidence,
    pub name: String,
}

impl Candidate {
    fn row(&self, number: usize) -> CandidateRow {
        CandidateRow {
            number,
            name: self.name.clone(),
            count: self.count,
            best_confidence: self.best_confidence.percent(),
            side: self.side,
        }
    }
}

/// Returns the table's first rows, numbered from 1.
pub fn numbered_rows(table: &[&Candidate]) -> Vec<CandidateRow> {
    (1..)
        .zip(table)
        .take(TABLE_ROWS_MAX)
        .map(|(number, candidate)| candidate.row(number))
        .collect()
}

/// The guesses of the planner.
#[derive(Debug, Clone, Default)]
pub struct Guesses {
    /// The people to search for, each with a side. The search also names the person of the request on that side.
    waiting: VecDeque<(Name, Side)>,
    /// The folded names of all people guessed so far.
    taken: BTreeSet<String>,
}

impl Guesses {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the guesses in an answer. Names that were guessed before and people who were seen are left out.
    pub fn take(&mut self, answer: &PlanAnswer, facts: &Facts) {
        let typed = [Side::A, Side::B].map(|side| facts.people().typed_name(side).folded());
        let mut of_answer = 0;
        for text in &answer.hypotheses {
            let Ok(name) = Name::parse(text) else {
                continue;
            };
            let folded = name.folded();
            let is_new = !typed.contains(&folded)
                && !facts.is_avoided(&folded)
                && !is_recognised(facts, &folded)
                && !self.taken.contains(&folded);
            let has_room = of_answer < GUESSES_PER_ANSWER_MAX && self.taken.len() < GUESSES_MAX;
            if is_new && has_room {
                of_answer += 1;
                self.taken.insert(folded);
                self.waiting.push_back((name, Side::A));
            }
        }
    }

    /// Returns the next guessed person to search for, and the side whose person of the request the search also names.
    pub fn next(&self) -> Option<(Name, Side)> {
        self.waiting.front().cloned()
    }

    /// Removes the next guess, which is being searched for or was dropped.
    pub fn remove_next(&mut self) {
        self.waiting.pop_front();
    }

    /// Makes a guess that was searched for together with A the next one, to be searched for together with B.
    pub fn add_beside_b(&mut self, name: Name) {
        self.waiting.push_front((name, Side::B));
    }
}

/// Returns whether the recogniser has named somebody with this folded name.
pub fn is_recognised(facts: &Facts, folded: &str) -> bool {
    let mut people = facts.people().iter();
    people.any(|(_, person)| person.folded_names.contains(folded))
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

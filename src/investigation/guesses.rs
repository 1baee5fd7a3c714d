//! Guesses: people whom the planner believes to stand between A and B although nobody has seen
//! them yet. They are searched for beside A and then beside B; only a photo makes them more.

use std::collections::{BTreeSet, VecDeque};

use crate::domain::{Name, PlanAnswer, Side};

use super::both_ends::Frontier;
use super::machine::{Investigation, Route, State};
use super::notice::Told;
use super::query;
use super::ranking::Candidate;
use super::subject::Subject;

/// Guesses taken of one answer at most.
const GUESSES_PER_ANSWER_MAX: usize = 2;
/// Guesses taken in one run at most: each may cost two searches.
const GUESSES_MAX: usize = 6;

/// What the planner has guessed.
#[derive(Debug, Clone, Default)]
pub(super) struct Guesses {
    /// Whom to look for, and beside whom.
    waiting: VecDeque<(Name, Side)>,
    /// Everybody guessed so far, by folded name.
    taken: BTreeSet<String>,
}

impl Guesses {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl Investigation {
    /// Takes the guesses of an answer: names of people whom nobody has seen, each once.
    pub(super) fn take_guesses(&mut self, answer: &PlanAnswer) {
        if matches!(self.route, Route::OneSided(_)) {
            return;
        }
        let typed = [Side::A, Side::B].map(|side| self.knowledge.people.typed_name(side).folded());
        let mut of_answer = 0;
        for text in &answer.hypotheses {
            let Ok(name) = Name::parse(text) else {
                continue;
            };
            let folded = name.folded();
            let is_new = !typed.contains(&folded)
                && !self.avoided.contains(&folded)
                && !self.is_recognised(&folded)
                && !self.guesses.taken.contains(&folded);
            let has_room =
                of_answer < GUESSES_PER_ANSWER_MAX && self.guesses.taken.len() < GUESSES_MAX;
            if is_new && has_room {
                of_answer += 1;
                self.guesses.taken.insert(folded);
                self.guesses.waiting.push_back((name, Side::A));
            }
        }
    }

    /// Looks for the next guess. True where a search was begun.
    pub(super) fn try_guess(&mut self, table: &[Candidate]) -> bool {
        while let Some((name, side)) = self.guesses.waiting.front().cloned() {
            if side == Side::B && self.is_looked_for_beside_a(&name) {
                // What is under way says whether there is such a person at all.
                return false;
            }
            self.guesses.waiting.pop_front();
            // A name that the first search has not shown once is no name that helps.
            let is_in_vain = side == Side::B && !self.is_recognised(&name.folded());
            let query = self.guess_query(&name, side);
            if is_in_vain || self.knowledge.asked(&query).is_some() {
                continue;
            }
            if side == Side::A {
                self.guesses.waiting.push_front((name.clone(), Side::B));
            }
            self.begin_guess(table, &name, side, query);
            return true;
        }
        false
    }

    fn begin_guess(&mut self, table: &[Candidate], name: &Name, side: Side, query: String) {
        let guess = name.as_str();
        if let Route::BothEnds(route) = &mut self.route {
            route.note(&query, &[], None);
            route.frontier = Some(Frontier {
                side,
                subject: Subject::Typed(side),
                depth: 0,
            });
        }
        let beside = self.knowledge.people.typed_name(side).as_str().to_owned();
        self.note_decision(
            table,
            guess,
            "a guess of the planner, to be proven by photos",
        );
        let mut status = self.status_from(
            self.place(),
            format!(
                "The planner guesses that {guess} stands between; looking for {guess} beside \
                 {beside}."
            ),
        );
        status.guess = Some(guess.to_owned());
        self.tell(Told::Status(status));
        self.state = State::Discovery;
        self.begin_survey(query, vec![Subject::Typed(side)]);
    }

    fn guess_query(&self, name: &Name, side: Side) -> String {
        let typed = self.knowledge.people.typed_name(side).as_str();
        match side {
            Side::A => query::pair(typed, name.as_str()),
            Side::B => query::pair(name.as_str(), typed),
        }
    }

    fn is_looked_for_beside_a(&self, name: &Name) -> bool {
        let query = self.guess_query(name, Side::A);
        self.surveys.iter().any(|survey| survey.query == query)
    }

    fn is_recognised(&self, folded: &str) -> bool {
        let mut people = self.knowledge.people.iter();
        people.any(|(_, person)| person.folded_names.contains(folded))
    }
}

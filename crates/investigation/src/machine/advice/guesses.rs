//! Guesses: people whom the planner believes to stand between A and B although nobody has seen
//! them yet. They are searched for beside A and then beside B; only a photo makes them more.

use std::collections::{BTreeSet, VecDeque};

use domain::{Name, PlanAnswer, Side};

use crate::machine::facts::Facts;

/// The most guesses that are taken of one answer.
const GUESSES_PER_ANSWER_MAX: usize = 2;
/// The most guesses that are taken in one run: each may cost two searches.
const GUESSES_MAX: usize = 6;

/// The guesses of the planner.
#[derive(Debug, Clone, Default)]
pub struct Guesses {
    /// The people to look for, each with the side beside which to look.
    waiting: VecDeque<(Name, Side)>,
    /// The folded names of everybody guessed so far.
    taken: BTreeSet<String>,
}

impl Guesses {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the guesses of an answer: the names of people whom nobody has seen, each once.
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

    /// Returns the person to be looked for next, and beside which side.
    pub fn next(&self) -> Option<(Name, Side)> {
        self.waiting.front().cloned()
    }

    /// Removes the next guess, which is looked for, or given up.
    pub fn remove_next(&mut self) {
        self.waiting.pop_front();
    }

    /// Puts a person who is looked for beside A first in line to be looked for beside B.
    pub fn add_beside_b(&mut self, name: Name) {
        self.waiting.push_front((name, Side::B));
    }
}

/// Returns whether the recogniser has given somebody this folded name.
pub fn is_recognised(facts: &Facts, folded: &str) -> bool {
    let mut people = facts.people().iter();
    people.any(|(_, person)| person.folded_names.contains(folded))
}

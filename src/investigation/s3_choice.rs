//! S3: who is tried next?

use std::collections::VecDeque;

use crate::domain::{PersonIndex, Side, reach};

use super::both_ends::Frontier;
use super::machine::{Investigation, Route, State};
use super::notice::Reason;
use super::ranking::Candidate;
use super::subject::Subject;

impl Investigation {
    //= spec S3
    pub(super) fn step_choice(&mut self, planner_answered: bool) {
        match &self.route {
            Route::OneSided(_) => self.choose_one_sided(planner_answered),
            Route::BothEnds(_) => self.choose_both_ends(planner_answered),
        }
    }

    fn choose_one_sided(&mut self, planner_answered: bool) {
        let Route::OneSided(route) = &self.route else {
            return;
        };
        let frontier = self.knowledge.name_of(route.frontier().subject).to_owned();
        let (table, hop_limited) = self.one_sided_candidates(route);
        if let Route::OneSided(route) = &mut self.route {
            route.hop_limited |= hop_limited;
        }
        if table.is_empty() {
            self.status(format!("Nobody is left to try beside {frontier}."));
            self.next_frontier();
            return;
        }
        let target = self.knowledge.people.bound(Side::B);
        if let Some(candidate) = table.iter().find(|row| Some(row.person) == target) {
            let reason = format!("was seen beside {frontier} and is always tried first");
            self.try_one_sided(&table, &candidate.clone(), &reason);
            return;
        }
        if let Some(candidate) = self.suggested_of(&table) {
            self.try_one_sided(&table, &candidate, "chosen by the planner");
        } else if !planner_answered && self.ask_planner(&table, &frontier) {
            // Its answer decides.
        } else if let Some(candidate) = table.first() {
            self.try_one_sided(&table, candidate, &self.reason_of(candidate));
        }
    }

    fn try_one_sided(&mut self, table: &[Candidate], candidate: &Candidate, reason: &str) {
        self.tell_choice(table, candidate.person, reason);
        let queries = self.verification_queries(candidate.person);
        self.state = State::Verification {
            candidate: candidate.person,
            queries,
        };
    }

    fn choose_both_ends(&mut self, planner_answered: bool) {
        let Route::BothEnds(route) = &self.route else {
            return;
        };
        let turn = route.turn;
        let frontier = route.frontier.map(|frontier| frontier.subject);
        let frontier = frontier
            .map_or("", |subject| self.knowledge.name_of(subject))
            .to_owned();
        let [of_a, of_b] = self.both_ends_tables();
        let (near, far) = match turn {
            Side::A => (of_a, of_b),
            Side::B => (of_b, of_a),
        };
        let unbound = self.unbound_start(turn, near.is_empty());
        let best = best_of(near.first(), far.first()).cloned();
        let table: Vec<Candidate> = interleaved(near, far);
        // The two typed people are not the planner's to choose.
        let has_planner = self.has_planner();
        let choosable = table.iter().filter(|row| has_planner && row.depth > 0);
        let choosable: Vec<Candidate> = choosable.cloned().collect();
        // Without them no chain can end: no planner is asked about their turn.
        if let Some((side, query)) = unbound {
            self.expand_start(side, query);
            return;
        }
        if self.try_guess(&table) {
            return;
        }
        if let Some(candidate) = self.suggested_of(&choosable) {
            self.try_both_ends(&table, &candidate, "chosen by the planner");
            return;
        }
        if !planner_answered && self.ask_planner(&choosable, &frontier) {
            return;
        }
        if let Some(candidate) = best {
            let reason = self.reason_of(&candidate);
            self.try_both_ends(&table, &candidate, &reason);
        } else if self.surveys.is_empty() {
            self.end_as(State::Failure(self.exhausted_reason()));
        } else {
            // What is under way may show somebody.
            self.rests = true;
        }
    }

    /// A typed person who was never recognised has no candidates; on their turn they are searched
    /// for again until they are known to be unknown.
    fn unbound_start(&self, turn: Side, is_nobody_near: bool) -> Option<(Side, String)> {
        let Route::BothEnds(route) = &self.route else {
            return None;
        };
        [turn, turn.other()].into_iter().find_map(|side| {
            let subject = Subject::Typed(side);
            let is_theirs = side == turn || is_nobody_near;
            let is_unbound = self.knowledge.people.bound(side).is_none();
            let is_under_way = self.surveys.iter().any(|one| one.named.contains(&subject));
            let query = self.next_single(subject, route)?;
            (is_theirs && is_unbound && !is_under_way).then_some((side, query))
        })
    }

    fn try_both_ends(&mut self, table: &[Candidate], candidate: &Candidate, reason: &str) {
        if candidate.depth == 0 {
            // A typed person again: nothing to verify on the way there.
            let name = self.knowledge.people.name(candidate.person).to_owned();
            self.note_decision(table, &name, reason);
            self.expand_candidate(candidate, None);
            return;
        }
        self.tell_choice(table, candidate.person, reason);
        if let Route::BothEnds(route) = &mut self.route {
            route.frontier = Some(Frontier {
                side: candidate.side,
                subject: Subject::Person(candidate.person),
                depth: candidate.depth,
            });
            route.chosen = Some(Box::new(candidate.clone()));
        }
        self.state = State::Verification {
            candidate: candidate.person,
            queries: VecDeque::new(),
        };
    }

    fn suggested_of(&mut self, table: &[Candidate]) -> Option<Candidate> {
        let person = self.planner.take_suggestion(table)?;
        table
            .iter()
            .find(|candidate| candidate.person == person)
            .cloned()
    }

    fn tell_choice(&mut self, table: &[Candidate], person: PersonIndex, reason: &str) {
        let name = self.knowledge.people.name(person).to_owned();
        self.note_decision(table, &name, reason);
        let message = match self.planner.take_narration() {
            Some(narration) => format!("{narration} (next: {name}, {reason})"),
            None => format!("Trying an expansion via {name}: {reason}."),
        };
        self.status(message);
    }

    /// Connected by a longer chain only, or not at all.
    fn exhausted_reason(&self) -> Reason {
        let Some((from, to)) = self.typed_pair() else {
            return Reason::NoCandidates;
        };
        let reached = reach(self.knowledge.together(), from, |person| {
            self.may_be_on_path(person)
        });
        if reached.distance(to).is_some() {
            Reason::HopLimit
        } else {
            Reason::NoCandidates
        }
    }
}

/// Whose search is worth more; of equals the side whose turn it is.
fn best_of<'table>(
    near: Option<&'table Candidate>,
    far: Option<&'table Candidate>,
) -> Option<&'table Candidate> {
    match (near, far) {
        (Some(near), Some(far)) if far.worth() > near.worth() => Some(far),
        (near, far) => near.or(far),
    }
}

/// One of each side in turn, the first side first.
fn interleaved(near: Vec<Candidate>, far: Vec<Candidate>) -> Vec<Candidate> {
    let mut far = far.into_iter();
    let mut table = Vec::new();
    for candidate in near {
        table.push(candidate);
        table.extend(far.next());
    }
    table.extend(far);
    table
}

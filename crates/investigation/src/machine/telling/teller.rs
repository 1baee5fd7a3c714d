//! The teller of what happens at one place in the search.

use std::collections::BTreeMap;

use domain::{CandidateRow, Chain, Pair, PersonIndex, Side};

use crate::machine::budget::Budget;
use crate::machine::facts::{Facts, Frontier, Place, Query, Subject};
use crate::machine::interface::{Decision, Notice, NoticeKind, PersonRef, StateName, Status};

use super::report;
use super::story::Story;

/// The longest narration of the planner's in a line, in characters.
const NARRATION_CHARS_MAX: usize = 90;

/// The teller of what happens at a place in the search, as of one input.
#[derive(Debug)]
pub struct Teller<'run> {
    story: &'run mut Story,
    facts: &'run Facts,
    place: Place,
    budget: &'run Budget,
}

impl<'run> Teller<'run> {
    /// Makes a teller for this place, with what was spent by now.
    pub fn new(
        story: &'run mut Story,
        facts: &'run Facts,
        budget: &'run Budget,
        place: Place,
    ) -> Self {
        Self {
            story,
            facts,
            place,
            budget,
        }
    }

    /// Moves to the surroundings of somebody else.
    pub fn move_to(&mut self, frontier: Frontier) {
        self.place.frontier = Some(frontier);
    }

    pub fn tell(&mut self, kind: NoticeKind) {
        let at = self.budget.now();
        self.story.add(Notice { at, kind });
    }

    /// Tells what is being tried.
    pub fn status(&mut self, message: impl Into<String>) {
        let status = self.status_of(message.into(), None);
        self.tell(NoticeKind::Status(status));
    }

    /// Tells which query is asked: of which image search, where there are several, and for which page
    /// of its list.
    pub fn searching(&mut self, query: &Query, source: usize, page: u32) {
        let of_several = self.facts.source(source);
        let of_several = of_several.filter(|_| self.facts.source(1).is_some());
        let whom = of_several.map_or(String::new(), |source| format!(" {}", source.name));
        let page = match page {
            0 => String::new(),
            further => format!(", page {}", further.saturating_add(1)),
        };
        let text = query.text();
        self.status(format!("Searching{whom} for photos: “{text}”{page}"));
    }

    /// Tells of somebody who is looked for only because the planner guessed so.
    pub fn guess(&mut self, guess: &str, message: String) {
        let status = self.status_of(message, Some(guess.to_owned()));
        self.tell(NoticeKind::Status(status));
    }

    /// Tells why photos are looked at: each may show two people, as the words beside it say.
    pub fn hints(&mut self, hints: Vec<(String, [PersonRef; 2])>, message: String) {
        for (url, two) in hints {
            self.story.hints_mut().add(url, two);
        }
        self.status(message);
    }

    fn status_of(&mut self, message: String, guess: Option<String>) -> Status {
        let frontier = self.place.frontier;
        Status {
            state: self.place.state,
            message: self.story.note_status(message),
            hop: frontier.map_or(0, |frontier| frontier.depth),
            frontier: frontier.map(|frontier| report::subject_ref(self.facts, frontier.subject)),
            side: frontier.map(|frontier| frontier.side),
            spent: self.budget.spent(),
            limits: self.facts.limits().clone(),
            guess,
            hinted: self.story.hints_mut().take_changed(),
        }
    }

    /// Tells an edge with its photos, once.
    pub fn edge(&mut self, from: PersonIndex, to: PersonIndex) {
        let Some(edge) = self.facts.together().edge(from, to) else {
            return;
        };
        if self.story.note_told_edge(edge.pair()) {
            let report = report::edge_report(self.facts, from, to, edge);
            self.tell(NoticeKind::Evidence(report));
        }
    }

    /// Returns whether nobody was told yet that an edge needs no search.
    pub fn is_new_proof(&mut self, pair: Pair) -> bool {
        self.story.note_told_proof(pair)
    }

    /// Tells the chain as it stands, unless it was just told.
    pub fn path(&mut self, people: &[PersonIndex]) {
        if self.story.note_told_path(people) {
            let path = people.iter();
            let path = path.map(|person| report::person_ref(self.facts, *person));
            let path = path.collect();
            self.tell(NoticeKind::PathUpdate(path));
        }
    }

    /// Tells the evidence of each edge, and the path.
    pub fn chain(&mut self, chain: &Chain) {
        for (from, to) in chain.people.iter().zip(chain.people.iter().skip(1)) {
            self.edge(*from, *to);
        }
        self.path(&chain.people);
    }

    /// Notes that somebody is connected with a side. Returns whether that is new.
    pub fn join(&mut self, person: PersonIndex, side: Side) -> bool {
        self.story.join(person, side)
    }

    /// Returns the people proven to be connected with A or B, by the side that reached them first.
    pub fn joined(&self) -> &BTreeMap<PersonIndex, Side> {
        self.story.joined()
    }

    /// Notes whose surroundings are looked at from now on.
    pub fn look_around(&mut self, subject: Subject) {
        self.story.add_frontier(subject);
    }

    /// Keeps a choice with its table and its reason.
    pub fn keep_decision(&mut self, table: Vec<CandidateRow>, chosen: &str, reason: &str) {
        let frontier = self.place.frontier.map(|frontier| frontier.subject);
        self.story.add_decision(Decision {
            state: StateName::S3,
            frontier: frontier
                .map_or("", |subject| self.facts.knowledge().name_of(subject))
                .to_owned(),
            table,
            chosen: chosen.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Tells who is tried next, in the planner's words where there are any.
    pub fn tell_choice(
        &mut self,
        table: Vec<CandidateRow>,
        chosen: &str,
        reason: &str,
        narration: Option<String>,
    ) {
        self.keep_decision(table, chosen, reason);
        self.status(match narration {
            Some(narration) => {
                let narration = shortened(&narration, NARRATION_CHARS_MAX);
                format!("{narration} (next: {chosen}, {reason})")
            }
            None => format!("Trying an expansion via {chosen}: {reason}."),
        });
    }
}

/// Returns the words that fit into this many characters.
fn shortened(words: &str, chars_max: usize) -> String {
    if words.chars().count() <= chars_max {
        return words.to_owned();
    }
    let start: String = words.chars().take(chars_max).collect();
    let whole = start.rsplit_once(' ').map_or(&*start, |(whole, _)| whole);
    format!("{whole}…")
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_narration_ends_with_a_whole_word() {
        assert_eq!(shortened("one two", 7), "one two");
        assert_eq!(shortened("one two three", 9), "one two…");
        assert_eq!(shortened("onetwothree", 4), "onet…");
    }
}

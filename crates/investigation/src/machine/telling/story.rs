//! The story of a run: notices not yet taken, and what was told and kept so far.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Pair, PersonIndex, Side};
use kernel::Outbox;

use crate::machine::facts::Subject;
use crate::machine::interface::{Decision, Notice};

use super::told_hints::ToldHints;

/// The story of a run: what was told and kept.
#[derive(Debug, Clone, Default)]
pub struct Story {
    notices: Outbox<Notice>,
    /// The people proven to be connected with A or B, by the side that reached them first.
    joined: BTreeMap<PersonIndex, Side>,
    /// The edges whose evidence was told.
    edges: BTreeSet<Pair>,
    /// The edges that were told to need no search any more.
    proofs: BTreeSet<Pair>,
    /// The line that was told last about what is being tried.
    last_status: String,
    /// The chain that was told last.
    path: Vec<PersonIndex>,
    hints: ToldHints,
    decisions: Vec<Decision>,
    /// The people whose surroundings were looked at, each once, in the order of the last look.
    frontiers: Vec<Subject>,
}

impl Story {
    pub fn add(&mut self, notice: Notice) {
        self.notices.add(notice);
    }

    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }

    pub fn joined(&self) -> &BTreeMap<PersonIndex, Side> {
        &self.joined
    }

    /// Notes that somebody is connected with a side. Returns whether that is new.
    pub fn join(&mut self, person: PersonIndex, side: Side) -> bool {
        if self.joined.contains_key(&person) {
            return false;
        }
        self.joined.insert(person, side);
        true
    }

    /// Notes an edge as told. Returns false where it was told before.
    pub fn note_told_edge(&mut self, pair: Pair) -> bool {
        self.edges.insert(pair)
    }

    /// Notes an edge as told to need no search. Returns false where it was told before.
    pub fn note_told_proof(&mut self, pair: Pair) -> bool {
        self.proofs.insert(pair)
    }

    /// Makes a line differ from the one that was told last, and notes it: two photos may show the
    /// same.
    pub fn note_status(&mut self, message: String) -> String {
        let message = if message == self.last_status {
            let sentence = message.strip_suffix('.').unwrap_or(&message);
            format!("{sentence}, too.")
        } else {
            message
        };
        self.last_status.clone_from(&message);
        message
    }

    /// Notes a chain as told. Returns false where it was told last.
    pub fn note_told_path(&mut self, people: &[PersonIndex]) -> bool {
        let is_new = self.path != people;
        if is_new {
            self.path = people.to_vec();
        }
        is_new
    }

    /// Returns the chain that was told last, which is empty before one was.
    pub fn path(&self) -> &[PersonIndex] {
        &self.path
    }

    /// Returns the hints that viewers see.
    pub fn hints_mut(&mut self) -> &mut ToldHints {
        &mut self.hints
    }

    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    pub fn add_decision(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }

    /// Notes whose surroundings are looked at from now on.
    pub fn add_frontier(&mut self, subject: Subject) {
        self.frontiers.retain(|known| *known != subject);
        self.frontiers.push(subject);
    }

    /// Returns the people whose surroundings were looked at.
    pub fn frontiers(&self) -> &[Subject] {
        &self.frontiers
    }
}

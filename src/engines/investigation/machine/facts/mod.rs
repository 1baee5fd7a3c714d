//! What a run was asked, and all that it has learned.

mod asked_query;
mod frontier;
mod knowledge;
mod photo_memory;
pub(super) mod query;
mod search_sight;
mod subject;
mod unread_photos;

use crate::domain::{
    Binding, Chain, EvidenceGraph, EvidenceRef, Hit, Limits, Name, NamedPerson, People,
    PersonIndex, PhotoFailure, Reach, SearchQuestion, Sha256Digest, Side, best_chain, reach,
};
use crate::sorted::SortedSet;

use super::interface::{Fetched, Recognised, Request};

pub use asked_query::AskedQuery;
pub use frontier::{Frontier, Place};
pub use knowledge::Knowledge;
pub use photo_memory::PhotoMemory;
pub use query::Query;
pub use search_sight::{SearchSight, SearchSights};
pub use subject::Subject;
pub use unread_photos::UnreadPhotos;

/// The question and what is known.
#[derive(Debug, Clone)]
pub struct Facts {
    request: Request,
    /// The folded names of people who may not be on the path.
    avoided: SortedSet<String>,
    knowledge: Knowledge,
    /// What the searches that are over have shown, all of them and those naming A and B.
    searches: SearchSights,
    searches_naming: [SearchSights; 2],
    unread_photos: UnreadPhotos,
}

impl Facts {
    pub fn new(request: Request) -> Self {
        Self {
            knowledge: Knowledge::new(&request),
            avoided: request.avoid.iter().map(Name::folded).collect(),
            searches: SearchSights::default(),
            searches_naming: [SearchSights::default(); 2],
            unread_photos: UnreadPhotos::default(),
            request,
        }
    }

    pub fn request(&self) -> &Request {
        &self.request
    }

    pub fn limits(&self) -> &Limits {
        &self.request.limits
    }

    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    pub fn people(&self) -> &People {
        self.knowledge.people()
    }

    pub fn together(&self) -> &EvidenceGraph {
        self.knowledge.together()
    }

    /// How a person is called: as typed for the two typed people.
    pub fn name(&self, person: PersonIndex) -> &str {
        self.people().name(person)
    }

    pub fn typed_name(&self, side: Side) -> &str {
        self.people().shown_name(side)
    }

    /// The two typed people, once both are recognised.
    pub fn typed_pair(&self) -> Option<(PersonIndex, PersonIndex)> {
        Some((self.people().bound(Side::A)?, self.people().bound(Side::B)?))
    }

    /// Whether a folded name is one that may not be on the path.
    pub fn is_avoided(&self, folded: &str) -> bool {
        self.avoided.contains(folded)
    }

    /// Whether a person may be on the path: under no name that the recogniser gives them avoided,
    /// or one of the two typed people themselves.
    pub fn may_be_on_path(&self, person: PersonIndex) -> bool {
        if let Subject::Typed(_) = self.knowledge.subject_of(person) {
            return true;
        }
        self.people().person(person).is_some_and(|person| {
            let mut names = person.folded_names.iter();
            !names.any(|name| self.is_avoided(name))
        })
    }

    /// Everybody whom a graph connects with somebody by people who may be on the path.
    pub fn reach_in(&self, graph: &EvidenceGraph, start: PersonIndex) -> Reach {
        reach(graph, start, |person| self.may_be_on_path(person))
    }

    /// The same in all that was seen.
    pub fn reach(&self, start: PersonIndex) -> Reach {
        self.reach_in(self.together(), start)
    }

    /// The best chain in a graph that the question allows.
    pub fn best_chain(
        &self,
        graph: &EvidenceGraph,
        from: PersonIndex,
        to: PersonIndex,
    ) -> Option<Chain> {
        best_chain(
            graph,
            from,
            to,
            self.limits().hops,
            |person| self.may_be_on_path(person),
            |person| self.name(person),
        )
    }

    /// A search that names these people is over.
    pub fn note_search(&mut self, named: &[Subject], sight: SearchSight) {
        self.searches.note(sight);
        let [naming_a, naming_b] = &mut self.searches_naming;
        for subject in named {
            match subject {
                Subject::Typed(Side::A) => naming_a.note(sight),
                Subject::Typed(Side::B) => naming_b.note(sight),
                Subject::Person(_) => {}
            }
        }
    }

    /// What all searches that are over have shown.
    pub fn searches(&self) -> SearchSights {
        self.searches
    }

    /// What the searches that are over and name a typed person have shown.
    pub fn searches_naming(&self, side: Side) -> SearchSights {
        let [naming_a, naming_b] = self.searches_naming;
        match side {
            Side::A => naming_a,
            Side::B => naming_b,
        }
    }

    /// The typed names that enough photos have not shown.
    pub fn unknown_sides(&self) -> Vec<Side> {
        self.unbound_sides(SearchSights::should_have_shown)
    }

    /// The typed names for which there is nothing to look at.
    pub fn unfound_sides(&self) -> Vec<Side> {
        self.unbound_sides(SearchSights::found_nothing)
    }

    fn unbound_sides(&self, is_meant: impl Fn(SearchSights) -> bool) -> Vec<Side> {
        let sides = [Side::A, Side::B].into_iter();
        sides
            .filter(|side| self.people().bound(*side).is_none())
            .filter(|side| is_meant(self.searches_naming(*side)))
            .collect()
    }

    /// A photo was found and could not be looked at.
    pub fn note_unread_photo(&mut self, failure: &PhotoFailure) {
        self.unread_photos.note(failure);
    }

    /// Photos that could not be looked at, and why.
    pub fn unread_photos(&self) -> &UnreadPhotos {
        &self.unread_photos
    }

    /// What a query asks that names these people, with their numbers as far as they are known.
    pub fn question(&self, query: &Query, named: &[Subject]) -> SearchQuestion {
        let mut named = named.to_vec();
        let person = |name: &str| {
            // Two of one name are each asked for once.
            let mut subjects = named.iter();
            let place = subjects.position(|subject| self.knowledge.name_of(*subject) == name);
            let subject = place.map(|place| named.remove(place));
            let name = match subject {
                // As typed: what tells two of one name apart is no part of it.
                Some(Subject::Typed(side)) => self.people().typed_name(side).as_str(),
                _ => name,
            };
            NamedPerson {
                name: name.to_owned(),
                number: subject.and_then(|subject| self.knowledge.number_of(subject)),
            }
        };
        SearchQuestion {
            people: query.names().map(person).collect(),
            wording: query.wording(),
        }
    }

    /// A query is asked; nothing is found yet.
    pub fn note_query(&mut self, query: &str, named: Vec<Subject>) {
        self.knowledge.note_query(query, named);
    }

    /// What an asked query has found, and how many of these are looked at for it.
    pub fn note_hits(&mut self, query: &str, hits: Vec<Hit>, looked_at: usize) {
        self.knowledge.note_hits(query, hits, looked_at);
    }

    /// What became of the photo at an address.
    pub fn note_photo(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.knowledge.note_photo(url, digest, memory);
    }

    /// Takes in a recognised photo that a query found which names these people.
    pub fn see(
        &mut self,
        hit: &Hit,
        fetched: &Fetched,
        query: &str,
        named: &[Subject],
        recognised: &Recognised,
    ) -> (EvidenceRef, Vec<Binding>) {
        self.knowledge.see(hit, fetched, query, named, recognised)
    }
}

#[cfg(test)]
mod tests;

//! The question of a run, and all that it has learned.

mod knowledge;
pub(super) mod query;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Binding, Chain, Edge, EvidenceGraph, EvidenceRef, FoundHits, Hit, Limits, MemoryUse,
    NamedPerson, People, PersonIndex, PhotoFailure, Plan, Reach, SearchQuestion, SearchSource,
    Side, Sighting, WordDoubt, WordUse, best_chain, reach, spellings,
};

use crate::judgement;

use super::hints::{Hints, Somebody};
use super::interface::{
    CaptureReport, Captured, Fetched, PhotoPage, Recognised, Request, StateName,
};

pub use knowledge::{Knowledge, PhotoMemory};
pub use query::{AskedQuery, Extent, ListKey, Query, SearchSight, SearchSights};

/// If names decide, a person of the request counts as unknown once this many photos found for the person were recognised
/// and none shows the person.
pub const PHOTOS_UNTIL_UNKNOWN: usize = 8;

/// The largest number of reasons that are kept for photos that could not be looked at. Some are in a provider's own
/// words, so their number has no other limit.
const REASONS_MAX: usize = 16;

/// The image search that S1 asks.
pub const FIRST_SOURCE: usize = 0;

/// What the names beside photos are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameUse {
    /// Nothing: the run goes as if there were no words.
    Nothing,
    /// They decide which photos of an answer are looked at first, and which chain is checked before the next search.
    Order,
    /// They are read before anything is paid for, and decide what is.
    Decide,
}

/// The question and what is known.
#[derive(Debug, Clone)]
pub struct Facts {
    request: Request,
    /// The folded names of people who must not be on the path.
    avoided: BTreeSet<String>,
    knowledge: Knowledge,
    /// What all finished searches have shown. The next field counts only the searches that name A, and those that name
    /// B.
    searches: SearchSights,
    searches_naming: [SearchSights; 2],
    unread_photos: UnreadPhotos,
    captures: Captures,
}

impl Facts {
    pub fn new(request: Request) -> Self {
        Self {
            knowledge: Knowledge::new(&request),
            avoided: request
                .avoid
                .iter()
                .flat_map(|name| spellings(name.as_str()))
                .collect(),
            searches: SearchSights::default(),
            searches_naming: [SearchSights::default(); 2],
            unread_photos: UnreadPhotos::default(),
            captures: Captures::default(),
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

    pub fn knowledge_mut(&mut self) -> &mut Knowledge {
        &mut self.knowledge
    }

    pub fn people(&self) -> &People {
        self.knowledge.people()
    }

    pub fn together(&self) -> &EvidenceGraph {
        self.knowledge.together()
    }

    /// Returns whether all photos of an edge are doubtful.
    pub fn rests_on_doubt(&self, edge: &Edge) -> bool {
        edge.evidence().iter().all(|reference| {
            let sighting = self.knowledge.sighting(*reference);
            sighting.is_some_and(Sighting::is_doubtful)
        })
    }

    /// Returns the name of a person. For the two people of the request, it is the name as typed.
    pub fn name(&self, person: PersonIndex) -> &str {
        self.people().name(person)
    }

    pub fn typed_name(&self, side: Side) -> &str {
        self.people().shown_name(side)
    }

    /// Returns the two people of the request; `None` until both are recognised.
    pub fn typed_pair(&self) -> Option<(PersonIndex, PersonIndex)> {
        Some((self.people().bound(Side::A)?, self.people().bound(Side::B)?))
    }

    /// Returns whether people with this folded name must not be on the path.
    pub fn is_avoided(&self, folded: &str) -> bool {
        self.avoided.contains(folded)
    }

    /// Returns whether a person is allowed on the path. The two people of the request always are. Anybody else is
    /// allowed unless one of the names under which the person was recognised is to be avoided.
    pub fn may_be_on_path(&self, person: PersonIndex) -> bool {
        if let Subject::Typed(_) = self.knowledge.subject_of(person) {
            return true;
        }
        self.people().person(person).is_some_and(|person| {
            let mut names = person.folded_names.iter();
            !names.any(|name| self.is_avoided(name))
        })
    }

    /// Returns everybody connected with `start` in a graph through people who are allowed on the path.
    pub fn reach_in(&self, graph: &EvidenceGraph, start: PersonIndex) -> Reach {
        reach(graph, start, |person| self.may_be_on_path(person))
    }

    /// Returns everybody connected with `start`, by any photos, through people who are allowed on the path.
    pub fn reach(&self, start: PersonIndex) -> Reach {
        self.reach_in(self.together(), start)
    }

    /// Returns the best chain in a graph, among those that the request allows.
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

    /// Notes that a search that names these people has finished.
    pub fn note_search(&mut self, named: &[Subject], sight: SearchSight) {
        self.searches.note(sight);
        let [naming_a, naming_b] = &mut self.searches_naming;
        for subject in named {
            match subject {
                Subject::Typed(Side::A) => naming_a.note(sight),
                Subject::Typed(Side::B) => naming_b.note(sight),
                Subject::Person(_) | Subject::Named(_) => {}
            }
        }
    }

    /// Returns what all finished searches have shown.
    pub fn searches(&self) -> SearchSights {
        self.searches
    }

    /// Returns what the finished searches that name this side's person of the request have shown.
    pub fn searches_naming(&self, side: Side) -> SearchSights {
        let [naming_a, naming_b] = self.searches_naming;
        match side {
            Side::A => naming_a,
            Side::B => naming_b,
        }
    }

    /// Returns the sides whose person of the request should have been seen by now, but is in none of the photos.
    pub fn unknown_sides(&self) -> Vec<Side> {
        self.unbound_sides(|side, sights| {
            if self.reads_first_for(sights) {
                let looked = self.photos_looked_for(side);
                let is_seen_through = self.is_seen_through(side) && sights.are_enough();
                looked >= PHOTOS_UNTIL_UNKNOWN || (looked > 0 && is_seen_through)
            } else {
                sights.should_have_shown()
            }
        })
    }

    /// Returns whether a list counts as one of this side's person of the request: a list that names only this person or,
    /// if searches for the person alone were answered and have found no photo, one that names another person, too.
    pub fn is_list_of(&self, side: Side) -> impl Fn(&[Subject]) -> bool {
        let subject = Subject::Typed(side);
        let lists = self.knowledge.lists().map(|(_, asked)| asked);
        let own = lists.filter(|asked| asked.is_answered() && asked.named() == [subject]);
        let found: Vec<usize> = own.map(|asked| asked.hits().len()).collect();
        let found_nothing = !found.is_empty() && found.iter().all(|hits| *hits == 0);
        move |named| named == [subject] || (found_nothing && named.contains(&subject))
    }

    /// Counts the recognised photos of the lists of this side's person of the request.
    pub fn photos_looked_for(&self, side: Side) -> usize {
        let is_list_of = self.is_list_of(side);
        let lists = self.knowledge.lists();
        let own = lists.filter(|(_, asked)| is_list_of(asked.named()));
        let memories = own.flat_map(|(_, asked)| asked.memories());
        memories
            .filter(|memory| memory.sighting().is_some())
            .count()
    }

    /// Returns the sides for whose person of the request the searches found nothing to look at.
    pub fn unfound_sides(&self) -> Vec<Side> {
        self.unbound_sides(|side, sights| {
            let is_over = !self.reads_first_for(sights)
                || (self.is_seen_through(side) && self.photos_looked_for(side) == 0);
            sights.found_nothing() && is_over
        })
    }

    /// Returns whether words are read before photos are looked at, or were for one of these searches.
    fn reads_first_for(&self, sights: SearchSights) -> bool {
        self.names_decide() || sights.words_read() > 0
    }

    /// Returns whether no photo that may show this side's person of the request is left to look at.
    fn is_seen_through(&self, side: Side) -> bool {
        self.knowledge.hints().photos_left(Hints::typed(side)) == 0
    }

    fn unbound_sides(&self, is_meant: impl Fn(Side, SearchSights) -> bool) -> Vec<Side> {
        let sides = [Side::A, Side::B].into_iter();
        sides
            .filter(|side| self.people().bound(*side).is_none())
            .filter(|side| is_meant(*side, self.searches_naming(*side)))
            .collect()
    }

    /// Notes a found photo that could not be looked at.
    pub fn note_unread_photo(&mut self, failure: &PhotoFailure) {
        self.unread_photos.note(failure);
    }

    /// Returns the photos that could not be looked at, and why.
    pub fn unread_photos(&self) -> &UnreadPhotos {
        &self.unread_photos
    }

    /// Returns the outcomes of the pages of the final chain's photos.
    pub fn captures(&self) -> &Captures {
        &self.captures
    }

    pub fn captures_mut(&mut self) -> &mut Captures {
        &mut self.captures
    }

    /// Returns the question of a query that names these people, with their Wikidata numbers if known.
    pub fn question(&self, query: &Query, named: &[Subject]) -> SearchQuestion {
        let mut named = named.to_vec();
        let person = |name: &str| {
            // Each match takes its subject away, so that of two people with one name each gets their own number.
            let mut subjects = named.iter();
            let place = subjects.position(|subject| self.knowledge.name_of(*subject) == name);
            let subject = place.map(|place| named.remove(place));
            let name = match subject {
                // This is the name as typed. It does not contain what distinguishes two people with one name.
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

    /// Notes the hits that a query has found.
    pub fn note_hits(&mut self, key: &ListKey, found: FoundHits) {
        let reads_hints = self.learns_for_free();
        self.knowledge.note_hits(key, found, reads_hints);
    }

    /// Returns whether remembered photos reach the run only once their bytes have arrived.
    pub fn is_told_late(&self) -> bool {
        self.request.limits.memory == MemoryUse::Shown
    }

    /// Returns the folded names of people who must not be on a chain.
    pub fn avoided(&self) -> Vec<String> {
        self.avoided.iter().cloned().collect()
    }

    /// Returns whether the run learns from captions and from the pixels of fetched photos, which cost nothing. A run by
    /// the specification or by an older order does not.
    pub fn learns_for_free(&self) -> bool {
        let limits = &self.request.limits;
        limits.words >= WordUse::Hints && limits.plan == Plan::BothEnds
    }

    /// Returns whether the run reads words before it looks at photos, where they name enough people.
    pub fn may_read_first(&self) -> bool {
        self.learns_for_free() && self.limits().words == WordUse::HintsFirst
    }

    /// Returns what the names beside photos are used for now. Where words name few of the people in photos, a run that
    /// reads hints first goes as if there were none: the few names would only draw it away from what photos show.
    pub fn name_use(&self) -> NameUse {
        let limits = &self.request.limits;
        let hints = self.knowledge.hints();
        if limits.plan == Plan::OneSided || !hints.has_names() {
            return NameUse::Nothing;
        }
        match limits.words {
            WordUse::Hints | WordUse::Doubts => NameUse::Order,
            WordUse::HintsFirst if hints.decides() => NameUse::Decide,
            WordUse::Ignored | WordUse::HintsFirst => NameUse::Nothing,
        }
    }

    /// Returns whether the names beside photos decide what is paid for.
    pub fn names_decide(&self) -> bool {
        self.name_use() == NameUse::Decide
    }

    /// Takes a recognised photo, found by a query that names `named`, as [`Knowledge::see`] does.
    pub fn see(
        &mut self,
        hit: &Hit,
        fetched: &Fetched,
        query: &str,
        named: &[Subject],
        recognised: &Recognised,
    ) -> (EvidenceRef, Vec<Binding>) {
        let limits = &self.request.limits;
        (self.knowledge).see((hit, fetched), query, named, recognised, limits)
    }

    /// Returns why a fetched photo proves nothing and need not be recognised; `None` if it may prove something.
    pub fn rejection(&self, hit: &Hit, fetched: &Fetched) -> Option<String> {
        judgement::rejection(self.limits(), hit, fetched)
    }

    /// Returns the photos of an answer without those that the words beside them reject, and what was left out.
    pub fn without_rejected(&self, hits: Vec<Hit>) -> (Vec<Hit>, Vec<WordDoubt>) {
        let mut rejected = Vec::new();
        let kept = hits.into_iter().filter(|hit| {
            let doubt = judgement::word_doubt(self.limits(), hit).filter(|doubt| doubt.rejects);
            let is_kept = doubt.is_none();
            rejected.extend(doubt);
            is_kept
        });
        (kept.collect(), rejected)
    }

    /// Compares a fetched photo with those fetched before.
    pub fn note_fetched(&mut self, fetched: &Fetched) {
        if self.learns_for_free() {
            self.knowledge.note_fetched(fetched);
        }
    }

    /// Returns an image search by its place in the order; `None` if nothing is known of the image search.
    pub fn source(&self, place: usize) -> Option<&SearchSource> {
        self.request.sources.get(place)
    }

    /// Returns the place of an image search by its id; without an id, the first place.
    pub fn source_place(&self, id: Option<&str>) -> usize {
        let mut sources = self.request.sources.iter();
        let place = sources.position(|source| Some(source.id.as_str()) == id);
        place.unwrap_or(0)
    }

    /// Returns the ids of the image searches, except the list's own, that were asked the list's query.
    pub fn asked_before(&self, list: &ListKey) -> Vec<String> {
        let sources = self.request.sources.iter().enumerate();
        let asked = sources.filter(|(source, _)| {
            let query = list.query.clone();
            let other = ListKey {
                query,
                source: *source,
            };
            *source != list.source && self.knowledge.list(&other).is_some()
        });
        asked.map(|(_, source)| source.id.clone()).collect()
    }

    /// Returns whether a query was asked and not answered yet. If one image search fails, another takes over the query,
    /// so asking that other one now could pay for the same query twice.
    pub fn is_awaited(&self, query: &str) -> bool {
        // With a single image search, no other one can take over a query.
        let is_of_several = self.request.sources.len() > 1;
        let asked = is_of_several.then(|| self.knowledge.asked(query));
        asked.flatten().is_some_and(|asked| !asked.is_answered())
    }
}

/// The person whom a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The person of the request on this side.
    Typed(Side),
    /// A recognised person who is neither of the two people of the request.
    Person(PersonIndex),
    /// Somebody whom the words beside photos name, and who was not recognised when the query was asked.
    Named(Somebody),
}

/// The person whose surroundings are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frontier {
    pub side: Side,
    pub subject: Subject,
    /// The number of edges from the side's start.
    pub depth: u32,
}

/// A place in the search. The result of a call is reported with the place that requested it, even if the search has
/// moved on since.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub state: StateName,
    pub frontier: Option<Frontier>,
}

/// The outcomes of opening the pages with the final chain's photos. No capture is evidence.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    settled: Vec<CaptureReport>,
    are_stopped: bool,
}

impl Captures {
    /// Notes the outcome of a page.
    pub fn note(&mut self, report: CaptureReport) {
        self.settled.push(report);
    }

    /// Notes that no further pages are opened, because the user ended the run.
    pub fn stop(&mut self) {
        self.are_stopped = true;
    }

    /// Returns whether the user ended the run.
    pub fn are_stopped(&self) -> bool {
        self.are_stopped
    }

    /// Returns whether the outcome of opening a page is known.
    pub fn is_settled(&self, page: &PhotoPage) -> bool {
        self.settled.iter().any(|report| report.page == *page)
    }

    /// Returns the capture of the page that shows a photo.
    pub fn of_photo(&self, reference: EvidenceRef) -> Option<&Captured> {
        let mut reports = self.settled.iter();
        let report = reports.find(|report| report.page.photos.contains(&reference))?;
        report.result.as_ref().ok()
    }
}

/// The photos that could not be looked at, counted by reason.
#[derive(Debug, Clone, Default)]
pub struct UnreadPhotos {
    unfetchable: BTreeMap<String, u32>,
    unreadable: BTreeMap<String, u32>,
}

impl UnreadPhotos {
    pub fn note(&mut self, failure: &PhotoFailure) {
        let (reasons, why) = match failure {
            PhotoFailure::Unfetchable(why) => (&mut self.unfetchable, why),
            PhotoFailure::Unreadable(why) => (&mut self.unreadable, why),
        };
        if reasons.len() < REASONS_MAX || reasons.contains_key(why) {
            *reasons.entry(why.clone()).or_default() += 1;
        }
    }

    /// Returns why photos could not be fetched, the most frequent reason first.
    pub fn unfetchable(&self) -> Vec<(&str, u32)> {
        by_frequency(&self.unfetchable)
    }

    /// Returns why photos could not be read, the most frequent reason first.
    pub fn unreadable(&self) -> Vec<(&str, u32)> {
        by_frequency(&self.unreadable)
    }
}

fn by_frequency(reasons: &BTreeMap<String, u32>) -> Vec<(&str, u32)> {
    let mut reasons: Vec<(&str, u32)> = reasons
        .iter()
        .map(|(why, photos)| (why.as_str(), *photos))
        .collect();
    reasons.sort_by_key(|(why, photos)| (Reverse(*photos), *why));
    reasons
}

#[cfg(test)]
mod tests {
    use domain::{
        Confidence, Face, FaceBox, Name, PhotoCopy, Provenance, TypedPerson, WikidataNumber,
    };

    use super::*;
    use domain::Sha256Digest;

    fn face(id: &str, number: &str) -> Face {
        Face {
            id: id.into(),
            name: "Ann Lee".into(),
            confidence: Confidence::clamped(99.0),
            face_box: FaceBox::default(),
            urls: vec![format!("www.wikidata.org/wiki/{number}")],
            portrait: None,
        }
    }

    #[test]
    fn two_of_one_name_are_each_asked_for_by_their_own_number() {
        let number = |number| WikidataNumber::parse(number);
        let typed = |name, wikidata| TypedPerson {
            name: Name::parse(name).unwrap(),
            wikidata,
        };
        let mut facts = Facts::new(Request {
            sources: Vec::new(),
            person_a: typed("Ann Lee", number("Q1")),
            person_b: typed("Jane Eyre", None),
            avoid: Vec::new(),
            limits: Limits::default(),
        });
        let hit = Hit {
            image_url: "https://a.example/1.jpg".into(),
            ..Hit::default()
        };
        let fetched = Fetched {
            provenance: Provenance::default(),
            remembered: None,
            sent: None,
            fingerprint: None,
            digest: Sha256Digest::new([1; 32]),
            copy: PhotoCopy::Image,
        };
        let recognised = Recognised {
            faces: vec![face("1", "Q1"), face("2", "Q2")],
            collage_check: domain::CollageCheck::Passed,
            by: None,
        };
        facts.see(&hit, &fetched, "Ann Lee event", &[], &recognised);
        let [ann, other] = [0, 1].map(|index| facts.knowledge.subject_of(PersonIndex(index)));
        assert_eq!(ann, Subject::Typed(Side::A));
        let question = facts.question(&query::pair("Ann Lee", "Ann Lee"), &[ann, other]);
        let numbers = question.people.iter().map(|person| {
            let number = person.number.as_ref().unwrap();
            number.wikidata().to_string()
        });
        assert_eq!(numbers.collect::<Vec<_>>(), ["Q1", "Q2"]);
    }
}

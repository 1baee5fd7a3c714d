//! A query that was asked of an image search, and the list that it found.

use domain::{FoundHits, Hit, Wording};

use crate::machine::hints::RECALLED_SOURCE;

use super::photo_memory::PhotoMemory;
use super::subject::Subject;

/// A query by the image search that is asked it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey {
    /// The text of the query.
    pub query: String,
    /// The place of the image search among those that may be asked.
    pub source: usize,
}

impl ListKey {
    /// Returns the key of the photos that were recalled, which no query has found.
    pub fn of_recalled() -> Self {
        Self {
            query: String::new(),
            source: RECALLED_SOURCE,
        }
    }

    /// Returns whether these are the photos that were recalled.
    pub fn is_recalled(&self) -> bool {
        self.source == RECALLED_SOURCE
    }
}

/// The part of an answer that a search looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// For each hit, whether it is looked at.
    pub looked_at: Vec<bool>,
    /// The number of photos among them that are new.
    pub new: usize,
    /// The number of further new photos that the search might look at beyond these.
    pub missing: usize,
}

/// A query that was asked of an image search.
#[derive(Debug, Clone)]
pub struct AskedQuery {
    hits: Vec<Hit>,
    /// For each hit, whether it was looked at for this query's sake.
    looked_at: Vec<bool>,
    /// For each hit, what is known of its photo.
    memories: Vec<Option<PhotoMemory>>,
    /// The number of hits, from the first on, that were looked at or are known.
    settled: usize,
    named: Vec<Subject>,
    wording: Wording,
    /// The number of new photos of its first page that were to be looked at, and of those that
    /// might have been.
    brought: (usize, usize),
    pages: u32,
    /// The number of pages that were asked for, from the first on.
    pages_asked: u32,
    has_more: bool,
}

impl AskedQuery {
    /// Makes a query that names these people and whose answer is awaited.
    pub fn new(named: Vec<Subject>, wording: Wording) -> Self {
        Self {
            hits: Vec::new(),
            looked_at: Vec::new(),
            memories: Vec::new(),
            settled: 0,
            named,
            wording,
            brought: (0, 0),
            pages: 0,
            pages_asked: 1,
            has_more: false,
        }
    }

    /// Notes that a page is asked for.
    pub fn ask_page(&mut self, page: u32) {
        self.pages_asked = self.pages_asked.max(page.saturating_add(1));
    }

    /// Returns the number of the page that follows all that were asked for, where each of them was
    /// answered and the list goes on.
    pub fn next_page(&self) -> Option<u32> {
        let is_answered = self.pages > 0 && self.pages == self.pages_asked;
        (is_answered && self.has_more).then_some(self.pages)
    }

    /// Adds a page. `known` says what is known of the photo at an address.
    pub fn answer(&mut self, found: FoundHits, known: impl Fn(&str) -> Option<PhotoMemory>) {
        for hit in found.hits {
            self.memories.push(known(&hit.image_url));
            self.hits.push(hit);
            self.looked_at.push(false);
        }
        self.settle();
        self.pages = self.pages.max(found.part.page.saturating_add(1));
        self.has_more = found.has_more;
    }

    /// Notes which part of the page that was added last is looked at.
    pub fn look_at(&mut self, extent: &Extent) {
        let first = self.hits.len().saturating_sub(extent.looked_at.len());
        let looked_at = self.looked_at.iter_mut().skip(first);
        for (known, is_looked_at) in looked_at.zip(&extent.looked_at) {
            *known |= is_looked_at;
        }
        if self.pages == 1 {
            self.brought = (extent.new, extent.new.saturating_add(extent.missing));
        }
        self.settle();
    }

    /// Returns the hits in the order of the answers.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Returns whether the hit at this place was looked at for this query's sake.
    pub fn has_looked_at(&self, place: usize) -> bool {
        self.looked_at.get(place).copied().unwrap_or(false)
    }

    /// Returns what is known of the photo at this place.
    pub fn memory(&self, place: usize) -> Option<PhotoMemory> {
        self.memories.get(place).copied().flatten()
    }

    /// Returns what is known of each photo that is known.
    pub fn memories(&self) -> impl Iterator<Item = PhotoMemory> {
        self.memories.iter().copied().flatten()
    }

    /// Returns whether every photo is known.
    pub fn is_all_known(&self) -> bool {
        self.memories.iter().all(Option::is_some)
    }

    /// Notes what is known of the photo at this place.
    pub fn note_photo(&mut self, place: usize, memory: PhotoMemory) {
        if let Some(known) = self.memories.get_mut(place) {
            *known = Some(memory);
        }
        self.settle();
    }

    fn settle(&mut self) {
        let is_settled = |place: usize| self.has_looked_at(place) || self.memory(place).is_some();
        let mut settled = self.settled;
        while settled < self.hits.len() && is_settled(settled) {
            settled += 1;
        }
        self.settled = settled;
    }

    /// Returns the hits that were looked at for this query's sake.
    pub fn hits_looked_at(&self) -> Vec<Hit> {
        let hits = self.hits.iter().zip(&self.looked_at);
        let looked_at = hits.filter(|(_, looked_at)| **looked_at);
        looked_at.map(|(hit, _)| hit.clone()).collect()
    }

    /// Returns the places of up to `count` hits that the query left over, of whose photos nothing is
    /// known and that are not planned.
    pub fn leftovers(&self, count: usize, is_planned: impl Fn(&Hit) -> bool) -> Vec<usize> {
        let hits = self.hits.iter().enumerate().skip(self.settled);
        let left = hits.filter(|(place, hit)| {
            !self.has_looked_at(*place) && self.memory(*place).is_none() && !is_planned(hit)
        });
        left.map(|(place, _)| place).take(count).collect()
    }

    /// Takes the hits at these places, which are looked at for this query's sake from now on.
    pub fn take(&mut self, places: &[usize]) -> Vec<Hit> {
        for place in places {
            if let Some(looked_at) = self.looked_at.get_mut(*place) {
                *looked_at = true;
            }
        }
        self.settle();
        let hits = places.iter().filter_map(|place| self.hits.get(*place));
        hits.cloned().collect()
    }

    /// Returns the words beside the names.
    pub fn wording(&self) -> Wording {
        self.wording
    }

    /// Returns the new photos that the first page has brought, as a part of those that a page may
    /// bring at most.
    pub fn share_brought(&self) -> f64 {
        match self.brought {
            (_, 0) => 0.0,
            (new, possible) => new as f64 / possible as f64,
        }
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    /// Returns whether the query's answer is here. Before it is, or where it could not be read, an
    /// empty list of hits says nothing.
    pub fn is_answered(&self) -> bool {
        self.pages > 0
    }

    /// Returns whether the list goes on after these hits.
    pub fn has_more(&self) -> bool {
        self.has_more
    }
}

//! The closed set of query templates, the queries that were asked, and the lists of hits that they found.

use std::collections::BTreeMap;

use domain::{FoundHits, Hit, SOURCES_MAX, Wording};

use crate::machine::hints::RECALLED_SOURCE;

use super::Subject;
use super::knowledge::{PhotoMemories, PhotoMemory};

/// The wordings of the queries about a frontier's surroundings, in order.
//= spec S2 "discovery queries"
pub const DISCOVERY: [Wording; 3] = [Wording::InCompany, Wording::Event, Wording::Awards];

/// A list number that stands for the recalled photos, which no query has found.
const RECALLED: usize = usize::MAX;

/// The number of searches that must have named a person of the request before the person's absence from their photos
/// counts.
const SEARCHES_MIN: u32 = 3;

/// A template with its names. Its text is sent to text search engines and shown to viewers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    /// The places in the text where the first and the second name end.
    ends: (usize, Option<usize>),
    wording: Wording,
}

impl Query {
    fn new(one: &str, other: Option<&str>, wording: Wording) -> Self {
        let mut text = one.to_owned();
        let mut push = |words: &str| {
            if !words.is_empty() {
                text.push(' ');
                text.push_str(words);
            }
            text.len()
        };
        let end_of_other = other.map(&mut push);
        push(wording.words());
        Self {
            text,
            ends: (one.len(), end_of_other),
            wording,
        }
    }

    /// Returns the query's text, like `Jean Valjean with celebrities`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the query's text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the one or two names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (end_of_one, end_of_other) = self.ends;
        let other = end_of_other.and_then(|end| self.text.get(end_of_one + 1..end));
        self.text.get(..end_of_one).into_iter().chain(other)
    }

    /// Returns the wording: which words the query has besides the names.
    pub fn wording(&self) -> Wording {
        self.wording
    }
}

/// Builds the query `{F} with celebrities`, `{F} event` or `{F} awards`.
pub fn discovery(name: &str, template: usize) -> Option<Query> {
    let wording = *DISCOVERY.get(template)?;
    Some(Query::new(name, None, wording))
}

/// Builds the query about one person with this wording.
pub fn single(name: &str, wording: Wording) -> Query {
    Query::new(name, None, wording)
}

/// Builds the query about two people with this wording.
pub fn of_pair(one: &str, other: &str, wording: Wording) -> Query {
    Query::new(one, Some(other), wording)
}

/// Builds the query `{F} {X}`.
//= spec S1 "q1"
pub fn pair(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Names)
}

/// Builds the query `{A} {B} together`, for when `{A} {B}` finds nothing.
//= spec S1 "fallback query templates"
pub fn pair_together(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Together)
}

/// Builds the query `{F} {X} event`.
//= spec S4 "verification queries"
pub fn pair_event(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Event)
}

/// Builds the query `{F} {X} with celebrities`. It finds photos of both people, and photos of one of them with others.
/// A photo of one person alone would lead nowhere.
pub fn pair_in_company(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::InCompany)
}

/// Returns all templates that name two people, with either name first.
pub fn naming_both(one: &str, other: &str) -> [Query; 8] {
    [
        pair(one, other),
        pair(other, one),
        pair_in_company(one, other),
        pair_in_company(other, one),
        pair_together(one, other),
        pair_together(other, one),
        pair_event(one, other),
        pair_event(other, one),
    ]
}

/// A query to one image search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey {
    /// The text of the query.
    pub query: String,
    /// The place of the image search in the run's order.
    pub source: usize,
}

impl ListKey {
    /// Returns the key of the recalled photos, which no query has found.
    pub fn of_recalled() -> Self {
        Self {
            query: String::new(),
            source: RECALLED_SOURCE,
        }
    }

    /// Returns whether this is the key of the recalled photos.
    pub fn is_recalled(&self) -> bool {
        self.source == RECALLED_SOURCE
    }
}

/// The part of an answer that a search looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// For each hit, whether it is looked at.
    pub looked_at: Vec<bool>,
    /// The number of new photos among the hits that are looked at.
    pub new: usize,
    /// The number of further new photos that the search would look at if the answer had them.
    pub missing: usize,
}

impl Extent {
    /// Counts the photos that are not looked at.
    pub fn left(&self) -> usize {
        let looked_at = self.looked_at.iter();
        looked_at.filter(|looked_at| !**looked_at).count()
    }

    /// Leaves all photos over. `new` of them were found by no earlier query.
    pub fn leave_all(&mut self, new: usize) {
        let wanted = self.new + self.missing;
        self.looked_at.fill(false);
        self.new = new.min(wanted);
        self.missing = wanted - self.new;
    }
}

/// A query that was asked of an image search.
#[derive(Debug, Clone)]
pub struct AskedQuery {
    hits: Vec<Hit>,
    /// For each hit, whether this query looked at it.
    looked_at: Vec<bool>,
    /// For each hit, what is known of its photo.
    memories: Vec<Option<PhotoMemory>>,
    /// The number of hits at the beginning that were looked at or are known.
    settled: usize,
    named: Vec<Subject>,
    wording: Wording,
    /// The number of the first page's new photos that are looked at, and the number that the search would look at if
    /// the page had enough.
    brought: (usize, usize),
    pages: u32,
    /// The number of pages requested, from the first on.
    pages_asked: u32,
    has_more: bool,
}

impl AskedQuery {
    /// Creates a query that names these people and awaits its answer.
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

    /// Notes that a page is requested.
    pub fn ask_page(&mut self, page: u32) {
        self.pages_asked = self.pages_asked.max(page.saturating_add(1));
    }

    /// Returns the number of the page after all requested ones, if all requests were answered and the list goes on.
    pub fn next_page(&self) -> Option<u32> {
        let is_answered = self.pages > 0 && self.pages == self.pages_asked;
        (is_answered && self.has_more).then_some(self.pages)
    }

    /// Adds a page. `known` returns what is known of the photo at an address.
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

    /// Notes which part of the last added page is looked at.
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

    /// Returns whether this query looked at the hit at this place.
    pub fn has_looked_at(&self, place: usize) -> bool {
        self.looked_at.get(place).copied().unwrap_or(false)
    }

    /// Returns what is known of the photo at this place of the list.
    pub fn memory(&self, place: usize) -> Option<PhotoMemory> {
        self.memories.get(place).copied().flatten()
    }

    /// Returns what is known of the photos, leaving out those of which nothing is known.
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

    /// Returns the hits that this query looked at.
    pub fn hits_looked_at(&self) -> Vec<Hit> {
        let hits = self.hits.iter().zip(&self.looked_at);
        let looked_at = hits.filter(|(_, looked_at)| **looked_at);
        looked_at.map(|(hit, _)| hit.clone()).collect()
    }

    /// Returns the places of up to `count` hits that the query left over and whose photos are neither known nor
    /// planned.
    pub fn leftovers(&self, count: usize, is_planned: impl Fn(&Hit) -> bool) -> Vec<usize> {
        let hits = self.hits.iter().enumerate().skip(self.settled);
        let left = hits.filter(|(place, hit)| {
            !self.has_looked_at(*place) && self.memory(*place).is_none() && !is_planned(hit)
        });
        left.map(|(place, _)| place).take(count).collect()
    }

    /// Takes the hits at these places, which this query looks at from now on.
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

    /// Returns the wording: which words the query has besides the names.
    pub fn wording(&self) -> Wording {
        self.wording
    }

    /// Returns the number of new photos that the first page brought, as a share of the number that was wanted.
    pub fn share_brought(&self) -> f64 {
        match self.brought {
            (_, 0) => 0.0,
            (new, possible) => new as f64 / possible as f64,
        }
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    /// Returns whether the query was answered. Before that, or if the answer was unreadable, an empty list of hits
    /// proves nothing.
    pub fn is_answered(&self) -> bool {
        self.pages > 0
    }

    /// Returns whether the image search has further hits after these.
    pub fn has_more(&self) -> bool {
        self.has_more
    }
}

/// The requested lists, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    in_order: Vec<(ListKey, AskedQuery)>,
    /// The place of each list in `in_order`.
    by_key: BTreeMap<ListKey, usize>,
    /// The list and place of each hit, by the photo's address.
    by_url: BTreeMap<String, Vec<(usize, usize)>>,
    /// The recalled photos, which no query has found.
    recalled: Option<Box<(ListKey, AskedQuery)>>,
}

impl Lists {
    /// Returns the lists in the order of their first requests.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ListKey, &AskedQuery)> {
        self.in_order.iter().map(|(key, asked)| (key, asked))
    }

    /// Returns a query to one image search.
    pub(super) fn get(&self, key: &ListKey) -> Option<&AskedQuery> {
        let (_, asked) = self.at(self.place_of(key)?)?;
        Some(asked)
    }

    fn place_of(&self, key: &ListKey) -> Option<usize> {
        if key.is_recalled() {
            Some(RECALLED)
        } else {
            self.by_key.get(key).copied()
        }
    }

    fn at(&self, place: usize) -> Option<&(ListKey, AskedQuery)> {
        if place == RECALLED {
            self.recalled.as_deref()
        } else {
            self.in_order.get(place)
        }
    }

    fn at_mut(&mut self, place: usize) -> Option<&mut (ListKey, AskedQuery)> {
        if place == RECALLED {
            self.recalled.as_deref_mut()
        } else {
            self.in_order.get_mut(place)
        }
    }

    fn get_mut(&mut self, key: &ListKey) -> Option<(usize, &mut AskedQuery)> {
        let place = self.place_of(key)?;
        let (_, asked) = self.at_mut(place)?;
        Some((place, asked))
    }

    /// Returns the queries in the order in which they were asked.
    pub(super) fn queries(&self) -> Vec<&str> {
        let mut queries: Vec<&str> = Vec::new();
        for (key, _) in &self.in_order {
            if !queries.contains(&key.query.as_str()) {
                queries.push(&key.query);
            }
        }
        queries
    }

    /// Returns a query to any image search, preferably an answered one.
    pub(super) fn of_any(&self, query: &str) -> Option<&AskedQuery> {
        let mut key = ListKey {
            query: query.to_owned(),
            source: 0,
        };
        let mut first = None;
        for source in 0..SOURCES_MAX {
            key.source = source;
            let Some(asked) = self.get(&key) else {
                continue;
            };
            if asked.is_answered() {
                return Some(asked);
            }
            first = first.or(Some(asked));
        }
        first
    }

    /// Returns how many different photos the queries have found, looked at or not.
    pub(super) fn photos_found(&self) -> usize {
        let places = self.by_url.values();
        let is_found =
            |places: &&Vec<(usize, usize)>| places.iter().any(|(list, _)| *list != RECALLED);
        places.filter(is_found).count()
    }

    /// Notes that a query requests a page of its list.
    pub(super) fn note_query(
        &mut self,
        key: &ListKey,
        named: &[Subject],
        wording: Wording,
        page: u32,
    ) {
        if let Some((_, asked)) = self.get_mut(key) {
            asked.ask_page(page);
        } else {
            self.by_key.insert(key.clone(), self.in_order.len());
            let asked = AskedQuery::new(named.to_vec(), wording);
            self.in_order.push((key.clone(), asked));
        }
    }

    /// Notes what a query has found. Returns the number of its list and the place of the first hit there.
    pub(super) fn note_hits(
        &mut self,
        key: &ListKey,
        found: FoundHits,
        photos: &PhotoMemories,
    ) -> Option<(usize, usize)> {
        let (list, asked) = self.get_mut(key)?;
        let first = asked.hits().len();
        asked.answer(found, |url| photos.at(url));
        let (_, asked) = self.in_order.get(list)?;
        for (place, hit) in asked.hits().iter().enumerate().skip(first) {
            let places = self.by_url.entry(hit.image_url.clone());
            places.or_default().push((list, place));
        }
        Some((list, first))
    }

    /// Notes a recalled photo. Returns the number of its list and its place there.
    pub(super) fn note_recalled(&mut self, hit: Hit, known: Option<PhotoMemory>) -> (usize, usize) {
        let (_, asked) = &mut **self.recalled.get_or_insert_with(|| {
            let asked = AskedQuery::new(Vec::new(), Wording::Names);
            Box::new((ListKey::of_recalled(), asked))
        });
        let place = asked.hits().len();
        let url = hit.image_url.clone();
        asked.answer(FoundHits::from(vec![hit]), |_| known);
        self.by_url.entry(url).or_default().push((RECALLED, place));
        (RECALLED, place)
    }

    /// Notes which part of the newest page is looked at.
    pub(super) fn note_extent(&mut self, key: &ListKey, extent: &Extent) {
        if let Some((_, asked)) = self.get_mut(key) {
            asked.look_at(extent);
        }
    }

    /// Returns a list by its number.
    pub(super) fn numbered(&self, list: usize) -> Option<(&ListKey, &AskedQuery)> {
        let (key, asked) = self.at(list)?;
        Some((key, asked))
    }

    /// Returns whether a query was the first to find the photo at an address.
    pub(super) fn is_found_first_by(&self, key: &ListKey, url: &str) -> bool {
        let places = self.by_url.get(url);
        let first = places.and_then(|places| places.first());
        first.is_some_and(|(list, _)| self.place_of(key) == Some(*list))
    }

    /// Notes the outcome for the photo at an address, in every list that has it.
    pub(super) fn note_photo(&mut self, url: &str, memory: PhotoMemory) {
        let places = self.by_url.get(url).cloned().unwrap_or_default();
        for (list, place) in places {
            if let Some((_, asked)) = self.at_mut(list) {
                asked.note_photo(place, memory);
            }
        }
    }

    /// Takes photos that a query left over and that it looks at from now on.
    pub(super) fn take_leftovers(&mut self, key: &ListKey, places: &[usize]) -> Vec<Hit> {
        let asked = self.get_mut(key);
        asked.map_or_else(Vec::new, |(_, asked)| asked.take(places))
    }
}

/// The result of a finished search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchSight {
    /// The search found at least one photo that the recogniser looked at, now or before.
    Photos,
    /// The search has found nothing at all.
    Nothing,
    /// The search found photos, but none could be fetched and read, which proves nothing about anybody.
    Unread,
    /// The search found photos, and the words beside them were read before any of them is looked at.
    WordsRead,
}

/// Counts of searches by result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchSights {
    photos: u32,
    nothing: u32,
    unread: u32,
    words_read: u32,
}

impl SearchSights {
    pub fn note(&mut self, sight: SearchSight) {
        *match sight {
            SearchSight::Photos => &mut self.photos,
            SearchSight::Nothing => &mut self.nothing,
            SearchSight::Unread => &mut self.unread,
            SearchSight::WordsRead => &mut self.words_read,
        } += 1;
    }

    /// Returns whether so many searches have finished that a person whom they name should have been seen, if their photos
    /// were looked at.
    pub fn are_enough(self) -> bool {
        self.all() >= SEARCHES_MIN
    }

    /// Returns whether a person who is in no photo should have been seen by now: three searches found either nothing or
    /// photos that were looked at, and at least one of them found photos. Searches whose photos could not be looked at
    /// do not count.
    pub fn should_have_shown(self) -> bool {
        self.photos > 0 && self.photos + self.nothing >= SEARCHES_MIN
    }

    /// Returns whether there is nothing to look at: three searches found nothing, and no further search found a photo
    /// that could be looked at. Photos that are left over, because their words were read first, do not count.
    pub fn found_nothing(self) -> bool {
        self.photos == 0 && self.nothing >= SEARCHES_MIN
    }

    /// Returns whether three searches found photos, and no photo that was tried could be looked at.
    pub fn saw_nothing(self) -> bool {
        self.photos == 0 && self.unread + self.words_read >= SEARCHES_MIN
    }

    /// Returns the number of searches that found only photos that could not be looked at.
    pub fn unread(self) -> u32 {
        self.unread
    }

    /// Returns the number of searches whose words were read before any of their photos was looked at.
    pub fn words_read(self) -> u32 {
        self.words_read
    }

    /// Returns the number of searches that were answered.
    pub fn all(self) -> u32 {
        self.photos + self.nothing + self.unread + self.words_read
    }
}

#[cfg(test)]
mod tests {
    mod query {
        use super::super::*;

        #[track_caller]
        fn check(query: &Query, text: &str, names: &[&str]) {
            assert_eq!(query.text(), text);
            assert_eq!(query.names().collect::<Vec<_>>(), names);
        }

        #[test]
        fn a_query_knows_whom_its_text_names() {
            check(
                &pair("Éponine", "Lu Xün"),
                "Éponine Lu Xün",
                &["Éponine", "Lu Xün"],
            );
            check(
                &pair_event("A", "B event"),
                "A B event event",
                &["A", "B event"],
            );
            let one = discovery("Ishmael", 0).unwrap();
            check(&one, "Ishmael with celebrities", &["Ishmael"]);
            assert_eq!(one.wording(), Wording::InCompany);
        }
    }

    mod search_sight {
        use SearchSight::{Nothing, Photos, Unread};

        use super::super::*;

        #[track_caller]
        fn check(sights: &[SearchSight], should_have_shown: bool, found_nothing: bool) {
            let mut counts = SearchSights::default();
            for sight in sights {
                counts.note(*sight);
            }
            let told = (counts.should_have_shown(), counts.found_nothing());
            assert_eq!(told, (should_have_shown, found_nothing), "{sights:?}");
        }

        #[test]
        fn a_name_is_judged_by_photos_and_never_by_searches_alone() {
            check(&[Photos, Photos, Photos], true, false);
            check(&[Photos, Nothing, Nothing], true, false);
            check(&[Unread, Unread, Unread, Unread], false, false);
            check(&[Photos, Unread, Unread], false, false);
            check(&[Photos, Nothing, Unread], false, false);
            check(&[Nothing, Nothing, Unread], false, false);
            check(&[Nothing, Nothing, Nothing], false, true);
            check(&[Nothing, Unread, Nothing, Nothing], false, true);
            check(&[Photos, Nothing, Unread, Nothing], true, false);
        }
    }
}

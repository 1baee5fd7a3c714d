//! The lists that queries have found, and what is known of each photo in them.

use std::collections::BTreeMap;

use domain::{FoundHits, Hit, SOURCES_MAX, Wording};

use super::asked_query::{AskedQuery, Extent, ListKey};
use super::photo_memory::{PhotoMemories, PhotoMemory};
use super::subject::Subject;

/// The number of the list of remembered photos.
const RECALLED: usize = usize::MAX;
/// Every list that was asked for, in that order.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    in_order: Vec<(ListKey, AskedQuery)>,
    /// The place of each list.
    by_key: BTreeMap<ListKey, usize>,
    /// For each photo's address the list and the place in it of every hit.
    by_url: BTreeMap<String, Vec<(usize, usize)>>,
    /// The photos that were recalled, which no query has found.
    recalled: Option<Box<(ListKey, AskedQuery)>>,
}

impl Lists {
    /// Returns the lists in the order in which they were asked for.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ListKey, &AskedQuery)> {
        self.in_order.iter().map(|(key, asked)| (key, asked))
    }

    /// Returns a query as it was asked of one image search.
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

    /// Returns a query as it was asked of any image search. One that was answered is preferred.
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

    /// Returns how many different photos queries have found, looked at or not.
    pub(super) fn photos_found(&self) -> usize {
        let places = self.by_url.values();
        let is_found =
            |places: &&Vec<(usize, usize)>| places.iter().any(|(list, _)| *list != RECALLED);
        places.filter(is_found).count()
    }

    /// Notes a query that is asked for a page of its list.
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

    /// Notes what an asked query has found. Returns the number of its list and the place of the
    /// first hit there.
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

    /// Notes a photo that was recalled. Returns the number of its list and its place there.
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

    /// Notes which part of the page that came last is looked at.
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

    /// Notes the outcome for the photo at an address, in every list that has it.
    pub(super) fn note_photo(&mut self, url: &str, memory: PhotoMemory) {
        let places = self.by_url.get(url).cloned().unwrap_or_default();
        for (list, place) in places {
            if let Some((_, asked)) = self.at_mut(list) {
                asked.note_photo(place, memory);
            }
        }
    }

    /// Takes photos that a query left over, which are looked at for its sake from now on.
    pub(super) fn take_leftovers(&mut self, key: &ListKey, places: &[usize]) -> Vec<Hit> {
        let asked = self.get_mut(key);
        asked.map_or_else(Vec::new, |(_, asked)| asked.take(places))
    }
}

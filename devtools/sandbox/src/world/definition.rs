//! A world: which people are in which photo. It never changes once it is built.

use std::collections::BTreeMap;

use crate::hash::hash;

use super::index::Index;
use super::people::{PersonDetails, WorldPerson, WorldPhoto};

/// A world of photos and the people in them. Both are numbered by their index.
#[derive(Clone, Debug)]
pub struct World {
    /// The title in the file.
    pub name: String,
    /// The source of the facts, for people to read.
    pub source: String,
    /// The licence of the facts, by its SPDX name if it has one.
    pub license: String,
    /// All people, in the order of their first appearance.
    pub people: Vec<WorldPerson>,
    /// The photos, in the order of the file.
    pub photos: Vec<WorldPhoto>,
    index: Index,
    /// The pair that the file recommends to try first, if any.
    recommended: Option<[usize; 2]>,
}

impl World {
    /// Builds a world from photos as lists of keys, and from the details of people.
    pub(super) fn assemble(
        [name, source, license]: [String; 3],
        photos: &[Vec<&str>],
        details: &BTreeMap<String, PersonDetails>,
    ) -> Self {
        let mut by_key = PeopleByKey {
            people: Vec::new(),
            numbers: BTreeMap::new(),
            details,
        };
        let photos: Vec<WorldPhoto> = photos
            .iter()
            .map(|keys| {
                let mut people: Vec<usize> = Vec::with_capacity(keys.len());
                for key in keys {
                    let number = by_key.number(key);
                    if !people.contains(&number) {
                        people.push(number);
                    }
                }
                WorldPhoto { people }
            })
            .collect();
        // People whom no photo shows are added as well, because the recogniser knows them although no search finds
        // them.
        for key in details.keys() {
            by_key.number(key);
        }
        let people = by_key.people;
        let index = Index::new(&people, &photos);
        Self {
            name,
            source,
            license,
            people,
            photos,
            index,
            recommended: None,
        }
    }

    /// Sets the recommended pair.
    pub(super) fn recommending(mut self, ends: [usize; 2]) -> Self {
        self.recommended = Some(ends);
        self
    }

    /// Returns the pair that the file recommends to try first, if any.
    pub(super) fn recommended(&self) -> Option<[usize; 2]> {
        self.recommended
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the photos that show a person, in order.
    #[must_use]
    pub fn photos_of(&self, person: usize) -> &[usize] {
        self.index.photos_of(person)
    }

    /// Returns the people in a photo; empty for a photo that does not exist.
    #[must_use]
    pub fn people_in(&self, photo: usize) -> &[usize] {
        self.photos
            .get(photo)
            .map_or(&[], |photo| photo.people.as_slice())
    }

    /// Returns the person with a Wikidata number, such as `Q42`.
    #[must_use]
    pub fn numbered(&self, wikidata_number: &str) -> Option<usize> {
        self.index.numbered(wikidata_number)
    }

    /// Returns a short fingerprint of the world. Its pictures carry it, so that a picture from another world shows
    /// nobody.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let size = [self.people.len(), self.photos.len()];
        let [people, photos] = size.map(Into::into);
        format!(
            "{:016x}",
            hash(&["world".into(), self.name.as_str().into(), people, photos])
        )
    }
}

/// The people met so far, numbered in order of appearance.
struct PeopleByKey<'a> {
    people: Vec<WorldPerson>,
    numbers: BTreeMap<String, usize>,
    details: &'a BTreeMap<String, PersonDetails>,
}

impl PeopleByKey<'_> {
    fn number(&mut self, key: &str) -> usize {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = self.people.len();
        let details = self
            .details
            .get(key)
            .map_or_else(|| PersonDetails::named(key), Clone::clone);
        self.people.push(WorldPerson::new(number, key, details));
        self.numbers.insert(key.to_owned(), number);
        number
    }
}

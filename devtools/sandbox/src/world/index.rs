//! The index that makes a world of seventy thousand photos fast to query: from a person to photos, from the first word
//! of a name or an alias to the names that begin with it, and from a number to a person.

use std::collections::BTreeMap;
use std::iter;

use crate::name_folding;

use super::people::{WorldPerson, WorldPhoto};

/// The three tables of a world, built once.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    photos_by_person: Vec<Vec<usize>>,
    /// For each word, the names that begin with it, each with its bearers.
    names_by_word: BTreeMap<String, Vec<IndexedName>>,
    /// The people by their Wikidata numbers, which are unique.
    people_by_number: BTreeMap<String, usize>,
}

/// A folded name or alias and its bearers.
#[derive(Clone, Debug)]
pub(super) struct IndexedName {
    pub words: Vec<String>,
    pub people: Vec<usize>,
}

impl Index {
    pub(super) fn new(people: &[WorldPerson], photos: &[WorldPhoto]) -> Self {
        let mut photos_by_person = vec![Vec::new(); people.len()];
        for (number, photo) in photos.iter().enumerate() {
            for person in &photo.people {
                if let Some(list) = photos_by_person.get_mut(*person) {
                    list.push(number);
                }
            }
        }
        let mut bearers: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (number, person) in people.iter().enumerate() {
            for name in iter::once(&person.name).chain(&person.aliases) {
                let people = bearers.entry(name_folding::words(name)).or_default();
                if people.last() != Some(&number) {
                    people.push(number);
                }
            }
        }
        let mut names_by_word: BTreeMap<String, Vec<IndexedName>> = BTreeMap::new();
        for (words, people) in bearers {
            if let Some(first) = words.first() {
                names_by_word
                    .entry(first.clone())
                    .or_default()
                    .push(IndexedName { words, people });
            }
        }
        Self {
            photos_by_person,
            names_by_word,
            people_by_number: people
                .iter()
                .enumerate()
                .map(|(number, person)| (person.wikidata_number.clone(), number))
                .collect(),
        }
    }

    pub(super) fn numbered(&self, wikidata_number: &str) -> Option<usize> {
        self.people_by_number.get(wikidata_number).copied()
    }

    pub(super) fn photos_of(&self, person: usize) -> &[usize] {
        self.photos_by_person.get(person).map_or(&[], Vec::as_slice)
    }

    /// Returns everybody whose folded name or alias is exactly this one.
    pub(super) fn bearers(&self, words: &[String]) -> &[usize] {
        words
            .first()
            .and_then(|first| self.names_by_word.get(first))
            .and_then(|names| names.iter().find(|name| name.words == words))
            .map_or(&[], |name| name.people.as_slice())
    }

    /// Returns the names that occur in a query as whole words. Longer names are found first, and no word counts twice.
    /// So "Mary Jane Bennet" does not mention "Jane Bennet" if both names exist.
    pub(super) fn named_in(&self, query: &[String]) -> Vec<&IndexedName> {
        let mut found: Vec<(usize, &IndexedName)> = Vec::new();
        for (position, word) in query.iter().enumerate() {
            let rest = query.get(position..).unwrap_or_default();
            let names = self.names_by_word.get(word).map_or(&[][..], Vec::as_slice);
            found.extend(
                names
                    .iter()
                    .filter(|name| rest.starts_with(&name.words))
                    .map(|name| (position, name)),
            );
        }
        found.sort_by_key(|(position, name)| (std::cmp::Reverse(name.words.len()), *position));
        let mut taken = vec![false; query.len()];
        let mut named: Vec<&IndexedName> = Vec::new();
        for (position, name) in found {
            let Some(words) = taken.get_mut(position..position + name.words.len()) else {
                continue;
            };
            if words.iter().any(|word| *word) {
                continue;
            }
            words.fill(true);
            // Somebody whom the query mentions by name and by alias counts once.
            if !named.iter().any(|other| other.people == name.people) {
                named.push(name);
            }
        }
        named
    }
}

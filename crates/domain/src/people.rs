//! The people of a run, identified by recogniser ids, Wikidata numbers and folded names.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use strum::IntoStaticStr;

use crate::face::Face;
use crate::identifiers::WikidataNumber;
use crate::name::{Name, TypedPerson};
use crate::spelling::{fold, share_a_word, spellings};

/// A person of this run: an index into [`People`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonIndex(pub u32);

/// One of the two typed people, and the part of the search that starts from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Side {
    /// The side of the name that was typed first, where the chain starts.
    A,
    /// The side of the name that was typed second, where the chain ends.
    B,
}

impl Side {
    /// Returns the name in events and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the opposite side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A recognised person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The recogniser's id at the first sighting, or `name:` and the folded name if it gave none.
    pub id: String,
    /// The recogniser's name.
    pub name: String,
    /// The folded name of the first sighting.
    pub folded: String,
    /// The folded forms of every name that the recogniser gave this person.
    pub folded_names: BTreeSet<String>,
    /// The addresses of pages about the person, with scheme.
    pub urls: Vec<String>,
    /// The Wikidata number of one of these pages.
    pub wikidata: Option<WikidataNumber>,
}

/// What recognising a person says about the typed names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The side's typed name is bound to this person.
    Bound(Side),
    /// A second person has the side's typed name. They stay two people.
    Namesake(Side),
    /// This person has the side's typed name but a different number than the given one.
    NotMeant(Side),
    /// This person has the side's typed name but no known number.
    Unnumbered(Side),
    /// The side's typed name is another name of the other side's person.
    SamePerson(Side),
    /// The recogniser gives both people the same number, but their names share no word. They stay two people.
    OneNumber(PersonIndex, PersonIndex),
}

/// Everybody recognised in this run, in order of first sighting.
#[derive(Debug, Clone)]
pub struct People {
    known: Vec<Person>,
    by_id: BTreeMap<String, PersonIndex>,
    /// The people of each number, in order of first sighting: several if their names share no word.
    by_wikidata: BTreeMap<WikidataNumber, Vec<PersonIndex>>,
    /// People with a number that another person has, and that person, until viewers are told.
    with_one_number: BTreeMap<PersonIndex, PersonIndex>,
    typed: [Typed; 2],
    /// People with the typed name of a side that they are not. Viewers are told of each once.
    told: BTreeSet<(PersonIndex, Side)>,
    are_one: bool,
}

impl People {
    /// Makes the people of a run before anybody is recognised.
    #[must_use]
    pub fn new(person_a: TypedPerson, person_b: TypedPerson) -> Self {
        let have_one_name = person_a.name.is_same_as(&person_b.name);
        let typed = |meant: TypedPerson| Typed {
            spellings: spellings(meant.as_str()),
            shown: match &meant.wikidata {
                Some(number) if have_one_name => format!("{} ({number})", meant.as_str()),
                _ => meant.as_str().to_owned(),
            },
            meant,
            person: None,
        };
        Self {
            known: Vec::new(),
            by_id: BTreeMap::new(),
            by_wikidata: BTreeMap::new(),
            with_one_number: BTreeMap::new(),
            typed: [typed(person_a), typed(person_b)],
            told: BTreeSet::new(),
            are_one: false,
        }
    }

    /// Returns the typed name of a side.
    #[must_use]
    pub fn typed_name(&self, side: Side) -> &Name {
        &self.typed_of(side).meant.name
    }

    /// Returns a side's typed name for display, with its number if both sides have the same name.
    #[must_use]
    pub fn shown_name(&self, side: Side) -> &str {
        &self.typed_of(side).shown
    }

    /// Returns the number given with a side's typed name, if any.
    #[must_use]
    pub fn given_number(&self, side: Side) -> Option<&WikidataNumber> {
        self.typed_of(side).meant.wikidata.as_ref()
    }

    /// Returns whether viewers were told that somebody else has a side's typed name.
    #[must_use]
    pub fn has_namesake(&self, side: Side) -> bool {
        self.told.iter().any(|(_, of)| *of == side)
    }

    /// Returns the person whom a side's typed name is bound to.
    #[must_use]
    pub fn bound(&self, side: Side) -> Option<PersonIndex> {
        self.typed_of(side).person
    }

    /// Returns the person of this index.
    #[must_use]
    pub fn person(&self, index: PersonIndex) -> Option<&Person> {
        self.known.get(usize::try_from(index.0).ok()?)
    }

    /// Returns everybody, in order of first sighting.
    pub fn iter(&self) -> impl Iterator<Item = (PersonIndex, &Person)> {
        (0u32..).map(PersonIndex).zip(&self.known)
    }

    /// Returns the person's id, or an empty text for an unknown index.
    #[must_use]
    pub fn id(&self, index: PersonIndex) -> &str {
        self.person(index).map_or("", |person| &person.id)
    }

    /// Returns the person's name: as typed for the two typed people, otherwise as recognised.
    #[must_use]
    pub fn name(&self, index: PersonIndex) -> &str {
        for typed in &self.typed {
            if typed.person == Some(index) {
                return &typed.shown;
            }
        }
        self.person(index).map_or("", |person| &person.name)
    }

    /// Returns whether the recogniser considers the two typed people one person.
    #[must_use]
    pub fn are_one(&self) -> bool {
        self.are_one
    }

    /// Returns the person of a face, adding a new one if necessary.
    ///
    /// A face with a known id is the person of that id. Otherwise, a face with a known Wikidata number is the person of
    /// that number if their names share a word, so that a wrong number does not merge two people. Otherwise, a face
    /// without an id is the person of its folded name, unless the numbers differ. Any other face is a new person. The
    /// pages of a person are those of the first sighting; a number may be added later. If a typed name was given with a
    /// number, somebody with a number is never identified by name alone.
    pub fn resolve(&mut self, face: &Face) -> PersonIndex {
        let folded = fold(&face.name);
        let mut key = if face.id.is_empty() {
            format!("name:{folded}")
        } else {
            face.id.clone()
        };
        let number = wikidata_of(face);
        let mut known = self.by_id.get(&key).copied();
        if let (true, Some(number)) = (face.id.is_empty(), &number) {
            let person = known.and_then(|person| self.person(person));
            // A name alone does not outweigh a number.
            if self.goes_by_number() || person.is_some_and(|one| is_other(one, number)) {
                key = format!("name:{folded} {number}");
                known = self.by_id.get(&key).copied();
            }
        }
        let person = known.unwrap_or_else(|| self.admit(key, face));
        let index = usize::try_from(person.0).unwrap_or(usize::MAX);
        if let Some(known) = self.known.get_mut(index) {
            if !known.folded_names.contains(&folded) {
                known.folded_names.extend(spellings(&face.name));
            }
            // The number identifies a person but never merges two.
            if let (None, Some(number)) = (&known.wikidata, number) {
                known.wikidata = Some(number.clone());
                self.note_number(number, person);
            }
        }
        person
    }

    fn note_number(&mut self, number: WikidataNumber, person: PersonIndex) {
        let bearers = self.by_wikidata.entry(number).or_default();
        if !bearers.contains(&person) {
            bearers.push(person);
        }
    }

    /// Returns the person with this number who has a name that shares a word with `folded`.
    fn namesake_of_number(&self, number: &WikidataNumber, folded: &str) -> Option<PersonIndex> {
        // The name typed with a number is a name of the person who has that number.
        let is_typed = self.typed.iter().any(|typed| {
            let mut names = typed.spellings.iter();
            typed.meant.wikidata.as_ref() == Some(number)
                && names.any(|name| share_a_word(name, folded))
        });
        let shares = |person: &Person| {
            let mut names = person.folded_names.iter().chain([&person.folded]);
            is_typed || names.any(|name| share_a_word(name, folded))
        };
        let mut bearers = self.by_wikidata.get(number)?.iter().copied();
        bearers.find(|bearer| self.person(*bearer).is_some_and(shares))
    }

    fn admit(&mut self, key: String, face: &Face) -> PersonIndex {
        let wikidata = wikidata_of(face);
        let folded = fold(&face.name);
        let known = wikidata
            .as_ref()
            .and_then(|number| self.namesake_of_number(number, &folded));
        let person = known.unwrap_or_else(|| {
            let index = PersonIndex(u32::try_from(self.known.len()).unwrap_or(u32::MAX));
            self.known.push(Person {
                id: key.clone(),
                name: face.name.clone(),
                folded,
                folded_names: BTreeSet::new(),
                urls: face
                    .urls
                    .iter()
                    .filter_map(|url| with_scheme(url))
                    .collect(),
                wikidata: wikidata.clone(),
            });
            index
        });
        self.by_id.insert(key, person);
        if let Some(number) = wikidata {
            let first = self.by_wikidata.get(&number).and_then(|all| all.first());
            if let Some(first) = first.filter(|first| **first != person && known.is_none()) {
                self.with_one_number.insert(person, *first);
            }
            self.note_number(number, person);
        }
        person
    }

    /// Binds typed names to a person recognised under `name` at the threshold. Returns what viewers should be told,
    /// each fact once. If a typed name has a number, only the number binds it.
    pub fn bind(&mut self, person: PersonIndex, name: &str) -> Vec<Binding> {
        let names = spellings(name);
        let number = self.person(person).and_then(|one| one.wikidata.clone());
        let mut bindings = Vec::new();
        if let Some(first) = self.with_one_number.remove(&person) {
            bindings.push(Binding::OneNumber(first, person));
        }
        for side in [Side::A, Side::B] {
            let other = self.bound(side.other());
            let is_other = number.is_some() && self.given_number(side.other()) == number.as_ref();
            let typed = self.typed_of_mut(side);
            let has_name = typed.spellings.iter().any(|name| names.contains(name));
            let is_meant = match &typed.meant.wikidata {
                Some(given) => number.as_ref() == Some(given),
                None => has_name,
            };
            if typed.person == Some(person) || !(is_meant || has_name) {
                continue;
            }
            if !is_meant {
                let is_new = other != Some(person) && !is_other;
                if is_new && self.told.insert((person, side)) {
                    bindings.push(match number {
                        Some(_) => Binding::NotMeant(side),
                        None => Binding::Unnumbered(side),
                    });
                }
                continue;
            }
            if typed.person.is_none() && other != Some(person) {
                typed.person = Some(person);
                bindings.push(Binding::Bound(side));
                continue;
            }
            let is_same = typed.person.is_none();
            if self.told.insert((person, side)) {
                self.are_one |= is_same;
                bindings.push(if is_same {
                    Binding::SamePerson(side)
                } else {
                    Binding::Namesake(side)
                });
            }
        }
        bindings
    }

    /// Returns whether any typed person was given with a number.
    fn goes_by_number(&self) -> bool {
        self.typed
            .iter()
            .any(|typed| typed.meant.wikidata.is_some())
    }

    fn typed_of(&self, side: Side) -> &Typed {
        let [first, second] = &self.typed;
        match side {
            Side::A => first,
            Side::B => second,
        }
    }

    fn typed_of_mut(&mut self, side: Side) -> &mut Typed {
        let [first, second] = &mut self.typed;
        match side {
            Side::A => first,
            Side::B => second,
        }
    }
}

#[derive(Debug, Clone)]
struct Typed {
    meant: TypedPerson,
    /// The name for display, with the number if both sides have the same name.
    shown: String,
    /// The folded forms of the name.
    spellings: Vec<String>,
    person: Option<PersonIndex>,
}

/// Returns whether a person has a different number.
fn is_other(person: &Person, number: &WikidataNumber) -> bool {
    person
        .wikidata
        .as_ref()
        .is_some_and(|known| known != number)
}

/// Returns the number in a face's first Wikidata page.
#[must_use]
pub fn wikidata_of(face: &Face) -> Option<WikidataNumber> {
    face.urls
        .iter()
        .find_map(|url| WikidataNumber::of_page(url))
}

/// Adds a scheme to the address of a page; `None` if it is no web page.
fn with_scheme(url: &str) -> Option<String> {
    if url.starts_with("https://") || url.starts_with("http://") {
        return Some(url.to_owned());
    }
    let is_plain_host = url.contains('.') && !url.contains(':') && !url.starts_with('/');
    is_plain_host.then(|| format!("https://{url}"))
}

//! The people of a run. They are identified by recogniser ids, Wikidata numbers and folded names.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use strum::IntoStaticStr;

use crate::face::Face;
use crate::identifiers::WikidataNumber;
use crate::name::{Name, TypedPerson};
use crate::spelling::{fold, share_a_word, spellings};

/// A person of this run, as an index into [`People`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonIndex(pub u32);

/// One of the two people of the request, and the part of the search that starts from this person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Side {
    /// The side of the person who was typed first, where the chain starts.
    A,
    /// The side of the person who was typed second, where the chain ends.
    B,
}

impl Side {
    /// Returns the side's name in events and documents.
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

/// A person whom the recogniser recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The recogniser's id for the person at the first sighting. If it sent none, the id is `name:` and the folded
    /// name.
    pub id: String,
    /// The person's name from the recogniser.
    pub name: String,
    /// The folded form of the name at the first sighting.
    pub folded: String,
    /// The folded forms of every name under which the recogniser recognised this person.
    pub folded_names: BTreeSet<String>,
    /// The addresses of pages about the person, with a scheme.
    pub urls: Vec<String>,
    /// The Wikidata number in the address of one of these pages, if one is a Wikidata page.
    pub wikidata: Option<WikidataNumber>,
}

/// How a recognised person relates to a typed name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The side's typed name now stands for this person.
    Bound(Side),
    /// The side's typed name already stands for another person with the same name. The two stay separate people.
    Namesake(Side),
    /// This person has the side's typed name but not the Wikidata number that was typed with it.
    NotMeant(Side),
    /// This person has the side's typed name but no known Wikidata number, so it is unknown whether they are meant.
    Unnumbered(Side),
    /// The side's typed name is another name of the person on the opposite side.
    SamePerson(Side),
    /// The recogniser sent the same Wikidata number for both people, but their names share no word. They stay
    /// separate people.
    OneNumber(PersonIndex, PersonIndex),
}

/// Everybody who was recognised in this run, in order of first sighting.
#[derive(Debug, Clone)]
pub struct People {
    known: Vec<Person>,
    by_id: BTreeMap<String, PersonIndex>,
    /// The people with each Wikidata number, in order of first sighting. There are several if their names share no
    /// word.
    by_wikidata: BTreeMap<WikidataNumber, Vec<PersonIndex>>,
    /// Maps a person to the other person who already had the same Wikidata number. An entry is removed once it was
    /// reported to viewers.
    with_one_number: BTreeMap<PersonIndex, PersonIndex>,
    typed: [Typed; 2],
    /// People who have the typed name of a side but are not that side's person. Each is reported to viewers once.
    told: BTreeSet<(PersonIndex, Side)>,
    are_one: bool,
}

impl People {
    /// Makes the people of a run in which nobody has been recognised yet.
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

    /// Returns the name that was typed for a side.
    #[must_use]
    pub fn typed_name(&self, side: Side) -> &Name {
        &self.typed_of(side).meant.name
    }

    /// Returns a side's typed name for display. If both sides have the same name, it includes the Wikidata number.
    #[must_use]
    pub fn shown_name(&self, side: Side) -> &str {
        &self.typed_of(side).shown
    }

    /// Returns the Wikidata number that was typed with a side's name, if any.
    #[must_use]
    pub fn given_number(&self, side: Side) -> Option<&WikidataNumber> {
        self.typed_of(side).meant.wikidata.as_ref()
    }

    /// Returns whether viewers were informed that somebody else also has this side's typed name.
    #[must_use]
    pub fn has_namesake(&self, side: Side) -> bool {
        self.told.iter().any(|(_, of)| *of == side)
    }

    /// Returns the person for whom a side's typed name stands; `None` until that person is recognised.
    #[must_use]
    pub fn bound(&self, side: Side) -> Option<PersonIndex> {
        self.typed_of(side).person
    }

    /// Returns the person with this index.
    #[must_use]
    pub fn person(&self, index: PersonIndex) -> Option<&Person> {
        self.known.get(usize::try_from(index.0).ok()?)
    }

    /// Returns everybody who was recognised, in order of first sighting.
    pub fn iter(&self) -> impl Iterator<Item = (PersonIndex, &Person)> {
        (0u32..).map(PersonIndex).zip(&self.known)
    }

    /// Returns the person's id; an empty text if the index is unknown.
    #[must_use]
    pub fn id(&self, index: PersonIndex) -> &str {
        self.person(index).map_or("", |person| &person.id)
    }

    /// Returns the person's name. For the two people of the request it is the typed name, for anybody else the
    /// recognised one.
    #[must_use]
    pub fn name(&self, index: PersonIndex) -> &str {
        for typed in &self.typed {
            if typed.person == Some(index) {
                return &typed.shown;
            }
        }
        self.person(index).map_or("", |person| &person.name)
    }

    /// Returns whether, according to the recogniser, the two people of the request are one person.
    #[must_use]
    pub fn are_one(&self) -> bool {
        self.are_one
    }

    /// Returns the person to whom a face belongs, adding a new person if necessary.
    ///
    /// A face with a known id belongs to the person with that id. Otherwise, a face with a known Wikidata number
    /// belongs to the person with that number if their names share a word, because a wrong number must not merge two
    /// people. Otherwise, a face without an id belongs to the person with its folded name, unless the numbers differ.
    /// Any other face is a new person. A person keeps the pages of the first sighting; only a number may be added
    /// later. If the user typed a number for either person, a face that has a number is never identified by its name
    /// alone.
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
            // The same name with another number is another person, so the key includes the number.
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
            // The number is added to the person, but it never merges two known people.
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

    /// Returns the person with this number if one of their names shares a word with `folded`.
    fn namesake_of_number(&self, number: &WikidataNumber, folded: &str) -> Option<PersonIndex> {
        // The name that was typed with a number counts as a name of the person who has that number.
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

    /// Binds `person`, who was recognised under `name` with enough confidence, to the typed names that match. If a
    /// typed name has a number, only a person with that number is bound to it. Returns what viewers should learn from
    /// this, each fact only once.
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

    /// Returns whether the user typed a Wikidata number for at least one of the two people.
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
    /// The name for display. It includes the number if both sides have the same name.
    shown: String,
    /// The folded forms of the typed name.
    spellings: Vec<String>,
    person: Option<PersonIndex>,
}

/// Returns whether a person has a number other than this one.
fn is_other(person: &Person, number: &WikidataNumber) -> bool {
    person
        .wikidata
        .as_ref()
        .is_some_and(|known| known != number)
}

/// Returns the Wikidata number in the first Wikidata page among a face's addresses.
#[must_use]
pub fn wikidata_of(face: &Face) -> Option<WikidataNumber> {
    face.urls
        .iter()
        .find_map(|url| WikidataNumber::of_page(url))
}

/// Adds a scheme to an address that has none; `None` if the address is not that of a web page.
fn with_scheme(url: &str) -> Option<String> {
    if url.starts_with("https://") || url.starts_with("http://") {
        return Some(url.to_owned());
    }
    let is_plain_host = url.contains('.') && !url.contains(':') && !url.starts_with('/');
    is_plain_host.then(|| format!("https://{url}"))
}

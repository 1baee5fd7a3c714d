//! One of the two people whom a run is about, as somebody typed them.

use crate::name::Name;
use crate::wikidata::WikidataNumber;

/// A typed name, and perhaps the number that says who is meant by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPerson {
    /// The name as typed.
    pub name: Name,
    /// The number that says who is meant. Nobody else is ever taken for this person, and they are
    /// known by it under whatever name they are recognised. Without a number, the first person
    /// recognised under the name is meant.
    pub wikidata: Option<WikidataNumber>,
}

impl TypedPerson {
    /// Returns the name as it is shown and searched for.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the folded name for comparison.
    #[must_use]
    pub fn folded(&self) -> String {
        self.name.folded()
    }

    /// Returns whether two typed people are one, as far as can be told before anybody is
    /// recognised: by their numbers where both have one, otherwise by their names.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (&self.wikidata, &other.wikidata) {
            (Some(one), Some(other)) => one == other,
            _ => self.name.is_same_as(&other.name),
        }
    }
}

impl From<Name> for TypedPerson {
    /// Makes a typed person without a number: anybody who has the name may be meant.
    fn from(name: Name) -> Self {
        Self {
            name,
            wikidata: None,
        }
    }
}

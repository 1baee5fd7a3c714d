//! Who and what a world is made of.

use crate::sandbox::hash::{below, hash};

/// Somebody whom the recogniser knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPerson {
    /// How the world file tells this person from a namesake.
    pub key: String,
    /// The displayed name; two people may share one.
    pub name: String,
    /// The recogniser's identifier.
    pub id: String,
    /// A Wikidata page without its scheme, as the recogniser gives it; about a third have one.
    pub wikidata: Option<String>,
    /// A film database page without its scheme; some have one.
    pub imdb: Option<String>,
}

/// One photo: the numbers of the people in it, from left to right, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPhoto {
    /// Indexes into [`crate::sandbox::World::people`].
    pub people: Vec<usize>,
}

impl WorldPerson {
    pub(super) fn new(number: usize, key: &str, name: String) -> Self {
        // Of nine: two have both pages, one Wikidata only, three the film database only, three
        // none.
        let share = below(hash(&["urls".into(), key.into()]), 9);
        Self {
            key: key.to_owned(),
            name,
            id: format!("c{number}"),
            wikidata: (share < 3).then(|| format!("www.wikidata.org/wiki/Q9{number:06}")),
            imdb: matches!(share, 0 | 1 | 3..=5)
                .then(|| format!("www.imdb.com/name/nm9{number:06}")),
        }
    }

    /// The recogniser's `Urls`: without scheme, Wikidata first, often none.
    #[must_use]
    pub fn urls(&self) -> Vec<&str> {
        [&self.wikidata, &self.imdb]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }
}

//! Who and what a world is made of.

use crate::hash::{below, hash};

/// Somebody whom the recogniser knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPerson {
    /// How the world file tells this person from a namesake.
    pub key: String,
    /// The displayed name; two people may share one.
    pub name: String,
    /// The recogniser's identifier.
    pub id: String,
    /// The number in Wikidata, `Q42`: the world file's, or a made-up `Q9...`. Everybody has one of
    /// their own.
    pub wikidata_number: String,
    /// The Wikidata page without its scheme, as the recogniser gives it: about nine people in ten
    /// have one, and everybody whose number stands in the world file.
    pub wikidata: Option<String>,
    /// A film database page without its scheme; some have one.
    pub imdb: Option<String>,
    /// Other names by which a search finds this person.
    pub aliases: Vec<String>,
    /// Who this is, in a few words.
    pub description: Option<String>,
}

/// One photo: the numbers of the people in it, from left to right, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPhoto {
    /// Indexes into [`crate::World::people`].
    pub people: Vec<usize>,
}

/// What a world says of a person beside the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PersonDetails {
    pub name: String,
    /// The number in Wikidata, where the world knows it.
    pub wikidata: Option<String>,
    pub aliases: Vec<String>,
    pub description: Option<String>,
}

impl PersonDetails {
    pub(super) fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl WorldPerson {
    pub(super) fn new(number: usize, key: &str, details: PersonDetails) -> Self {
        // Of nine: two have both pages, one Wikidata only, three the film database only, three
        // none. Of those without Wikidata, seventeen in twenty get it here.
        let share = below(hash(&["urls".into(), key.into()]), 9);
        let listed = share < 3 || below(hash(&["wikidata page".into(), key.into()]), 20) < 17;
        let listed = listed || details.wikidata.is_some();
        let wikidata_number = details
            .wikidata
            .unwrap_or_else(|| made_up_wikidata_number(number));
        Self {
            key: key.to_owned(),
            name: details.name,
            id: format!("c{number}"),
            wikidata: listed.then(|| format!("www.wikidata.org/wiki/{wikidata_number}")),
            wikidata_number,
            imdb: matches!(share, 0 | 1 | 3..=5)
                .then(|| format!("www.imdb.com/name/nm9{number:06}")),
            aliases: details.aliases,
            description: details.description,
        }
    }

    /// The recogniser's `Urls`: without scheme, Wikidata first, sometimes none.
    #[must_use]
    pub fn urls(&self) -> Vec<&str> {
        [&self.wikidata, &self.imdb]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }
}

/// The number of a person for whom the world file has none.
pub(super) fn made_up_wikidata_number(person: usize) -> String {
    format!("Q9{person:06}")
}

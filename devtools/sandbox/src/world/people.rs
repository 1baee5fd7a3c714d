//! The people and the photos of a world.

use crate::hash::{below, hash};

/// Somebody whom the recogniser knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPerson {
    /// The key by which the world file distinguishes namesakes.
    pub key: String,
    /// The displayed name, which need not be unique.
    pub name: String,
    /// The id by which the recogniser identifies the person.
    pub id: String,
    /// The unique Wikidata number, such as `Q42`. It comes from the world file, or is a generated `Q9...`.
    pub wikidata_number: String,
    /// The address of the Wikidata page without its scheme, as the recogniser returns it. About nine people in ten have
    /// one, including everybody whose number is in the world file.
    pub wikidata: Option<String>,
    /// The address of a page in a film database without its scheme, for about five people in nine.
    pub imdb: Option<String>,
    /// Names besides `name` by which a search finds this person.
    pub aliases: Vec<String>,
    /// The description of the person in a few words; `None` if the world file has none.
    pub description: Option<String>,
}

/// A photo: the people in it, from left to right. Nobody occurs twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPhoto {
    /// The indexes of the people in [`crate::World::people`].
    pub people: Vec<usize>,
}

/// The details of a person in a world file, without the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PersonDetails {
    pub name: String,
    /// The Wikidata number, or `None` if the file does not have it.
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
        // At first, of nine people, two get both pages, one gets only Wikidata's, three get only the film database's,
        // and three get neither. Then seventeen in twenty of those without Wikidata's page get that one as well.
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

    /// Returns the recogniser's `Urls`, without their scheme. Wikidata comes first; the list may be empty.
    #[must_use]
    pub fn urls(&self) -> Vec<&str> {
        [&self.wikidata, &self.imdb]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }
}

/// Returns the generated number for a person who has none in the world file.
pub(super) fn made_up_wikidata_number(person: usize) -> String {
    format!("Q9{person:06}")
}

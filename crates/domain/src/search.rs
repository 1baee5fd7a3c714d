//! What a run asks image searches and the planner, and what it learns: whom to find and with which words, the
//! photos that are found, and whom to try next.
//!
//! A question names people; each provider makes its own best query of it. [`SearchQuestion::text`]
//! is the specification's English template, for search engines that take words, and the name under
//! which a question is told and kept.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::identifiers::WikidataNumber;
use crate::people::Side;

/// The most image searches that a run may ask.
pub const SOURCES_MAX: usize = 8;
/// The most hits that one answer is asked for.
pub const HITS_MAX: u32 = 200;
/// The most pages of one list that are asked for.
pub const PAGES_MAX: u32 = 100;

/// A person whom a search names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPerson {
    /// The name, as typed or as the recogniser says.
    pub name: String,
    /// The number that says who is meant, where it is known.
    pub number: Option<PersonNumber>,
}

/// A person's Wikidata number, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonNumber {
    /// The number was given by the person who started the run, to say who is meant.
    Given(WikidataNumber),
    /// The number comes from the recogniser; it is a hint for the search.
    Recognised(WikidataNumber),
}

impl PersonNumber {
    /// Returns the number, wherever it comes from.
    #[must_use]
    pub fn wikidata(&self) -> &WikidataNumber {
        match self {
            Self::Given(number) | Self::Recognised(number) => number,
        }
    }
}

/// The words beside the names: the closed set of the specification's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// The names alone.
    //= spec S1 "q1"
    Names,
    /// The word `together`, for where the names alone find nothing.
    //= spec S1 "fallback query templates"
    Together,
    /// The words `with celebrities`, for people in company.
    //= spec S2 "discovery queries"
    InCompany,
    /// The word `event`.
    //= spec S2 "discovery queries"
    //= spec S4 "verification queries"
    Event,
    /// The word `awards`.
    //= spec S2 "discovery queries"
    Awards,
}

impl Wording {
    /// Returns the words after the names, which are empty for the names alone.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Names => "",
            Self::Together => "together",
            Self::InCompany => "with celebrities",
            Self::Event => "event",
            Self::Awards => "awards",
        }
    }
}

/// The question of an image search: one person or two, and the words beside their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchQuestion {
    /// The people to find, one or two.
    pub people: Vec<NamedPerson>,
    /// The words beside the names.
    pub wording: Wording,
}

impl SearchQuestion {
    /// Returns the question as English words: the names, then the wording.
    #[must_use]
    pub fn text(&self) -> String {
        let names = self.people.iter().map(|person| person.name.as_str());
        let words = Some(self.wording.words()).filter(|words| !words.is_empty());
        names.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// An image search that a run may ask, as far as the run has to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSource {
    /// The id under which the provider is set: `commons`.
    pub id: String,
    /// The name under which people know it: `Wikimedia Commons`.
    pub name: String,
    /// The most hits that one paid request gives.
    #[serde(rename = "hits")]
    pub hits_max: u32,
    /// The most pages of one list; 1 where there is no next page.
    #[serde(rename = "pages")]
    pub pages_max: u32,
    /// The price of a request, in billionths of a dollar.
    #[serde(rename = "price", default, skip_serializing_if = "is_zero")]
    pub nano_usd: u64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// A page of a list: which image search is asked, and for which part of what it finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ListPage {
    /// The id of the image search; `None` for the first that may be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The number of the page, from 0.
    #[serde(
        default,
        skip_serializing_if = "is_zero",
        deserialize_with = "page_of_list"
    )]
    pub page: u32,
}

/// Reads the number of a page that a list may have.
fn page_of_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let page = u32::deserialize(deserializer)?;
    if page >= PAGES_MAX {
        return Err(de::Error::custom("no list has so many pages"));
    }
    Ok(page)
}

/// The photos that an image search found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundHits {
    /// The hits in the order of the answer.
    pub hits: Vec<Hit>,
    /// The image search that answered, and the page that it gave: the first where another was asked
    /// in its place.
    #[serde(flatten)]
    pub part: ListPage,
    /// Whether the list goes on after these hits, as far as the image search says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl FoundHits {
    /// Returns whether these hits are more than a whole list of an image search that is not named.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.has_more || self.part != ListPage::default()
    }
}

impl From<Vec<Hit>> for FoundHits {
    /// Makes a whole list of the first image search.
    fn from(hits: Vec<Hit>) -> Self {
        Self {
            hits,
            ..Self::default()
        }
    }
}

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The address of the photo that is to be looked at.
    pub image_url: String,
    /// The address of the original, the second choice, where `image_url` is that of a copy of good
    /// size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_url: Option<String>,
    /// The address of the provider's small copy, the last choice where the photo cannot be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    /// The page's or photo's title, for people.
    pub title: String,
    /// The author of the photo, and the terms under which it may be used.
    #[serde(flatten)]
    pub credit: Credit,
    /// Hints for where to look next: what the provider says of the photo. They prove nothing.
    #[serde(flatten)]
    pub hints: Hints,
}

impl Hit {
    /// Returns the address of a copy, or that of the photo where there is no such copy.
    #[must_use]
    pub fn url(&self, copy: PhotoCopy) -> &str {
        let other = match copy {
            PhotoCopy::Image => None,
            PhotoCopy::Original => self.original_url.as_deref(),
            PhotoCopy::Thumbnail => self.thumbnail_url.as_deref(),
        };
        other.unwrap_or(&self.image_url)
    }
}

/// The address that gave a photo's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "CopyFlags", into = "CopyFlags")]
pub enum PhotoCopy {
    /// The photo's own address, [`Hit::image_url`].
    #[default]
    Image,
    /// The address of the original, [`Hit::original_url`].
    Original,
    /// The address of the small copy, [`Hit::thumbnail_url`].
    Thumbnail,
}

/// A copy as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CopyFlags {
    is_thumbnail: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_original: bool,
}

impl From<CopyFlags> for PhotoCopy {
    fn from(flags: CopyFlags) -> Self {
        match (flags.is_original, flags.is_thumbnail) {
            (true, _) => Self::Original,
            (false, true) => Self::Thumbnail,
            (false, false) => Self::Image,
        }
    }
}

impl From<PhotoCopy> for CopyFlags {
    fn from(copy: PhotoCopy) -> Self {
        Self {
            is_thumbnail: copy == PhotoCopy::Thumbnail,
            is_original: copy == PhotoCopy::Original,
        }
    }
}

/// The author of a photo, and the terms under which it may be used, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credit {
    /// The author's name in plain text, without markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The licence's short name, for example `CC BY-SA 4.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The address of the licence's page; http or https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
}

impl Credit {
    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The hints of a provider about a photo, beside its title.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    /// The description in plain text, without markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The provider's categories or tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The Wikidata numbers of the people whom the photo is said to depict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depicts: Vec<String>,
}

impl Hints {
    /// Returns whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One numbered row of the closed table: only these people may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateRow {
    /// The row's number from 1, in ranking order.
    pub number: usize,
    /// The recogniser's name.
    pub name: String,
    /// The number of looked-at photos in which the person stands with the frontier (one-sided), or
    /// was seen at all (both ends).
    pub count: usize,
    /// The best confidence of being together with the frontier or the side's people, in percent.
    pub best_confidence: f64,
    /// The side on which the person was found.
    pub side: Side,
}

/// The question that the planner is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The first name as typed.
    pub person_a: String,
    /// The second name as typed.
    pub person_b: String,
    /// The name of the person whose surroundings were looked at last.
    pub frontier: String,
    /// The closed table, best first: nobody else may be chosen.
    pub candidates: Vec<CandidateRow>,
    /// The only queries that may be proposed.
    pub allowed_queries: Vec<String>,
    /// The number of edges that may still be added.
    pub hops_left: u32,
    /// The number of attempts of searches that may still be made.
    pub searches_left: u32,
    /// The number of attempts of recognitions that may still be made.
    pub recognitions_left: u32,
    /// Whether the planner may guess people whom nobody has seen yet.
    pub may_guess: bool,
}

/// The planner's answer, not yet checked against the table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanAnswer {
    /// The names to try next, best first.
    pub next_candidates: Vec<String>,
    /// The queries to run next.
    pub search_queries: Vec<String>,
    /// The people believed to stand between the two although nobody has seen them yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<String>,
    /// One sentence for people.
    pub narration: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_the_specifications_template() {
        let text = |names: &[&str], wording| {
            let people = names
                .iter()
                .map(|name| NamedPerson {
                    name: (*name).to_owned(),
                    number: None,
                })
                .collect();
            SearchQuestion { people, wording }.text()
        };
        assert_eq!(text(&["A", "B"], Wording::Names), "A B");
        assert_eq!(text(&["A", "B"], Wording::Together), "A B together");
        assert_eq!(text(&["A"], Wording::InCompany), "A with celebrities");
        assert_eq!(text(&["A", "X"], Wording::Event), "A X event");
        assert_eq!(text(&["A"], Wording::Awards), "A awards");
    }
}

//! What a run asks image searches and the planner, and their answers.
//!
//! A question names people, and each provider makes its own best query from it. [`SearchQuestion::text`] is the
//! specification's English template: the query for search engines that take words, and the name of the question in
//! events and stored documents.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::identifiers::WikidataNumber;
use crate::people::Side;

/// The most image searches (providers) of a run.
pub const SOURCES_MAX: usize = 8;
/// The most hits requested in one answer.
pub const HITS_MAX: u32 = 200;
/// The most pages requested of one result list.
pub const PAGES_MAX: u32 = 100;

/// A person named in a search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPerson {
    /// The name, as typed or recognised.
    pub name: String,
    /// The person's number, if known.
    pub number: Option<PersonNumber>,
}

/// A person's Wikidata number and its origin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonNumber {
    /// Given by the user to identify the person.
    Given(WikidataNumber),
    /// From the recogniser; a hint for the search.
    Recognised(WikidataNumber),
}

impl PersonNumber {
    /// Returns the number, whatever its origin.
    #[must_use]
    pub fn wikidata(&self) -> &WikidataNumber {
        match self {
            Self::Given(number) | Self::Recognised(number) => number,
        }
    }
}

/// The words after the names: one of the specification's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// Only the names.
    //= spec S1 "q1"
    Names,
    /// The word `together`, if the names alone find nothing.
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
    /// Returns the words, empty for [`Self::Names`].
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

/// The question to an image search: one or two people, and the words after their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchQuestion {
    /// The people to find, one or two.
    pub people: Vec<NamedPerson>,
    /// The words after the names.
    pub wording: Wording,
}

impl SearchQuestion {
    /// Returns the question in English: the names, then the words.
    #[must_use]
    pub fn text(&self) -> String {
        let names = self.people.iter().map(|person| person.name.as_str());
        let words = Some(self.wording.words()).filter(|words| !words.is_empty());
        names.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// What a run must know of an image search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSource {
    /// The id in the settings: `commons`.
    pub id: String,
    /// The name for people: `Wikimedia Commons`.
    pub name: String,
    /// The most hits that one paid request returns.
    #[serde(rename = "hits")]
    pub hits_max: u32,
    /// The most pages of one list; 1 without paging.
    #[serde(rename = "pages")]
    pub pages_max: u32,
    /// The price of a request, in billionths of a dollar.
    #[serde(rename = "price", default, skip_serializing_if = "is_zero")]
    pub nano_usd: u64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// One page of a result list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ListPage {
    /// The id of the image search; `None` for the first of the run's.
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

/// Reads a page number within the limit.
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
    /// The image search that answered, and the page. It differs from the request if another provider was asked instead.
    #[serde(flatten)]
    pub part: ListPage,
    /// Whether the list continues after these hits, according to the image search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl FoundHits {
    /// Returns whether these hits are one page of a list, and not a whole list of the first image search.
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
    /// The address of the photo to examine.
    pub image_url: String,
    /// The address of the original, tried second, if `image_url` is a resized copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_url: Option<String>,
    /// The address of the provider's thumbnail, tried last.
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
    /// Hints from the provider for where to look next. They prove nothing.
    #[serde(flatten)]
    pub hints: Hints,
}

impl Hit {
    /// Returns the address of this copy, or the photo's if there is no such copy.
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

/// The copy of a photo whose address was fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "CopyFlags", into = "CopyFlags")]
pub enum PhotoCopy {
    /// The photo's own address, [`Hit::image_url`].
    #[default]
    Image,
    /// The address of the original, [`Hit::original_url`].
    Original,
    /// The address of the thumbnail, [`Hit::thumbnail_url`].
    Thumbnail,
}

/// The stored form of [`PhotoCopy`].
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

/// The author of a photo and the terms of its use, according to the provider.
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

/// The provider's hints about a photo, besides its title.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    /// The description in plain text, without markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The provider's categories or tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The Wikidata numbers of the people depicted, according to the provider.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depicts: Vec<String>,
}

impl Hints {
    /// Returns whether there are no hints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One row of the planner's table of candidates. Only these people may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateRow {
    /// The row's number from 1, in ranking order.
    pub number: usize,
    /// The recogniser's name.
    pub name: String,
    /// The number of examined photos that show the person with the frontier (one-sided) or at all (both ends).
    pub count: usize,
    /// The best confidence of a photo that shows the person with the frontier or the side's people, in percent.
    pub best_confidence: f64,
    /// The side on which the person was found.
    pub side: Side,
}

/// The question to the planner.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The first name as typed.
    pub person_a: String,
    /// The second name as typed.
    pub person_b: String,
    /// The name of the person whose surroundings were examined last.
    pub frontier: String,
    /// The table of candidates, best first. Nobody else may be chosen.
    pub candidates: Vec<CandidateRow>,
    /// The only queries that the planner may propose.
    pub allowed_queries: Vec<String>,
    /// The number of edges that may still be added.
    pub hops_left: u32,
    /// The number of attempts of searches left.
    pub searches_left: u32,
    /// The number of attempts of recognitions left.
    pub recognitions_left: u32,
    /// Whether the planner may name people whom the run has not seen.
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
    /// People who may connect the two although the run has not seen them.
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

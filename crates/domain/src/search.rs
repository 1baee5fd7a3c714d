//! What a run asks image searches and the planner, and what they answer.
//!
//! A question names people. The query for each provider is made from these names, in the form that suits the provider.
//! [`SearchQuestion::text`] is the specification's English template. It is the query for search engines that take
//! words, and it identifies the question in events and stored documents.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::identifiers::WikidataNumber;
use crate::people::Side;
use crate::provenance::CalendarDate;

/// The most image searches (providers) that one run uses.
pub const SOURCES_MAX: usize = 8;
/// The most hits that one request to an image search may ask for.
pub const HITS_MAX: u32 = 200;
/// The most pages that a run requests from one result list.
pub const PAGES_MAX: u32 = 100;

/// A person whom a search query names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPerson {
    /// The person's name, as typed or recognised.
    pub name: String,
    /// The person's Wikidata number, if known.
    pub number: Option<PersonNumber>,
}

/// A person's Wikidata number and its origin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonNumber {
    /// The user typed the number to identify the person.
    Given(WikidataNumber),
    /// The recogniser sent the number. It is only a hint for the search.
    Recognised(WikidataNumber),
}

impl PersonNumber {
    /// Returns the number without its origin.
    #[must_use]
    pub fn wikidata(&self) -> &WikidataNumber {
        match self {
            Self::Given(number) | Self::Recognised(number) => number,
        }
    }
}

/// The words that follow the names in a query. Each variant is one of the specification's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// No words, only the names.
    //= spec S1 "q1"
    Names,
    /// The word `together`, used if the names alone find nothing.
    //= spec S1 "fallback query templates"
    Together,
    /// The words `with celebrities`, to find a person together with others.
    //= spec S2 "discovery queries"
    InCompany,
    /// The word `event`, to find people at events.
    //= spec S2 "discovery queries"
    //= spec S4 "verification queries"
    Event,
    /// The word `awards`, to find people at award ceremonies.
    //= spec S2 "discovery queries"
    Awards,
}

impl Wording {
    /// Returns the words; an empty text for [`Self::Names`].
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

/// A question to an image search: one or two people, and the words that follow their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchQuestion {
    /// The people to find, one or two.
    pub people: Vec<NamedPerson>,
    /// The words that follow the names.
    pub wording: Wording,
}

impl SearchQuestion {
    /// Returns the question in English, as the names followed by the words.
    #[must_use]
    pub fn text(&self) -> String {
        let names = self.people.iter().map(|person| person.name.as_str());
        let words = Some(self.wording.words()).filter(|words| !words.is_empty());
        names.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// What a run must know about an image search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSource {
    /// The id in the settings, such as `commons`.
    pub id: String,
    /// The name for display, such as `Wikimedia Commons`.
    pub name: String,
    /// The most hits that one paid request returns.
    #[serde(rename = "hits")]
    pub hits_max: u32,
    /// The most pages of one result list; 1 if the image search has no paging.
    #[serde(rename = "pages")]
    pub pages_max: u32,
    /// The price of one request, in billionths of a dollar.
    #[serde(rename = "price", default, skip_serializing_if = "is_zero")]
    pub nano_usd: u64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Identifies one page of an image search's result list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ListPage {
    /// The id of the image search; `None` for the first one of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The number of the page, counted from 0.
    #[serde(
        default,
        skip_serializing_if = "is_zero",
        deserialize_with = "page_of_list"
    )]
    pub page: u32,
}

/// Deserializes a page number and checks that it is within the limit.
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
    /// The hits in the order in which the image search listed them.
    pub hits: Vec<Hit>,
    /// The image search that answered, and the page. They differ from those in the request if another image search
    /// answered instead.
    #[serde(flatten)]
    pub part: ListPage,
    /// Whether the list continues after these hits, according to the image search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl FoundHits {
    /// Returns whether these hits are one page of a list, rather than the whole list of the run's first image search.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.has_more || self.part != ListPage::default()
    }
}

impl From<Vec<Hit>> for FoundHits {
    /// Makes the whole list of the run's first image search.
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
    /// The address of the original photo, which is tried second; `None` unless `image_url` is a resized copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_url: Option<String>,
    /// The address of the provider's thumbnail, which is tried last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// The address of the page that shows the photo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    /// The title of the page or photo, for display.
    pub title: String,
    /// The author of the photo, and the terms under which it may be used.
    #[serde(flatten)]
    pub credit: Credit,
    /// The provider's hints about where to search next. They prove nothing.
    #[serde(flatten)]
    pub hints: Hints,
}

impl Hit {
    /// Returns the address of this copy of the photo, or [`Hit::image_url`] if there is no such copy.
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

/// Which of a photo's addresses was fetched.
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

/// The serialized form of [`PhotoCopy`].
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
    /// The author's name as plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The licence's short name, such as `CC BY-SA 4.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The http or https address of the licence's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
}

impl Credit {
    /// Returns whether neither the author nor the terms are known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The provider's hints about a photo, in addition to its title.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    /// The photo's description as plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The provider's categories or tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The Wikidata numbers of the people depicted, according to the provider.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depicts: Vec<String>,
    /// The day, month or year on which the photo was taken, according to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<CalendarDate>,
    /// The provider's statement that a machine made the picture, for quotation: `Template:PD-algorithm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
}

impl Hints {
    /// Returns whether the provider sent no hints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One row of the table of candidates that the planner gets. The planner may choose only these people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateRow {
    /// The number of the row, counted from 1 in ranking order.
    pub number: usize,
    /// The candidate's name from the recogniser.
    pub name: String,
    /// In the one-sided plan, the number of photos that show the candidate with the frontier. In the both-ends plan,
    /// the number of the candidate's photos that were found by other people's queries.
    pub count: usize,
    /// The highest confidence among photos that show the candidate with the frontier or with the side's people, in
    /// percent.
    pub best_confidence: f64,
    /// The side on which the candidate was found.
    pub side: Side,
}

/// The question of whom to try next, for the planner.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The first name as typed.
    pub person_a: String,
    /// The second name as typed.
    pub person_b: String,
    /// The name of the person whose surroundings were examined last.
    pub frontier: String,
    /// The table of candidates, best first. The planner may choose nobody else.
    pub candidates: Vec<CandidateRow>,
    /// The only queries that the planner may propose.
    pub allowed_queries: Vec<String>,
    /// The number of edges that may still be added to the chain.
    pub hops_left: u32,
    /// The number of search attempts that the run has left.
    pub searches_left: u32,
    /// The number of recognition attempts that the run has left.
    pub recognitions_left: u32,
    /// Whether the planner may name people whom the run has not seen.
    pub may_guess: bool,
}

/// The planner's answer, before it is checked against the table of candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanAnswer {
    /// The names of the candidates to try next, best first.
    pub next_candidates: Vec<String>,
    /// The queries to search for next.
    pub search_queries: Vec<String>,
    /// People whom the run has not seen but who may connect the two people of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<String>,
    /// One sentence that explains the choice to viewers.
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

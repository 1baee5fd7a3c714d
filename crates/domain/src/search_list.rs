//! The lists that image searches give: which search is asked, for which page, and what it found.

use crate::photo::Hit;

/// The most image searches that a run may ask.
pub const SOURCES_MAX: usize = 8;
/// The most hits that one answer is asked for.
pub const HITS_MAX: u32 = 200;
/// The most pages of one list that are asked for.
pub const PAGES_MAX: u32 = 100;

/// An image search that a run may ask, as far as the run has to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSource {
    /// The id under which the provider is set: `commons`.
    pub id: String,
    /// The name under which people know it: `Wikimedia Commons`.
    pub name: String,
    /// The most hits that one paid request gives.
    pub hits_max: u32,
    /// The most pages of one list; 1 where there is no next page.
    pub pages_max: u32,
    /// The price of a request, in billionths of a dollar.
    pub nano_usd: u64,
}

/// A page of a list: which image search is asked, and for which part of what it finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ListPage {
    /// The id of the image search; `None` for the first that may be asked.
    pub source: Option<String>,
    /// The number of the page, from 0.
    pub page: u32,
}

/// The photos that an image search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundHits {
    /// The hits in the order of the answer.
    pub hits: Vec<Hit>,
    /// The image search that answered, and the page that it gave: the first where another was asked
    /// in its place.
    pub part: ListPage,
    /// Whether the list goes on after these hits, as far as the image search says.
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

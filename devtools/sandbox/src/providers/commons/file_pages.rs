//! The files' pages as a search reads them, made once for all searches.

use std::sync::OnceLock;

use super::super::mediawiki::PageText;

/// The page of a file.
#[derive(Debug)]
pub(super) struct FilePage {
    pub text: PageText,
    /// The Wikidata numbers of those whom the file is said to depict.
    pub depicted: Vec<String>,
    /// The place in an order of all pages that no query changes.
    pub order: u64,
}

/// The pages of all photos of a world, which are made when they are first searched: their words are
/// most of the work of a search.
#[derive(Debug, Default)]
pub(crate) struct FilePages {
    pages: OnceLock<Vec<FilePage>>,
}

impl FilePages {
    /// Returns the pages in the order of the photos; the first call makes them.
    pub(super) fn all(&self, make: impl FnOnce() -> Vec<FilePage>) -> &[FilePage] {
        self.pages.get_or_init(make)
    }
}

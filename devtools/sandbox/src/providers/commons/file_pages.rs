//! The files' pages as searches see them, made once.

use std::sync::OnceLock;

use super::super::mediawiki::PageText;

/// The page of a file.
#[derive(Debug)]
pub(super) struct FilePage {
    pub text: PageText,
    /// The Wikidata numbers of the people that the file is said to depict.
    pub depicted: Vec<String>,
    /// The position in a fixed order of all pages.
    pub order: u64,
}

/// The pages of all photos of a world, made at the first search: their words are most of its work.
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

//! The pages of Commons' files, in the form that a search needs.

use std::sync::OnceLock;

use super::super::mediawiki::PageText;

/// The page of a file, in the form that a search needs.
#[derive(Debug)]
pub(super) struct FilePage {
    pub text: PageText,
    /// The Wikidata numbers of the people whom the page declares to be in the picture.
    pub depicted: Vec<String>,
    /// The position in a fixed order of all pages, which ranks equally good results.
    pub order: u64,
}

/// The pages of all photos of a world. The first search makes them, and later ones reuse them, because folding their
/// words is most of a search's work.
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

//! The two wikis of the sandbox, which share MediaWiki's API.

/// A wiki: Commons or Wikidata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Commons,
    Wikidata,
}

impl Site {
    /// Returns the host of the real wiki, as used in its answers.
    pub(in crate::providers) fn host(self) -> &'static str {
        match self {
            Self::Commons => "commons.wikimedia.org",
            Self::Wikidata => "www.wikidata.org",
        }
    }
}

//! The two wikis.

/// Which wiki answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Commons,
    Wikidata,
}

impl Site {
    /// The host of the real one, as it stands in its answers.
    pub(in crate::providers) fn host(self) -> &'static str {
        match self {
            Self::Commons => "commons.wikimedia.org",
            Self::Wikidata => "www.wikidata.org",
        }
    }
}

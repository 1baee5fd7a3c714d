//! Photos as an image search offers them.

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hit {
    /// The address of the photo that is to be looked at.
    pub image_url: String,
    /// The provider's smaller copy, the second choice when the photo cannot be had.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The page's or photo's title, for people.
    pub title: String,
    /// Who made the photo, and under which terms it may be used.
    pub credit: Credit,
    /// What the provider says of the photo: hints for where to look next. They prove nothing.
    pub hints: Hints,
}

/// Who made a photo, and under which terms it may be used, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Credit {
    /// Plain text, without markup.
    pub author: Option<String>,
    /// The licence's short name, for example `CC BY-SA 4.0`.
    pub license: Option<String>,
    /// The page of the licence; http or https.
    pub license_url: Option<String>,
}

impl Credit {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a provider says of a photo beside its title.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// Plain text, without markup.
    pub description: Option<String>,
    /// The provider's categories or tags.
    pub categories: Vec<String>,
    /// Wikidata numbers of those whom the photo is said to depict.
    pub depicts: Vec<String>,
}

impl Hints {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

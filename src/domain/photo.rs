//! Photos as an image search offers them.

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hit {
    /// The address of the photo that is to be looked at.
    pub image_url: String,
    /// The original, where the photo's address is that of a copy of good size: the second choice.
    pub original_url: Option<String>,
    /// The provider's small copy, the last choice where the photo cannot be had.
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

/// Which of its addresses gave a photo's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhotoCopy {
    /// [`Hit::image_url`].
    #[default]
    Image,
    /// [`Hit::original_url`].
    Original,
    /// [`Hit::thumbnail_url`].
    Thumbnail,
}

impl Hit {
    /// The address of a copy; that of the photo where there is no such copy.
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

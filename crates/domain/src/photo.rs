//! Photos as an image search offers them.

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hit {
    /// The address of the photo that is to be looked at.
    pub image_url: String,
    /// The address of the original, the second choice, where `image_url` is that of a copy of good
    /// size.
    pub original_url: Option<String>,
    /// The address of the provider's small copy, the last choice where the photo cannot be had.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The page's or photo's title, for people.
    pub title: String,
    /// The author of the photo, and the terms under which it may be used.
    pub credit: Credit,
    /// Hints for where to look next: what the provider says of the photo. They prove nothing.
    pub hints: Hints,
}

/// The address that gave a photo's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PhotoCopy {
    /// The photo's own address, [`Hit::image_url`].
    #[default]
    Image,
    /// The address of the original, [`Hit::original_url`].
    Original,
    /// The address of the small copy, [`Hit::thumbnail_url`].
    Thumbnail,
}

impl Hit {
    /// Returns the address of a copy, or that of the photo where there is no such copy.
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

/// The author of a photo, and the terms under which it may be used, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Credit {
    /// The author's name in plain text, without markup.
    pub author: Option<String>,
    /// The licence's short name, for example `CC BY-SA 4.0`.
    pub license: Option<String>,
    /// The address of the licence's page; http or https.
    pub license_url: Option<String>,
}

impl Credit {
    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The hints of a provider about a photo, beside its title.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// The description in plain text, without markup.
    pub description: Option<String>,
    /// The provider's categories or tags.
    pub categories: Vec<String>,
    /// The Wikidata numbers of the people whom the photo is said to depict.
    pub depicts: Vec<String>,
}

impl Hints {
    /// Returns whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

//! Photos as the image search offers them.

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The address of the original.
    pub image_url: String,
    /// The search engine's smaller copy, the second choice when the photo cannot be had.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The page's or photo's title, for people.
    pub title: String,
}

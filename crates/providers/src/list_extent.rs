//! How far the lists of image searches reach.

/// The extent of the lists of an image search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListExtent {
    /// The most hits that one paid request gives.
    pub hits_max: u32,
    /// The most pages of that size; 1 where there is no next page.
    pub pages_max: u32,
}

//! What speaks against a photo.

/// The sign that a photo was put together from several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A seam or border runs right through it, and different pictures are on its two sides.
    Seam,
    /// One of the faces is in a picture within the picture.
    Inset,
}

//! What speaks against a photo.

/// The sign that a photo was put together from several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A seam or border runs right through it, and different pictures are on its two sides.
    Seam,
    /// One of the faces is in a picture within the picture.
    Inset,
}

/// What the pixels of a photo with several faces say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing speaks against the photo.
    Clear,
    /// There is a line that is nearly a seam.
    Doubtful,
    /// The photo was put together from several.
    Composite(Sign),
}

impl Judgement {
    /// Returns what speaks against the photo, where that is enough to reject it.
    #[must_use]
    pub fn sign(self) -> Option<Sign> {
        match self {
            Self::Composite(sign) => Some(sign),
            Self::Clear | Self::Doubtful => None,
        }
    }
}

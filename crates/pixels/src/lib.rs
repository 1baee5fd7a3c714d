//! What a photo's pixels show: its brightness on a small grid, for detecting copies, and whether it is a collage:
//! photos of several places put together, in which people seem to meet who never did. Such a veto can only reject.
//!
//! Pure functions over a photo's bytes and the faces in it. The veto takes a few milliseconds per megapixel and gives
//! the same answer everywhere. Photos that cannot be read within the limits are clear.
//!
//! It misses seams between two photos of the same place in the same light, with the same curtain on both sides, and
//! people cut out along their outlines, which leave no line.
//!
//! It falsely rejects photos of a post, a window bar or a door frame from edge to edge, taken with a level camera, with
//! nobody in front of it and another room or a busy view behind; in its pixels that is a seam. Thumbnails have too few
//! pixels to distinguish the two well.

mod decode;
mod inset;
mod seams;
mod small_picture;

pub use small_picture::{BRIGHTNESS_SIDE, Content, SmallPicture};

/// Returns whether this photo proves nothing about the people with these faces. Unreadable photos are clear.
// Inlined into a caller that is optimised for size, this function would be too.
#[inline(never)]
#[must_use]
pub fn judge(bytes: &[u8], faces: &[FaceArea]) -> Judgement {
    if faces.len() < 2 {
        return Judgement::Clear;
    }
    SmallPicture::read(bytes).map_or(Judgement::Clear, |picture| picture.judge(faces))
}

/// The sign that a photo is composed of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A seam or border runs through the whole photo, with different pictures on its two sides.
    Seam,
    /// One of the faces is in a picture within the picture.
    Inset,
}

/// The result for a photo with several faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing speaks against the photo.
    Clear,
    /// There is a line that is nearly a seam.
    Doubtful,
    /// The photo is composed of several.
    Composite(Sign),
}

impl Judgement {
    /// Returns the reason to reject the photo, if there is one.
    #[must_use]
    pub fn sign(self) -> Option<Sign> {
        match self {
            Self::Composite(sign) => Some(sign),
            Self::Clear | Self::Doubtful => None,
        }
    }
}

/// The area of a face, in fractions of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceArea {
    /// The distance from the left edge.
    pub left: f64,
    /// The distance from the top edge.
    pub top: f64,
    /// The fraction of the picture's width.
    pub width: f64,
    /// The fraction of the picture's height.
    pub height: f64,
}

//! What a photo's pixels show: how bright it is on a small grid, by which copies are told, and whether it
//! is a collage: photos of several places put together, in which two people seem to meet who never did.
//! That is a veto by what the pixels show, and nothing else: it can only reject.
//!
//! Pure functions over a photo's bytes and the faces in it. The veto takes a few milliseconds for a
//! photo of a megapixel, gives the same answer everywhere, and where it cannot read a photo, or not
//! within its bounds, it has nothing against it.
//!
//! What it cannot see: a seam between two photos of the same place in the same light, with the same
//! curtain on both sides, shows nothing; people cut out along their outlines leave no line at all.
//! What it takes for a seam wrongly: a post, a window bar or a door frame from rim to rim, taken
//! with a level camera, with nobody in front of it and another room or a busy view behind; in its
//! pixels that is one. Thumbnails have too few pixels to tell the two apart well.

mod decode;
mod inset;
mod seams;
mod small_picture;

pub use small_picture::{BRIGHTNESS_SIDE, Content, SmallPicture};

/// Returns whether this photo proves nothing about the people whose faces are there. What cannot be read is clear.
// Within a caller that is built for a small size, this function would be built so, too.
#[inline(never)]
#[must_use]
pub fn judge(bytes: &[u8], faces: &[FaceArea]) -> Judgement {
    if faces.len() < 2 {
        return Judgement::Clear;
    }
    SmallPicture::read(bytes).map_or(Judgement::Clear, |picture| picture.judge(faces))
}

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

/// The area of a face, as shares of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceArea {
    /// The distance from the left edge.
    pub left: f64,
    /// The distance from the top edge.
    pub top: f64,
    /// The share of the picture's width.
    pub width: f64,
    /// The share of the picture's height.
    pub height: f64,
}

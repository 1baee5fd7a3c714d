//! A face as the recogniser names it.

use super::confidence::Confidence;

/// The place of a face, as fractions of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FaceBox {
    /// The distance from the left edge.
    pub left: f64,
    /// The distance from the top edge.
    pub top: f64,
    /// The share of the picture's width.
    pub width: f64,
    /// The share of the picture's height.
    pub height: f64,
}

impl FaceBox {
    /// Makes a box of its left, top, width and height.
    #[must_use]
    pub fn of_sides([left, top, width, height]: [f64; 4]) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    /// Returns the left, top, width and height.
    #[must_use]
    pub fn sides(self) -> [f64; 4] {
        [self.left, self.top, self.width, self.height]
    }
}

/// A face as the recogniser named it.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// The recogniser's own stable id; may be empty.
    pub id: String,
    /// The recogniser's name for the person.
    pub name: String,
    /// The recogniser's `MatchConfidence`: that the face is this person, not that it is a face.
    pub confidence: Confidence,
    /// The place of the face in the photo.
    pub face_box: FaceBox,
    /// The addresses of pages about the person, without scheme as the recogniser gives them.
    pub urls: Vec<String>,
}

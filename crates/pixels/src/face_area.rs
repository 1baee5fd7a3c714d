//! The area of a face.

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

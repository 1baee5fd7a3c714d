//! A face, as far as it matters here.

/// Where a face is, as shares of the picture's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceArea {
    /// From the left edge.
    pub left: f64,
    /// From the top edge.
    pub top: f64,
    /// Of the picture's width.
    pub width: f64,
    /// Of the picture's height.
    pub height: f64,
}

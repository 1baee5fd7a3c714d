//! The judgement of a photo by its pixels, and the file that it comes in.

use std::fmt;

use domain::Face;
use investigation::machine::Recognised;

/// A recognised face, and the person whose it really is.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceWithOwner {
    /// The number of the person of the world whose face it is, whomever it was taken for.
    pub owner: usize,
    /// The face as the recogniser gives it, except for the place, which is the same in every photo.
    pub face: Face,
}

/// A judge of photos by their pixels, asked after the recogniser has named the faces.
pub trait PhotoJudge: fmt::Debug {
    /// Returns where the faces are, and what speaks against the photo of this number.
    fn judge(&self, photo: usize, seen: Vec<FaceWithOwner>) -> Recognised;
}

/// The files in which photos come.
pub trait PhotoFiles: fmt::Debug {
    /// Returns whether a JPEG could be made of a photo's file that shows the photo, or `None` where the recogniser takes
    /// the file as it is.
    fn is_converted(&self, photo: usize) -> Option<bool>;
}

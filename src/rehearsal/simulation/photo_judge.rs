//! What a photo's pixels say about it.

use std::fmt;

use crate::domain::Face;
use crate::engines::investigation::machine::Recognised;

/// A recognised face, and whose it really is.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceWithOwner {
    /// The number of the person of the world whose face it is, whomever it was taken for.
    pub owner: usize,
    /// As the recogniser gives it, but for the place: it is the same in every photo.
    pub face: Face,
}

/// Judges a photo by its pixels, after the recogniser has named its faces.
pub trait PhotoJudge: fmt::Debug {
    /// Where the faces are, and what speaks against the photo of this number.
    fn judge(&self, photo: usize, seen: Vec<FaceWithOwner>) -> Recognised;
}

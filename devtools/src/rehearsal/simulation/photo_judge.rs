//! Judges photos by their pixels and files.

use std::fmt;

use domain::{Face, Provenance};
use investigation::machine::Recognised;

/// A recognised face, and the person whose face it really is.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceWithOwner {
    /// The index of the person whose face it really is, even if the recogniser mistook it.
    pub owner: usize,
    /// The face from the recogniser. Its position is a placeholder, the same in every photo.
    pub face: Face,
}

/// Judges photos by what their files say, and by their pixels after the recogniser has named the faces.
pub trait PhotoJudge: fmt::Debug {
    /// Returns what the file of the photo with this number says about itself.
    fn provenance(&self, photo: usize) -> Provenance;

    /// Returns the faces at their positions in the photo with this number, and the objections to the photo.
    fn judge(&self, photo: usize, seen: Vec<FaceWithOwner>) -> Recognised;
}

/// The files of photos.
pub trait PhotoFiles: fmt::Debug {
    /// Returns whether a photo's file could be converted to a recognisable JPEG, or `None` if the recogniser accepts
    /// the file as it is.
    fn is_converted(&self, photo: usize) -> Option<bool>;
}

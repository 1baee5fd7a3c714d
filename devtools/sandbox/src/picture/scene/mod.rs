//! The backgrounds of photos: six places, each a little different in every photo.

mod indoors;
mod outdoors;
mod places;
mod scenery;

pub(super) use places::{outside, paint};
pub(super) use scenery::{framed, ground};

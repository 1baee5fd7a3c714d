//! Where faces begin and end in one direction of a picture.

/// The share of a face's width or height within which a line through its rim is still beside it.
const FACE_RIM: f64 = 0.1;

/// The beginning and the end of a face, as shares of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    from: f64,
    to: f64,
}

impl Span {
    pub(super) fn new(from: f64, length: f64) -> Self {
        Self {
            from: from + length * FACE_RIM,
            to: from + length * (1.0 - FACE_RIM),
        }
    }
}

/// Returns whether there is a face on each side of the place, and none on it.
pub(super) fn separates(place: f64, faces: &[Span]) -> bool {
    let (mut before, mut after) = (false, false);
    for face in faces {
        if face.to <= place {
            before = true;
        } else if face.from >= place {
            after = true;
        } else {
            return false;
        }
    }
    before && after
}

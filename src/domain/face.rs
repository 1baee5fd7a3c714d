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

    /// Returns the area that two boxes share as a part of the area that they cover, from 0 to 1.
    #[must_use]
    pub fn overlap(self, other: Self) -> f64 {
        let shared = |start: f64, length: f64, other_start: f64, other_length: f64| {
            let end = (start + length).min(other_start + other_length);
            (end - start.max(other_start)).max(0.0)
        };
        let shared = shared(self.left, self.width, other.left, other.width)
            * shared(self.top, self.height, other.top, other.height);
        let covered = self.width * self.height + other.width * other.height - shared;
        // A recogniser that gives no box says nothing of where a face is.
        if covered > 0.0 { shared / covered } else { 0.0 }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_overlap_by_the_area_that_they_share() {
        #[track_caller]
        fn check(one: [f64; 4], other: [f64; 4], expect: f64) {
            let [one, other] = [one, other].map(FaceBox::of_sides);
            assert!(
                (one.overlap(other) - expect).abs() < 1e-9,
                "{one:?} {other:?}"
            );
            assert!(
                (other.overlap(one) - expect).abs() < 1e-9,
                "{one:?} {other:?}"
            );
        }
        check([0.1, 0.1, 0.2, 0.2], [0.1, 0.1, 0.2, 0.2], 1.0);
        check([0.0, 0.0, 0.2, 0.2], [0.1, 0.0, 0.2, 0.2], 1.0 / 3.0);
        check([0.0, 0.0, 0.2, 0.2], [0.2, 0.0, 0.2, 0.2], 0.0);
        check([0.0, 0.0, 0.2, 0.2], [0.5, 0.5, 0.2, 0.2], 0.0);
        check([0.0; 4], [0.0; 4], 0.0);
        check([f64::NAN; 4], [0.1, 0.1, 0.2, 0.2], 0.0);
    }
}

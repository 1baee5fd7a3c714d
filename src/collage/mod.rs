//! Collages: photos of several places put together, in which two people seem to meet who never
//! did. A veto by what the pixels show, and nothing else: it can only reject.
//!
//! One pure function over a photo's bytes and the faces in it. It takes a few milliseconds for a
//! photo of a megapixel, gives the same answer everywhere, and where it cannot read a photo, or not
//! within its bounds, it has nothing against it.
//!
//! What it cannot see: a seam between two photos of the same place in the same light, with the same
//! curtain on both sides, shows nothing; people cut out along their outlines leave no line at all.
//! What it takes for a seam wrongly: a post, a window bar or a door frame from rim to rim, taken
//! with a level camera, with nobody in front of it and another room or a busy view behind; in its
//! pixels that is one. Thumbnails have too few pixels to tell the two apart well.

mod bands;
mod decode;
mod drift;
mod exif;
mod face_area;
mod inset;
mod raster;
mod seams;
mod uprightness;

use bands::Bands;

pub use face_area::FaceArea;

/// The share of a face's width or height within which a line through its rim is still beside it.
const FACE_RIM: f64 = 0.1;

/// The sign that a photo was put together from several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A seam or border runs right through it, and different pictures are on its two sides.
    Seam,
    /// One of the faces is in a picture within the picture.
    Inset,
}

/// Returns why this photo proves nothing about the people whose faces are there. Returns `None`
/// where nothing speaks against it.
// Within a caller that is built for a small size, this function would be built so, too.
#[inline(never)]
#[must_use]
pub fn judge(bytes: &[u8], faces: &[FaceArea]) -> Option<Sign> {
    if faces.len() < 2 {
        return None;
    }
    let raster = decode::decode(bytes)?;
    let across: Vec<Span> = faces
        .iter()
        .map(|face| Span::new(face.left, face.width))
        .collect();
    let down: Vec<Span> = faces
        .iter()
        .map(|face| Span::new(face.top, face.height))
        .collect();
    of_one_direction(&Bands::of_columns(&raster), &across)
        .or_else(|| of_one_direction(&Bands::of_rows(&raster), &down))
        .or_else(|| inset::is_there(&raster, faces).then_some(Sign::Inset))
}

fn of_one_direction(bands: &Bands, faces: &[Span]) -> Option<Sign> {
    let width = bands.width();
    let is_between = |column: &usize| separates(*column as f64 / width as f64, faces);
    let columns = (0..width).filter(is_between);
    seams::is_cut(bands, columns).then_some(Sign::Seam)
}

/// The beginning and the end of a face, as shares of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    from: f64,
    to: f64,
}

impl Span {
    fn new(from: f64, length: f64) -> Self {
        Self {
            from: from + length * FACE_RIM,
            to: from + length * (1.0 - FACE_RIM),
        }
    }
}

/// Returns whether there is a face on each side of the place, and none on it.
fn separates(place: f64, faces: &[Span]) -> bool {
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

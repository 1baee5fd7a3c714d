//! Reads a photo's pixels, which yield its fingerprint and show whether it is a collage.

use domain::{CollageCheck, Face, FaceBox, Fingerprint, THRESHOLD_PERCENT_MIN};
use pixels::SmallPicture;

/// The results of decoding a photo.
#[derive(Debug, Clone, Default)]
pub struct PhotoPixels {
    /// The fingerprint, if the photo could be decoded.
    pub fingerprint: Option<Fingerprint>,
    /// The decoded picture; `None` if decoding failed or the fingerprint came from a cache.
    pub picture: Option<SmallPicture>,
}

impl PhotoPixels {
    /// Decodes a photo. A photo that exceeds the decoder's limits or cannot be read yields neither fingerprint nor
    /// picture.
    #[must_use]
    pub fn read(photo: &[u8]) -> Self {
        let picture = SmallPicture::read(photo).ok();
        let fingerprint = picture.as_ref().map(fingerprint_of);
        Self {
            fingerprint,
            picture,
        }
    }
}

/// Returns the fingerprint of a picture, by which copies are detected.
#[must_use]
pub fn fingerprint_of(picture: &SmallPicture) -> Fingerprint {
    let content = picture.content();
    Fingerprint::of(content.size_px, &content.brightness)
}

/// Returns whether a photo's pixels show that it was composed of several photos. The pixels are checked only if two
/// faces reach the lowest possible threshold, since a photo without two such faces proves nothing anyway. Passing the
/// decoded `picture` saves decoding it again.
#[must_use]
pub fn collage_check(photo: &[u8], picture: Option<&SmallPicture>, faces: &[Face]) -> CollageCheck {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let sure = faces
        .iter()
        .filter(|face| face.confidence.percent() >= least);
    let boxes: Vec<FaceBox> = sure.map(|face| face.face_box).collect();
    if boxes.len() < 2 {
        return CollageCheck::Passed;
    }
    match picture {
        Some(picture) => picture.check(&boxes),
        None => match SmallPicture::read(photo) {
            Ok(picture) => picture.check(&boxes),
            Err(why) => CollageCheck::NotJudged(why),
        },
    }
}

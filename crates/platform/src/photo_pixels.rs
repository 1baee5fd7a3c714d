//! What a photo's pixels show: its fingerprint, and whether they speak against what its faces seem to
//! prove.

use domain::{CollageCheck, Face, FaceBox, Fingerprint, THRESHOLD_PERCENT_MIN, Veto};
use pixels::{FaceArea, Judgement, Sign, SmallPicture};

/// A photo that was looked at by its pixels.
#[derive(Debug, Clone, Default)]
pub struct PhotoPixels {
    /// The fingerprint, where the photo could be decoded.
    pub fingerprint: Option<Fingerprint>,
    /// The decoded picture, where it is at hand.
    pub picture: Option<SmallPicture>,
}

impl PhotoPixels {
    /// Decodes a photo. What cannot be read within the decoder's bounds has no pixels.
    #[must_use]
    pub fn read(photo: &[u8]) -> Self {
        let picture = SmallPicture::read(photo);
        let fingerprint = picture.as_ref().map(fingerprint_of);
        Self {
            fingerprint,
            picture,
        }
    }
}

/// Returns the fingerprint of a picture, by which copies are told.
#[must_use]
pub fn fingerprint_of(picture: &SmallPicture) -> Fingerprint {
    let content = picture.content();
    Fingerprint::of(content.size_px, &content.brightness)
}

/// Returns whether a photo's pixels show that it was put together from several. The pixels are looked at
/// only where two faces are sure enough for some run, since any other photo proves nothing anyway. A
/// `picture` saves decoding the photo once more. What cannot be read has passed.
#[must_use]
pub fn collage_check(photo: &[u8], picture: Option<&SmallPicture>, faces: &[Face]) -> CollageCheck {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let sure = faces
        .iter()
        .filter(|face| face.confidence.percent() >= least);
    let areas: Vec<FaceArea> = sure.map(|face| area(face.face_box)).collect();
    if areas.len() < 2 {
        return CollageCheck::Passed;
    }
    let judgement = match picture {
        Some(picture) => picture.judge(&areas),
        None => pixels::judge(photo, &areas),
    };
    match judgement {
        Judgement::Clear => CollageCheck::Passed,
        Judgement::Doubtful => CollageCheck::Doubtful,
        Judgement::Composite(Sign::Seam) => CollageCheck::Vetoed(Veto::Seam),
        Judgement::Composite(Sign::Inset) => CollageCheck::Vetoed(Veto::Inset),
    }
}

fn area(face: FaceBox) -> FaceArea {
    let FaceBox {
        left,
        top,
        width,
        height,
    } = face;
    FaceArea {
        left,
        top,
        width,
        height,
    }
}

//! The appearance and the faces of a scene's photos.

use domain::{Confidence, Face, FaceBox, Sha256Digest};
use domain::{FINGERPRINT_SIDE, Fingerprint};

/// Returns the fingerprint of a picture, different for each number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "brightness and lengths within their bounds"
)]
pub fn fingerprint((picture, share): (usize, f64)) -> Fingerprint {
    let cells = std::array::from_fn(|cell| {
        let (column, row) = (cell % FINGERPRINT_SIDE, cell / FINGERPRINT_SIDE);
        let x = share * (column as f64 + 0.5) / FINGERPRINT_SIDE as f64;
        let y = (row as f64 + 0.5) / FINGERPRINT_SIDE as f64;
        let wave = |length: usize| f64::from(u32::try_from(3 + (picture * length) % 7).unwrap());
        let light = (x * wave(3)).sin() + (y * wave(5)).cos() + (x * y * wave(2) * 2.0).sin();
        (128.0 + 40.0 * light) as u8
    });
    Fingerprint::of(((600.0 * share) as u32, 400), &cells)
}

pub fn digest(name: &str) -> Sha256Digest {
    let mut bytes = [0; 32];
    for (place, byte) in bytes.iter_mut().zip(name.bytes()) {
        *place = byte;
    }
    Sha256Digest::new(bytes)
}

pub fn faces(text: &str) -> Vec<Face> {
    text.split_whitespace()
        .map(|face| {
            let (who, percent) = face.split_once(':').expect("name:percent");
            let (percent, number) = percent.split_once('@').unwrap_or((percent, ""));
            let (percent, place) = percent.split_once('/').unwrap_or((percent, ""));
            let (name, id) = who.split_once('#').unwrap_or((who, ""));
            let (name, owner) = name.split_once('=').unwrap_or((name, name));
            Face {
                id: format!("id{owner}{id}"),
                name: name.replace('_', " "),
                confidence: Confidence::clamped(percent.parse().expect("a number")),
                face_box: box_of(place),
                urls: page_of(number),
                portrait: None,
            }
        })
        .collect()
}

/// Returns the box of a face at this position of a row, from 0 to 9; without one, no position is known.
fn box_of(place: &str) -> FaceBox {
    let Ok(place) = place.parse::<f64>() else {
        return FaceBox::default();
    };
    FaceBox::of_sides([place / 10.0, 0.2, 0.1, 0.2])
}

fn page_of(number: &str) -> Vec<String> {
    if number.is_empty() {
        return Vec::new();
    }
    vec![format!("www.wikidata.org/wiki/{number}")]
}

//! What simulations need to know of copies of photos: their appearance, and which copies were fetched although their
//! photo was known.

use std::collections::BTreeMap;

use domain::{FINGERPRINT_SIDE, Fingerprint};
use sandbox::Listed;
use sandbox::hash::{hash, unit};

/// The number of light and dark spots in a picture.
const SPOTS: usize = 14;
/// The width and the height of a picture, in pixels.
const SIZE_PX: (f64, f64) = (900.0, 600.0);
/// The greatest difference between the encodings of two copies, out of 255.
const NOISE: f64 = 3.0;

/// The copies that one run fetched, and the copies that it sent to the recogniser.
#[derive(Debug, Default)]
pub struct CopiesSeen {
    /// The fetched photos by number, with the copies of each in the order of fetching.
    fetched: BTreeMap<usize, Vec<Listed>>,
    /// The number of fetched copies that show nothing beyond what was fetched before.
    pub hit: u32,
    /// The number of these copies that were recognised.
    pub paid: u32,
}

impl CopiesSeen {
    /// Records that a photo or a copy was fetched. A copy counts if all that it shows was fetched before.
    pub fn note_fetched(&mut self, listed: Listed) {
        let before = self.fetched.entry(listed.photo).or_default();
        self.hit += u32::from(before.iter().any(|other| is_within(listed, *other)));
        before.push(listed);
    }

    /// Records that a photo or a copy was recognised.
    pub fn note_recognised(&mut self, listed: Listed) {
        let fetched = self.fetched.get(&listed.photo).into_iter().flatten();
        let mut before = fetched.take_while(|other| **other != listed);
        self.paid += u32::from(before.any(|other| is_within(listed, *other)));
    }
}

fn is_within(part: Listed, whole: Listed) -> bool {
    part != whole
        && part
            .cut()
            .iter()
            .zip(whole.cut())
            .all(|(cut, other)| *cut >= other)
}

/// Returns the appearance of a copy: light and dark spots, at different positions in each photo.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "brightness and lengths within their bounds"
)]
pub fn fingerprint(listed: Listed) -> Fingerprint {
    let draw =
        |what: &str, spot: usize| unit(hash(&[what.into(), listed.photo.into(), spot.into()]));
    let spots: Vec<[f64; 4]> = (0..SPOTS)
        .map(|spot| {
            let strength = 220.0 * draw("strength", spot) - 110.0;
            [
                draw("x", spot),
                draw("y", spot),
                0.04 + 0.2 * draw("size", spot),
                strength,
            ]
        })
        .collect();
    let [left, top, right, bottom] = listed.cut();
    let (width, height) = (1.0 - left - right, 1.0 - top - bottom);
    let middle = |cell: usize| (cell as f64 + 0.5) / FINGERPRINT_SIDE as f64;
    let cells: [u8; FINGERPRINT_SIDE * FINGERPRINT_SIDE] = std::array::from_fn(|cell| {
        let x = left + width * middle(cell % FINGERPRINT_SIDE);
        let y = top + height * middle(cell / FINGERPRINT_SIDE);
        let light = spots.iter().map(|[at_x, at_y, size, strength]| {
            let away = ((x - at_x).powi(2) + (y - at_y).powi(2)) / size.powi(2);
            strength / (1.0 + away * away)
        });
        let noise = unit(hash(&["noise".into(), listed.copy.into(), cell.into()])) - 0.5;
        (128.0 + light.sum::<f64>() + NOISE * noise).clamp(0.0, 255.0) as u8
    });
    let px = |length: f64, share: f64| (length * share * listed.scale()) as u32;
    Fingerprint::of((px(SIZE_PX.0, width), px(SIZE_PX.1, height)), &cells)
}

//! The fingerprint of a picture, which is its brightness on a small grid. Copies of one picture, even resized or
//! cropped, have matching fingerprints.
//!
//! A perceptual hash of 64 bits would be smaller but insufficient. It does not recognise cropped copies, and it does
//! not distinguish two photos of one evening of which only the second shows a newly arrived person.

mod grid;
mod placement;

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use grid::{Blocks, CELLS, Grid};
use placement::{Means, Placement, REFINED_MAX, Tried};

pub use grid::FINGERPRINT_SIDE;
pub use placement::Placements;

/// The digits of a fingerprint's text form. The index of a digit is a cell's brightness, from 0 to 63.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// The greatest width or height of a picture in a fingerprint, in pixels. Larger sides are clamped to it.
const SIDE_PX_MAX: u32 = 65_535;

/// The brightness of a picture on a grid of [`FINGERPRINT_SIDE`] times [`FINGERPRINT_SIDE`] cells, and the picture's
/// shape.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Fingerprint {
    /// The width and height of the picture, in pixels. Only their ratio matters for comparisons.
    size: (u32, u32),
    grid: Grid,
}

impl Fingerprint {
    /// Makes the fingerprint of a picture with this width and height, in pixels. `brightness` is the mean brightness
    /// of each cell, 0 to 255, row by row.
    #[must_use]
    pub fn of((width, height): (u32, u32), brightness: &[u8; CELLS]) -> Self {
        let side = |px: u32| px.clamp(1, SIDE_PX_MAX);
        Self {
            size: (side(width), side(height)),
            grid: Grid::of(brightness),
        }
    }

    /// Parses the text form of a fingerprint; `None` if the text is invalid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (size, digits) = text.split_once(':')?;
        let (width, height) = size.split_once('x')?;
        let mut brightness = [0; CELLS];
        if digits.len() != CELLS {
            return None;
        }
        for (cell, digit) in brightness.iter_mut().zip(digits.bytes()) {
            let value = DIGITS.iter().position(|one| *one == digit)?;
            *cell = u8::try_from(value).ok()?.saturating_mul(4);
        }
        let read = |text: &str| {
            let px: u32 = text.parse().ok()?;
            (1..=SIDE_PX_MAX).contains(&px).then_some(px)
        };
        Some(Self::of((read(width)?, read(height)?), &brightness))
    }

    /// Returns the first of these pictures of which this one is a copy, cropped or not. This one then shows nobody whom
    /// that picture does not show.
    ///
    /// Searches each picture for the rectangle with this picture's shape that differs least in brightness, also
    /// mirrored. The rectangle must have at least three fifths of that picture's width and height. If it is nearly the
    /// whole picture, the overall brightness may differ. A picture that shows more than another is not a copy of it,
    /// because the additional part may show another person. A picture of another moment is not a copy either, because a
    /// head that moved is a local difference, however alike the rest is.
    pub fn first_whole<'all, T>(
        &self,
        mut all: impl Iterator<Item = (&'all Self, T)>,
        placements: &mut Placements,
    ) -> Option<T> {
        let mirrored = self.grid.mirrored();
        let forms = [&self.grid, &mirrored];
        let means = forms.map(Means::of);
        let in_blocks = forms.map(|grid| (grid, Blocks::of_all(grid)));
        all.find_map(|(whole, value)| {
            let tried = placements.of_ratio(self.ratio() / whole.ratio());
            let whole = &whole.grid;
            // Mirroring does not change the mean brightness, so the means of the unmirrored picture suffice.
            let [own_means, _] = &means;
            let near: Vec<&Tried> = tried
                .iter()
                .filter(|one| one.has_mean(own_means, whole))
                .collect();
            let mut parts = forms.iter().zip(&means);
            let is_part = parts.any(|(part, means)| is_part_of(part, whole, means, &near))
                || grid::is_same(&in_blocks, whole, tried);
            is_part.then_some(value)
        })
    }

    /// Returns the aspect ratio, width by height.
    fn ratio(&self) -> f64 {
        f64::from(self.size.0) / f64::from(self.size.1)
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a text is no fingerprint")
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Fingerprint {
    /// Writes the text form: the size, such as `300x200:`, followed by one digit per cell.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}:", self.size.0, self.size.1)?;
        for cell in self.grid.cells() {
            let digit = DIGITS.get(usize::from(cell)).copied().unwrap_or(b'A');
            write!(out, "{}", char::from(digit))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

fn is_part_of(part: &Grid, whole: &Grid, means: &Means, tried: &[&Tried]) -> bool {
    let near = tried
        .iter()
        .filter_map(|one| one.with_quarters(means, whole));
    let mut best: Vec<(i32, Placement)> = near
        .filter_map(|one| Some((one.rough_difference(part, whole)?, one)))
        .collect();
    best.sort_unstable_by_key(|(difference, _)| *difference);
    let mut best = best.into_iter().take(REFINED_MAX);
    best.any(|(_, one)| {
        // A copy that is not cropped fits without refinement, which is slow.
        if one.is_same_picture(part, whole) {
            return true;
        }
        let refined = one.refined(part, whole);
        refined.is_some_and(|one| one.is_same_picture(part, whole))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a picture of light and dark spots, cropped to a left, top, width and height in fractions.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "brightness and lengths within their bounds"
    )]
    fn picture(seed: u32, [left, top, width, height]: [f64; 4]) -> Fingerprint {
        let spots: Vec<[f64; 4]> = (0..12)
            .map(|spot| {
                let draw = |what: u32| {
                    let mut mixed = seed * 4_096 + spot * 16 + what + 1;
                    for _ in 0..3 {
                        mixed = (mixed ^ (mixed >> 15)).wrapping_mul(2_654_435_761);
                    }
                    f64::from(mixed >> 8) / f64::from(1 << 24)
                };
                [
                    draw(1),
                    draw(2),
                    0.05 + 0.15 * draw(3),
                    240.0 * draw(4) - 120.0,
                ]
            })
            .collect();
        let cells = std::array::from_fn(|cell| {
            let middle = |cell: usize| (cell as f64 + 0.5) / FINGERPRINT_SIDE as f64;
            let x = left + width * middle(cell % FINGERPRINT_SIDE);
            let y = top + height * middle(cell / FINGERPRINT_SIDE);
            let light = spots.iter().map(|[at_x, at_y, size, strength]| {
                strength / (1.0 + ((x - at_x).powi(2) + (y - at_y).powi(2)) / size.powi(2))
            });
            (128.0 + light.sum::<f64>()).clamp(0.0, 255.0) as u8
        });
        Fingerprint::of(((600.0 * width) as u32, (400.0 * height) as u32), &cells)
    }

    fn is_copy_of(part: &Fingerprint, whole: &Fingerprint) -> bool {
        let mut placements = Placements::default();
        part.first_whole([(whole, ())].into_iter(), &mut placements)
            .is_some()
    }

    const WHOLE: [f64; 4] = [0.0, 0.0, 1.0, 1.0];

    #[test]
    fn a_cut_picture_is_a_part_and_the_whole_is_none_of_it() {
        for seed in 0..40 {
            let whole = picture(seed, WHOLE);
            assert!(is_copy_of(&whole, &whole));
            for cut in [
                [0.1, 0.0, 0.9, 1.0],
                [0.0, 0.07, 0.85, 0.8],
                [0.12, 0.15, 0.75, 0.7],
            ] {
                let part = picture(seed, cut);
                assert!(is_copy_of(&part, &whole), "{seed} {cut:?}");
                assert!(!is_copy_of(&whole, &part), "{seed} {cut:?}");
            }
        }
    }

    #[test]
    fn other_pictures_are_no_copies() {
        let pictures: Vec<Fingerprint> = (0..60).map(|seed| picture(seed, WHOLE)).collect();
        let mut placements = Placements::default();
        for (seed, one) in pictures.iter().enumerate() {
            let others = pictures
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != seed);
            assert_eq!(
                one.first_whole(
                    others.map(|(other, picture)| (picture, other)),
                    &mut placements
                ),
                None
            );
        }
    }

    #[test]
    fn kept_places_change_nothing() {
        let pictures = |width: f64, height: f64| {
            let all = (0..4).map(move |seed| picture(seed, [0.0, 0.0, width, height]));
            all.collect::<Vec<_>>()
        };
        let wholes = pictures(1.0, 1.0);
        let mut kept = Placements::default();
        // There are more ratios here than the cache holds, and shapes that do not fit into each other.
        for step in 0..60 {
            let width = 0.4 + f64::from(step) / 100.0;
            for part in pictures(width, 0.9) {
                let found = |placements: &mut Placements| {
                    let wholes = wholes.iter().enumerate();
                    part.first_whole(wholes.map(|(at, whole)| (whole, at)), placements)
                };
                assert_eq!(found(&mut kept), found(&mut Placements::default()));
            }
        }
    }

    #[test]
    fn the_text_form_holds_all() {
        let one = picture(3, [0.0, 0.0, 0.5, 1.0]);
        let text = one.to_string();
        assert!(text.starts_with("300x400:"), "{text}");
        assert_eq!(text.len(), "300x400:".len() + CELLS);
        assert_eq!(Fingerprint::parse(&text), Some(one));
        let cells = "A".repeat(CELLS);
        let is_read = |text: String| Fingerprint::parse(&text).is_some();
        assert!(is_read(format!("1x1:{cells}")));
        for broken in [
            format!("0x1:{cells}"),
            format!("65536x1:{cells}"),
            format!("1x1:{cells}A"),
            format!("1x1:!{}", &cells[1..]),
            format!("1:{cells}"),
            String::new(),
        ] {
            assert!(!is_read(broken.clone()), "{broken}");
        }
    }

    #[test]
    fn an_even_picture_is_compared_without_an_end() {
        let even = Fingerprint::of((1, 65_535), &[0; CELLS]);
        assert!(is_copy_of(&even, &even));
        assert!(!is_copy_of(
            &even,
            &Fingerprint::of((65_535, 1), &[0; CELLS])
        ));
    }
}

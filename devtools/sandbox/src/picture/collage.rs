//! Collages: photos of people who never met, combined as newspapers and fans do.

use super::camera::{self, u16_of};
use super::group::Backdrop;
use super::keyed_rng::KeyedRng;
use super::label::LabelledFace;
use super::pixels::Pixels;
use crate::world::World;

/// The ways in which a collage combines photos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collage {
    /// Side by side, without a border.
    SideBySide,
    /// Side by side, with a border between them and sometimes around them.
    Bordered,
    /// One over the other, with or without a border.
    Stacked,
    /// Two by two, with or without borders.
    Grid,
    /// Side by side or stacked, the seam blurred over two or three pixels.
    Soft,
    /// A small photo in a corner of a large one.
    Inset,
}

impl Collage {
    /// All kinds of collages.
    pub const ALL: [Self; 6] = [
        Self::SideBySide,
        Self::Bordered,
        Self::Stacked,
        Self::Grid,
        Self::Soft,
        Self::Inset,
    ];
}

const BORDERS: [[u8; 3]; 6] = [
    [255, 255, 255],
    [255, 255, 255],
    [0, 0, 0],
    [20, 22, 26],
    [176, 30, 44],
    [236, 222, 190],
];

/// The place of one photo within a collage, in pixels.
#[derive(Clone, Copy, Debug)]
struct Panel {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
}

/// Paints a collage of these groups. Its long side has `long_px` pixels.
pub(super) fn paint(
    world: &World,
    groups: &[&[usize]],
    kind: Collage,
    long_px: u16,
    rng: KeyedRng,
) -> Option<(Pixels, Vec<LabelledFace>)> {
    let size_px = canvas(kind, long_px, rng)?;
    let border = match kind {
        Collage::SideBySide | Collage::Soft => 0,
        Collage::Bordered => border_px(long_px, rng)?,
        Collage::Stacked | Collage::Grid | Collage::Inset => {
            if rng.chance("bordered", 50) {
                border_px(long_px, rng)?
            } else {
                0
            }
        }
    };
    let color = rng.pick("border", &BORDERS, [255; 3]);
    let mut whole = Pixels::filled(size_px, color);
    let panels = panels(kind, size_px, border, rng)?;
    let mut faces = Vec::new();
    for (number, panel) in panels.into_iter().enumerate() {
        let people = groups.get(number).copied().unwrap_or_default();
        let own = rng.nested("panel", number);
        let is_inset = kind == Collage::Inset && number > 0;
        if is_inset && border > 0 {
            whole.paste(&frame_of(panel, border, color), corner(panel, border));
        }
        let (photo, seen) = photo(world, people, panel, own)?;
        whole.paste(&photo, (panel.left.into(), panel.top.into()));
        faces.extend(seen.into_iter().map(|face| placed(face, panel, size_px)));
    }
    if kind == Collage::Soft {
        whole.soften();
    }
    Some((whole, faces))
}

fn canvas(kind: Collage, long_px: u16, rng: KeyedRng) -> Option<(u16, u16)> {
    let short = |low, high| u16_of(f32::from(long_px) * rng.span("shape", low, high));
    Some(match kind {
        Collage::Stacked => (short(0.55, 0.85)?, long_px),
        Collage::Soft if is_stacked(rng) => (short(0.55, 0.85)?, long_px),
        Collage::Grid => (long_px, short(0.75, 1.0)?),
        _ => (long_px, short(0.5, 0.8)?),
    })
}

fn is_stacked(rng: KeyedRng) -> bool {
    rng.chance("stacked", 30)
}

fn border_px(long_px: u16, rng: KeyedRng) -> Option<u16> {
    u16_of((f32::from(long_px) * rng.span("border width", 0.006, 0.03)).max(2.0))
}

/// Splits a length in two with a border between. Returns the length before the border and the length after it.
fn cut(length: u16, share: f32, border: u16) -> Option<(u16, u16)> {
    let first = u16_of(f32::from(length.checked_sub(border)?) * share)?;
    Some((first, length.checked_sub(border)?.checked_sub(first)?))
}

fn panels(
    kind: Collage,
    (width, height): (u16, u16),
    border: u16,
    rng: KeyedRng,
) -> Option<Vec<Panel>> {
    // Some collages with borders between the photos also have one around all of them.
    let rim = if rng.chance("rim", 40) { border } else { 0 };
    let inner = (width.checked_sub(rim * 2)?, height.checked_sub(rim * 2)?);
    let panel = |left: u16, top: u16, width: u16, height: u16| Panel {
        left: left + rim,
        top: top + rim,
        width,
        height,
    };
    let share = rng.span("share", 0.42, 0.58);
    let (left, right) = cut(inner.0, share, border)?;
    let (upper, lower) = cut(inner.1, share, border)?;
    let (second_x, second_y) = (left + border, upper + border);
    Some(match kind {
        Collage::Soft | Collage::Stacked if kind == Collage::Stacked || is_stacked(rng) => vec![
            panel(0, 0, inner.0, upper),
            panel(0, second_y, inner.0, lower),
        ],
        Collage::Grid => vec![
            panel(0, 0, left, upper),
            panel(second_x, second_y, right, lower),
            panel(second_x, 0, right, upper),
            panel(0, second_y, left, lower),
        ],
        Collage::Inset => inset_panels((width, height), rng)?,
        _ => vec![
            panel(0, 0, left, inner.1),
            panel(second_x, 0, right, inner.1),
        ],
    })
}

/// Returns two panels: a large photo, and a small one in a corner, away from the face in the middle of the large one.
fn inset_panels((width, height): (u16, u16), rng: KeyedRng) -> Option<Vec<Panel>> {
    let wide = u16_of(f32::from(width) * rng.span("inset", 0.24, 0.3))?;
    let high = u16_of(f32::from(height) * rng.span("inset height", 0.36, 0.5))?;
    let margin = u16_of(f32::from(width) * rng.span("margin", 0.02, 0.04))?;
    let far_x = width.checked_sub(wide + margin)?;
    let far_y = height.checked_sub(high + margin)?;
    Some(vec![
        Panel {
            left: 0,
            top: 0,
            width,
            height,
        },
        Panel {
            left: if rng.chance("inset left", 50) {
                margin
            } else {
                far_x
            },
            top: if rng.chance("inset top", 50) {
                margin
            } else {
                far_y
            },
            width: wide,
            height: high,
        },
    ])
}

fn corner(panel: Panel, border: u16) -> (usize, usize) {
    let border = border.min(panel.left).min(panel.top);
    ((panel.left - border).into(), (panel.top - border).into())
}

fn frame_of(panel: Panel, border: u16, color: [u8; 3]) -> Pixels {
    let border = border.min(panel.left).min(panel.top);
    let (width, height) = (panel.width + border * 2, panel.height + border * 2);
    Pixels::filled((width, height), color)
}

/// Takes one photo of a collage, cropped to its panel.
fn photo(
    world: &World,
    people: &[usize],
    panel: Panel,
    rng: KeyedRng,
) -> Option<(Pixels, Vec<LabelledFace>)> {
    // A photo of one person is often cropped close; a photo of several must keep all faces.
    let grown = if people.len() > 1 {
        1.0
    } else {
        rng.span("close", 1.0, 1.4)
    };
    let size = (
        u16_of(f32::from(panel.width) * grown)?.max(panel.width),
        u16_of(f32::from(panel.height) * grown)?.max(panel.height),
    );
    let (photo, faces) = camera::photo(world, people, size, rng, Backdrop::Place)?;
    let spare = (
        usize::from(size.0 - panel.width),
        usize::from(size.1 - panel.height),
    );
    let corner = (
        spare.0 * (40 + rng.below("crop left", 21)) / 100,
        spare.1 * (30 + rng.below("crop top", 31)) / 100,
    );
    let seen = faces.into_iter().map(|face| LabelledFace {
        left: (face.left * f64::from(size.0) - corner.0 as f64) / f64::from(panel.width),
        top: (face.top * f64::from(size.1) - corner.1 as f64) / f64::from(panel.height),
        width: face.width * f64::from(size.0) / f64::from(panel.width),
        height: face.height * f64::from(size.1) / f64::from(panel.height),
        ..face
    });
    let seen = seen.collect();
    Some((photo.cropped(corner, (panel.width, panel.height)), seen))
}

/// Converts a face from fractions of its panel to fractions of the whole picture.
fn placed(face: LabelledFace, panel: Panel, (width, height): (u16, u16)) -> LabelledFace {
    let (width, height) = (f64::from(width), f64::from(height));
    let (panel_width, panel_height) = (f64::from(panel.width), f64::from(panel.height));
    LabelledFace {
        left: (f64::from(panel.left) + face.left * panel_width) / width,
        top: (f64::from(panel.top) + face.top * panel_height) / height,
        width: face.width * panel_width / width,
        height: face.height * panel_height / height,
        ..face
    }
}

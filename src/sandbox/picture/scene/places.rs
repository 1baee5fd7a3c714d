//! Which of the six places a photo shows.

use super::super::brush::Brush;
use super::super::keyed_rng::KeyedRng;
use super::super::portrait::Light;
use super::{indoors, outdoors};

/// Paints a scene by the seed and says how it lights the people.
pub(in super::super) fn paint(brush: &mut Brush, rng: KeyedRng) -> Light {
    match rng.below("scene", 6) {
        0 => indoors::stage(brush, rng),
        1 => indoors::library(brush, rng),
        2 => indoors::drawing_room(brush, rng),
        3 => outdoors::garden(brush, rng),
        4 => outdoors::street(brush, rng),
        _ => outdoors::seaside(brush, rng),
    }
}

/// Paints what a window may show.
pub(in super::super) fn outside(brush: &mut Brush, rng: KeyedRng) {
    match rng.below("outside", 3) {
        0 => outdoors::garden(brush, rng),
        1 => outdoors::street(brush, rng),
        _ => outdoors::seaside(brush, rng),
    };
}

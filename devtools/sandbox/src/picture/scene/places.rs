//! Chooses one of the six places for a photo.

use super::super::canvas::Canvas;
use super::super::keyed_rng::KeyedRng;
use super::super::portrait::Light;
use super::{indoors, outdoors};

/// Paints a scene chosen by the seed and returns the light in it.
pub(in super::super) fn paint(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    match rng.below("scene", 6) {
        0 => indoors::stage(canvas, rng),
        1 => indoors::library(canvas, rng),
        2 => indoors::drawing_room(canvas, rng),
        3 => outdoors::garden(canvas, rng),
        4 => outdoors::street(canvas, rng),
        _ => outdoors::seaside(canvas, rng),
    }
}

/// Paints a view of the outdoors, for the window of a room.
pub(in super::super) fn outside(canvas: &mut Canvas, rng: KeyedRng) {
    match rng.below("outside", 3) {
        0 => outdoors::garden(canvas, rng),
        1 => outdoors::street(canvas, rng),
        _ => outdoors::seaside(canvas, rng),
    };
}

//! One group of people in one place, as a camera would take them.

use super::brush::{Brush, faint, rgb};
use super::keyed_rng::KeyedRng;
use super::label::Face;
use super::layout::spots;
use super::look::Look;
use super::props::{self, Prop};
use super::{portrait, scene};
use crate::sandbox::world::World;

/// What is behind the people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Setting {
    /// One of the six places.
    Place,
    /// A room with something in it that looks like a seam, and how far apart the people stand
    /// (1 is as close as elsewhere).
    Room(Prop, f32),
}

/// Paints people in their order, and says where their faces are.
pub(super) fn paint(
    world: &World,
    people: &[usize],
    (width_px, height_px): (u16, u16),
    rng: KeyedRng,
    setting: Setting,
) -> Option<(Brush, Vec<Face>)> {
    let mut brush = Brush::new(width_px.into(), height_px.into())?;
    let (width, height) = (brush.width(), brush.height());
    let (light, apart) = match setting {
        Setting::Place => (scene::paint(&mut brush, rng), None),
        Setting::Room(prop, apart) => (props::paint(&mut brush, prop, rng), Some(apart)),
    };
    let mut faces = Vec::with_capacity(people.len());
    for mut spot in spots(people.len(), width, height, rng) {
        let Some(number) = people.get(spot.position) else {
            continue;
        };
        // Those who stand far apart are farther away, and leave the room between them open.
        if let Some(apart) = apart {
            spot.x = width / 2.0 + (spot.x - width / 2.0) * apart;
            spot.scale /= apart.max(1.0);
        }
        let person = world.people.get(*number)?;
        portrait::draw(&mut brush, &Look::of(person), &spot, light);
        faces.push(spot.face(*number, width, height));
    }
    finish(&mut brush);
    Some((brush, faces))
}

/// Darker corners and a little warm light from above hold the picture together.
fn finish(brush: &mut Brush) {
    let (width, height) = (brush.width(), brush.height());
    brush.glow(
        width * 0.3,
        0.0,
        width * 0.34,
        faint(rgb(0x00ff_f0cf), 0.12),
    );
    for corner in [0.0, width] {
        brush.glow(corner, height, width * 0.3, faint(rgb(0x0014_0a1c), 0.34));
        brush.glow(corner, 0.0, width * 0.22, faint(rgb(0x0014_0a1c), 0.24));
    }
}

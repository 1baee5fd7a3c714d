//! A group of people in one place.

use super::appearance::Appearance;
use super::canvas::{Canvas, faint, rgb};
use super::keyed_rng::KeyedRng;
use super::label::LabelledFace;
use super::layout::spots;
use super::props::{self, Prop};
use super::{portrait, scene};
use crate::world::World;

/// The background of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Backdrop {
    /// One of the six places.
    Place,
    /// A room with something that looks like a seam. The number is the distance between the people, in multiples of the
    /// usual distance.
    Room(Prop, f32),
}

/// Paints people from left to right in front of a backdrop, and returns the positions of their faces.
pub(super) fn paint(
    world: &World,
    people: &[usize],
    (width_px, height_px): (u16, u16),
    rng: KeyedRng,
    setting: Backdrop,
) -> Option<(Canvas, Vec<LabelledFace>)> {
    let mut canvas = Canvas::new(width_px.into(), height_px.into())?;
    let (width, height) = (canvas.width(), canvas.height());
    let (light, apart) = match setting {
        Backdrop::Place => (scene::paint(&mut canvas, rng), None),
        Backdrop::Room(prop, apart) => (props::paint(&mut canvas, prop, rng), Some(apart)),
    };
    let mut faces = Vec::with_capacity(people.len());
    for mut spot in spots(people.len(), width, height, rng) {
        let Some(number) = people.get(spot.position) else {
            continue;
        };
        // People who stand apart are painted smaller, as if farther away. The room is then visible between them.
        if let Some(apart) = apart {
            spot.x = width / 2.0 + (spot.x - width / 2.0) * apart;
            spot.scale /= apart.max(1.0);
        }
        let person = world.people.get(*number)?;
        portrait::draw(&mut canvas, &Appearance::of(person), &spot, light);
        faces.push(spot.face(*number, width, height));
    }
    finish(&mut canvas);
    Some((canvas, faces))
}

/// Darkens the corners and adds some warm light from above.
fn finish(canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    canvas.glow(
        width * 0.3,
        0.0,
        width * 0.34,
        faint(rgb(0x00ff_f0cf), 0.12),
    );
    for corner in [0.0, width] {
        canvas.glow(corner, height, width * 0.3, faint(rgb(0x0014_0a1c), 0.34));
        canvas.glow(corner, 0.0, width * 0.22, faint(rgb(0x0014_0a1c), 0.24));
    }
}

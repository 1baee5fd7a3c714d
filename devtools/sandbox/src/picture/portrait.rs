//! A portrait of head and shoulders in the flat style: soft planes, one light from the left, no outlines.
//!
//! All lengths are in multiples of half the head's width, with the origin at the middle of the face.

use tiny_skia::{Color, Path};

use super::appearance::{Appearance, Beard, Hair};
use super::canvas::{Canvas, curve, darker, faint, lighter, mix, oval, rgb, shape};
use super::layout::Spot;
use super::{outfit, wardrobe};

/// The light of the scene, which tints the people in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light {
    pub color: Color,
    pub share: f32,
}

impl Light {
    pub(super) fn on(self, color: Color) -> Color {
        mix(color, self.color, self.share)
    }
}

/// Draws one person with clothes, hair, hat and glasses.
pub(super) fn draw(canvas: &mut Canvas, look: &Appearance, spot: &Spot, light: Light) {
    let look = &lit(look, light);
    shadow(canvas, spot);
    canvas.place(spot.x, spot.y, spot.scale, spot.turn_degrees);
    wardrobe::hair_behind(canvas, look);
    outfit::draw(canvas, look);
    head(canvas, look, spot.gaze * 0.16);
    wardrobe::hair_in_front(canvas, look);
    wardrobe::glasses(canvas, look, spot.gaze * 0.16);
    wardrobe::hat(canvas, look);
    canvas.reset();
}

fn lit(look: &Appearance, light: Light) -> Appearance {
    Appearance {
        skin: light.on(look.skin),
        hair_color: light.on(look.hair_color),
        cloth: light.on(look.cloth),
        accent: light.on(look.accent),
        ..look.clone()
    }
}

/// Draws a person's shadow on the people behind: three faint silhouettes of different sizes, for a soft edge.
fn shadow(canvas: &mut Canvas, spot: &Spot) {
    let dark = faint(rgb(0x0014_0d1f), 0.075);
    for grown in [1.05, 1.13, 1.21] {
        canvas.place(
            spot.x + spot.scale * 0.16,
            spot.y + spot.scale * 0.1,
            spot.scale * grown,
            0.0,
        );
        canvas.fill(outfit::torso().as_ref(), dark);
        canvas.oval(0.0, -0.12, 1.08, 1.3, dark);
    }
}

/// Returns the outline of the face: a skull, cheeks, and a jaw of this width.
fn face(jaw: f32) -> Option<Path> {
    shape(
        [-0.98, -0.18],
        &[
            [-1.0, -0.95, -0.56, -1.32, 0.0, -1.32],
            [0.56, -1.32, 1.0, -0.95, 0.98, -0.18],
            [0.97, 0.38, jaw + 0.1, 0.72, jaw * 0.74, 0.96],
            [jaw * 0.46, 1.2, 0.16, 1.27, 0.0, 1.27],
            [-0.16, 1.27, -jaw * 0.46, 1.2, -jaw * 0.74, 0.96],
            [-jaw - 0.1, 0.72, -0.97, 0.38, -0.98, -0.18],
        ],
    )
}

/// Returns the part of the far cheek that lies in shade.
fn far_cheek(jaw: f32) -> Option<Path> {
    shape(
        [0.5, -1.2],
        &[
            [0.84, -1.02, 0.99, -0.68, 0.98, -0.18],
            [0.97, 0.38, jaw + 0.1, 0.72, jaw * 0.74, 0.96],
            [jaw * 0.46, 1.2, 0.16, 1.27, 0.0, 1.27],
            [0.52, 1.02, 0.7, 0.5, 0.7, 0.02],
            [0.72, -0.5, 0.66, -0.92, 0.5, -1.2],
        ],
    )
}

fn head(canvas: &mut Canvas, look: &Appearance, aside: f32) {
    let shade = mix(look.skin, rgb(0x008c_2f2a), 0.24);
    for side in [-1.0, 1.0] {
        canvas.oval(side * 0.99, 0.1, 0.17, 0.27, look.skin);
        canvas.oval(side * 1.0, 0.12, 0.08, 0.15, shade);
        if look.earrings {
            canvas.oval(side * 1.02, 0.48, 0.085, 0.1, look.accent);
            canvas.oval(side * 1.02 - 0.03, 0.45, 0.03, 0.035, rgb(0x00ff_ffff));
        }
    }
    canvas.fill(face(look.jaw).as_ref(), look.skin);
    canvas.fill(far_cheek(look.jaw).as_ref(), faint(shade, 0.34));
    beard(canvas, look, aside);
    for side in [-1.0, 1.0] {
        let cheek = faint(rgb(0x00e4_5c55), if look.feminine { 0.24 } else { 0.15 });
        canvas.oval(side * 0.56 + aside * 0.7, 0.4, 0.22, 0.15, cheek);
        eye(canvas, look, side * 0.4 + aside);
    }
    let nose = curve(
        [0.02 + aside * 1.5, -0.02],
        &[[
            0.06 + aside * 1.7,
            0.16,
            0.2 + aside * 1.5,
            0.36,
            0.0 + aside * 1.3,
            0.4,
        ]],
    );
    canvas.line(nose.as_ref(), 0.085, faint(shade, 0.85));
    mouth(canvas, look, aside);
}

fn eye(canvas: &mut Canvas, look: &Appearance, x: f32) {
    let dark = rgb(0x0024_1a1f);
    canvas.oval(x, 0.0, 0.17, 0.135, faint(rgb(0x00ff_fdf8), 0.92));
    canvas.oval(x, 0.005, 0.105, 0.128, dark);
    canvas.oval(x - 0.035, -0.04, 0.036, 0.04, rgb(0x00ff_ffff));
    let lid = curve(
        [x - 0.19, -0.03],
        &[[x - 0.1, -0.19, x + 0.1, -0.19, x + 0.19, -0.03]],
    );
    canvas.line(lid.as_ref(), if look.feminine { 0.07 } else { 0.045 }, dark);
    let brow = curve(
        [x - 0.23, -0.29],
        &[[x - 0.09, -0.4, x + 0.1, -0.4, x + 0.23, -0.3]],
    );
    let hair = if look.hair == Hair::Bald {
        rgb(0x0056_4038)
    } else {
        darker(look.hair_color, 0.3)
    };
    canvas.line(
        brow.as_ref(),
        if look.feminine { 0.07 } else { 0.105 },
        hair,
    );
}

fn mouth(canvas: &mut Canvas, look: &Appearance, aside: f32) {
    let x = aside * 1.2;
    let lips = if look.feminine {
        mix(rgb(0x00b2_2f3f), look.skin, 0.18)
    } else {
        mix(rgb(0x0087_3b34), look.skin, 0.3)
    };
    let smile = shape(
        [x - 0.3, 0.64],
        &[
            [x - 0.12, 0.7, x + 0.12, 0.7, x + 0.3, 0.64],
            [x + 0.2, 0.88, x - 0.2, 0.88, x - 0.3, 0.64],
        ],
    );
    canvas.fill(smile.as_ref(), lips);
    let teeth = shape(
        [x - 0.2, 0.675],
        &[
            [x - 0.08, 0.7, x + 0.08, 0.7, x + 0.2, 0.675],
            [x + 0.1, 0.77, x - 0.1, 0.77, x - 0.2, 0.675],
        ],
    );
    canvas.fill(teeth.as_ref(), rgb(0x00ff_fbf4));
}

fn beard(canvas: &mut Canvas, look: &Appearance, aside: f32) {
    let Some(beard) = look.beard else { return };
    let color = darker(look.hair_color, 0.12);
    let x = aside * 1.2;
    if beard != Beard::Moustache {
        let depth = if beard == Beard::Full { 1.62 } else { 1.33 };
        let edge = look.jaw + 0.16;
        let chin = shape(
            [-0.97, 0.02],
            &[
                [-0.92, 0.42, -0.7, 0.52, x - 0.38, 0.52],
                [x - 0.2, 0.46, x + 0.2, 0.46, x + 0.38, 0.52],
                [0.7, 0.52, 0.92, 0.42, 0.97, 0.02],
                [1.02, 0.6, edge * 0.9, depth - 0.2, 0.0, depth],
                [-edge * 0.9, depth - 0.2, -1.02, 0.6, -0.97, 0.02],
            ],
        );
        let soft = if beard == Beard::Short { 0.86 } else { 1.0 };
        canvas.fill(chin.as_ref(), faint(color, soft));
        canvas.fill(oval(x, 0.74, 0.36, 0.16).as_ref(), faint(look.skin, 0.55));
    }
    let moustache = shape(
        [x, 0.47],
        &[
            [x + 0.2, 0.42, x + 0.4, 0.52, x + 0.47, 0.68],
            [x + 0.26, 0.66, x + 0.12, 0.64, x, 0.6],
            [x - 0.12, 0.64, x - 0.26, 0.66, x - 0.47, 0.68],
            [x - 0.4, 0.52, x - 0.2, 0.42, x, 0.47],
        ],
    );
    canvas.fill(moustache.as_ref(), lighter(color, 0.04));
}

//! Clothes: shoulders, neck, and what people wear on them.

use tiny_skia::{Color, Path};

use super::appearance::{Appearance, Outfit};
use super::canvas::{Canvas, curve, darker, faint, lighter, mix, polygon, rgb, shape};

/// Returns the outline of neck, shoulders and arms, which continues below the picture's lower edge.
pub(super) fn torso() -> Option<Path> {
    shape(
        [-0.48, 1.52],
        &[
            [-0.9, 1.78, -1.62, 1.78, -2.0, 2.14],
            [-2.36, 2.5, -2.44, 4.0, -2.5, 9.0],
            [-1.0, 9.0, 1.0, 9.0, 2.5, 9.0],
            [2.44, 4.0, 2.36, 2.5, 2.0, 2.14],
            [1.62, 1.78, 0.9, 1.78, 0.48, 1.52],
            [0.2, 1.46, -0.2, 1.46, -0.48, 1.52],
        ],
    )
}

/// Draws the shaded side of the far arm and the crease of the near arm.
fn folds(canvas: &mut Canvas, color: Color) {
    let far = shape(
        [1.1, 1.78],
        &[
            [1.62, 1.8, 1.8, 1.94, 2.0, 2.14],
            [2.36, 2.5, 2.44, 4.0, 2.5, 9.0],
            [2.0, 9.0, 1.6, 9.0, 1.36, 9.0],
            [1.5, 5.0, 1.62, 2.8, 1.1, 1.78],
        ],
    );
    canvas.fill(far.as_ref(), faint(darker(color, 0.5), 0.4));
    let near = curve([-1.6, 9.0], &[[-1.5, 5.6, -1.62, 3.9, -1.44, 3.1]]);
    canvas.line(near.as_ref(), 0.07, faint(darker(color, 0.55), 0.5));
    let rim = curve([-1.9, 2.2], &[[-2.2, 2.5, -2.3, 3.4, -2.36, 5.0]]);
    canvas.line(rim.as_ref(), 0.08, faint(lighter(color, 0.5), 0.4));
}

pub(super) fn draw(canvas: &mut Canvas, look: &Appearance) {
    match look.outfit {
        Outfit::Gown => gown(canvas, look),
        Outfit::Suit | Outfit::Waistcoat => suit(canvas, look),
        Outfit::Turtleneck | Outfit::Jumper | Outfit::Scarf | Outfit::Blouse => knit(canvas, look),
    }
}

fn neck(canvas: &mut Canvas, look: &Appearance) {
    let neck = shape(
        [-0.46, 0.7],
        &[
            [-0.44, 1.2, -0.46, 1.4, -0.66, 1.66],
            [-0.3, 2.1, 0.3, 2.1, 0.66, 1.66],
            [0.46, 1.4, 0.44, 1.2, 0.46, 0.7],
            [0.2, 0.7, -0.2, 0.7, -0.46, 0.7],
        ],
    );
    canvas.fill(neck.as_ref(), mix(look.skin, rgb(0x008c_2f2a), 0.1));
    let under_chin = shape(
        [-0.46, 0.9],
        &[
            [-0.3, 1.62, 0.36, 1.62, 0.46, 0.9],
            [0.3, 0.8, -0.3, 0.8, -0.46, 0.9],
        ],
    );
    canvas.fill(under_chin.as_ref(), faint(rgb(0x007c_2c2c), 0.3));
}

fn gown(canvas: &mut Canvas, look: &Appearance) {
    canvas.fill(torso().as_ref(), look.skin);
    neck(canvas, look);
    let bones = curve([-0.9, 2.12], &[[-0.5, 2.02, -0.25, 2.16, -0.16, 2.24]]);
    canvas.line(bones.as_ref(), 0.06, faint(rgb(0x007c_2c2c), 0.22));
    let dress = shape(
        [-1.62, 1.86],
        &[
            [-1.3, 2.4, -0.7, 2.72, 0.0, 2.72],
            [0.7, 2.72, 1.3, 2.4, 1.62, 1.86],
            [1.8, 1.94, 1.9, 2.05, 2.0, 2.14],
            [2.36, 2.5, 2.44, 4.0, 2.5, 9.0],
            [1.0, 9.0, -1.0, 9.0, -2.5, 9.0],
            [-2.44, 4.0, -2.36, 2.5, -2.0, 2.14],
            [-1.9, 2.05, -1.8, 1.94, -1.62, 1.86],
        ],
    );
    canvas.fill(dress.as_ref(), look.cloth);
    folds(canvas, look.cloth);
    let hem = curve(
        [-1.58, 1.94],
        &[
            [-1.3, 2.46, -0.7, 2.78, 0.0, 2.78],
            [0.7, 2.78, 1.3, 2.46, 1.58, 1.94],
        ],
    );
    canvas.line(hem.as_ref(), 0.11, lighter(look.cloth, 0.28));
    // A string of pearls.
    for bead in -4_i8..=4 {
        let x = f32::from(bead) * 0.15;
        let y = 2.06 - x * x * 0.72;
        canvas.oval(x, y, 0.075, 0.075, rgb(0x00fb_f3e4));
        canvas.oval(x - 0.02, y - 0.025, 0.028, 0.028, rgb(0x00ff_ffff));
    }
}

fn suit(canvas: &mut Canvas, look: &Appearance) {
    let waistcoat = look.outfit == Outfit::Waistcoat;
    canvas.fill(torso().as_ref(), look.cloth);
    neck(canvas, look);
    let shirt = polygon(&[
        [-0.62, 1.58],
        [0.62, 1.58],
        [0.5, 2.6],
        [0.0, 3.9],
        [-0.5, 2.6],
    ]);
    canvas.fill(shirt.as_ref(), rgb(0x00f7_f1e6));
    if waistcoat {
        let vest = polygon(&[[-0.8, 2.2], [0.0, 3.1], [0.8, 2.2], [1.0, 9.0], [-1.0, 9.0]]);
        canvas.fill(vest.as_ref(), look.accent);
        for button in [3.4, 3.95, 4.5] {
            canvas.oval(0.0, button, 0.07, 0.07, lighter(look.accent, 0.5));
        }
    }
    let tie = if waistcoat {
        darker(look.cloth, 0.15)
    } else {
        look.accent
    };
    canvas.fill(
        polygon(&[[-0.17, 1.86], [0.17, 1.86], [0.1, 2.12], [-0.1, 2.12]]).as_ref(),
        darker(tie, 0.16),
    );
    canvas.fill(
        polygon(&[
            [-0.1, 2.12],
            [0.1, 2.12],
            [0.25, 3.1],
            [0.0, 3.45],
            [-0.25, 3.1],
        ])
        .as_ref(),
        tie,
    );
    folds(canvas, look.cloth);
    for side in [-1.0, 1.0] {
        let collar = polygon(&[
            [side * 0.5, 1.44],
            [side * 0.68, 1.6],
            [side * 0.36, 2.14],
            [side * 0.06, 1.86],
        ]);
        canvas.fill(collar.as_ref(), rgb(0x00ff_fcf5));
        let lapel = polygon(&[
            [side * 0.66, 1.56],
            [side * 1.0, 1.78],
            [side * 1.08, 2.5],
            [side * 0.8, 2.56],
            [side * 0.86, 2.82],
            [side * 0.05, 4.1],
            [side * 0.4, 2.6],
        ]);
        canvas.fill(
            lapel.as_ref(),
            if side < 0.0 {
                lighter(look.cloth, 0.12)
            } else {
                darker(look.cloth, 0.2)
            },
        );
    }
    let pocket = polygon(&[[1.06, 3.22], [1.48, 3.15], [1.46, 3.34], [1.08, 3.42]]);
    canvas.fill(pocket.as_ref(), faint(rgb(0x00ff_fcf5), 0.85));
}

fn knit(canvas: &mut Canvas, look: &Appearance) {
    canvas.fill(torso().as_ref(), look.cloth);
    folds(canvas, look.cloth);
    neck(canvas, look);
    match look.outfit {
        Outfit::Turtleneck => {
            let roll = shape(
                [-0.58, 1.26],
                &[
                    [-0.3, 1.5, 0.3, 1.5, 0.58, 1.26],
                    [0.68, 1.5, 0.72, 1.7, 0.78, 1.86],
                    [0.3, 2.2, -0.3, 2.2, -0.78, 1.86],
                    [-0.72, 1.7, -0.68, 1.5, -0.58, 1.26],
                ],
            );
            canvas.fill(roll.as_ref(), lighter(look.cloth, 0.13));
            let seam = curve([-0.72, 1.8], &[[-0.3, 2.1, 0.3, 2.1, 0.72, 1.8]]);
            canvas.line(seam.as_ref(), 0.06, faint(darker(look.cloth, 0.5), 0.6));
        }
        Outfit::Scarf => scarf(canvas, look.accent),
        Outfit::Blouse => blouse(canvas, look),
        _ => {
            let collar = curve([-0.68, 1.64], &[[-0.34, 2.16, 0.34, 2.16, 0.68, 1.64]]);
            canvas.line(collar.as_ref(), 0.2, lighter(look.cloth, 0.16));
            for (row, color) in [(3.0, look.accent), (3.42, lighter(look.accent, 0.45))] {
                let band = shape(
                    [-1.52, row],
                    &[
                        [-0.6, row + 0.16, 0.6, row + 0.16, 1.5, row],
                        [1.5, row + 0.1, 1.5, row + 0.2, 1.5, row + 0.26],
                        [0.6, row + 0.42, -0.6, row + 0.42, -1.52, row + 0.26],
                    ],
                );
                canvas.fill(band.as_ref(), faint(color, 0.9));
            }
        }
    }
}

fn scarf(canvas: &mut Canvas, color: Color) {
    let end = shape(
        [0.2, 1.9],
        &[
            [0.62, 2.3, 0.66, 3.2, 0.6, 4.4],
            [0.4, 4.5, 0.1, 4.5, -0.08, 4.4],
            [0.0, 3.4, 0.0, 2.5, 0.2, 1.9],
        ],
    );
    canvas.fill(end.as_ref(), darker(color, 0.14));
    let wrap = shape(
        [-0.74, 1.3],
        &[
            [-0.3, 1.62, 0.3, 1.62, 0.74, 1.3],
            [1.02, 1.6, 1.0, 1.96, 0.76, 2.12],
            [0.3, 2.42, -0.3, 2.42, -0.76, 2.12],
            [-1.0, 1.96, -1.02, 1.6, -0.74, 1.3],
        ],
    );
    canvas.fill(wrap.as_ref(), color);
    for y in [1.62, 1.88] {
        let crease = curve([-0.8, y], &[[-0.3, y + 0.3, 0.3, y + 0.3, 0.8, y]]);
        canvas.line(crease.as_ref(), 0.05, faint(darker(color, 0.5), 0.5));
    }
}

fn blouse(canvas: &mut Canvas, look: &Appearance) {
    let open = polygon(&[[-0.56, 1.56], [0.56, 1.56], [0.0, 2.7]]);
    canvas.fill(open.as_ref(), mix(look.skin, rgb(0x008c_2f2a), 0.06));
    for side in [-1.0, 1.0] {
        let collar = shape(
            [side * 0.54, 1.42],
            &[
                [side * 0.8, 1.6, side * 1.02, 1.9, side * 1.1, 2.26],
                [side * 0.8, 2.42, side * 0.4, 2.6, 0.0, 2.74],
                [side * 0.16, 2.3, side * 0.4, 1.9, side * 0.54, 1.42],
            ],
        );
        canvas.fill(
            collar.as_ref(),
            lighter(look.cloth, if side < 0.0 { 0.4 } else { 0.25 }),
        );
    }
    for button in [3.05, 3.55, 4.05] {
        canvas.oval(0.0, button, 0.065, 0.065, lighter(look.accent, 0.3));
    }
}

//! Hair, hats and glasses.

use super::appearance::{Appearance, Hair, Hat};
use super::canvas::{Canvas, curve, darker, faint, lighter, rgb, shape};

/// Draws the part of the hair that falls behind neck and shoulders, or stands out behind the head.
pub(super) fn hair_behind(canvas: &mut Canvas, look: &Appearance) {
    let back = darker(look.hair_color, 0.22);
    match look.hair {
        Hair::Long => mane(canvas, look, 1.34, 2.75),
        Hair::Wavy => {
            mane(canvas, look, 1.3, 2.2);
            for (x, y) in [(1.24, 0.5), (1.4, 1.1), (1.3, 1.7), (1.42, 2.2), (1.1, 2.5)] {
                canvas.oval(x, y, 0.38, 0.42, back);
                canvas.oval(-x, y, 0.38, 0.42, back);
            }
        }
        Hair::Bob => mane(canvas, look, 1.3, 1.12),
        Hair::Afro => canvas.oval(0.0, -0.42, 1.66, 1.5, back),
        Hair::Bun if look.hat.is_none() => {
            canvas.oval(0.0, -1.62, 0.52, 0.46, look.hair_color);
            canvas.oval(
                -0.12,
                -1.72,
                0.22,
                0.16,
                faint(lighter(look.hair_color, 0.35), 0.5),
            );
        }
        Hair::Chignon | Hair::Bun => canvas.oval(0.66, 1.0, 0.5, 0.42, back),
        _ => {}
    }
}

/// Draws straight hair from the crown to `length`.
fn mane(canvas: &mut Canvas, look: &Appearance, width: f32, length: f32) {
    let fall = shape(
        [0.0, -1.5],
        &[
            [0.9, -1.5, width, -0.9, width, 0.0],
            [
                width,
                length * 0.6,
                width * 1.08,
                length * 0.86,
                width * 0.9,
                length,
            ],
            [
                width * 0.4,
                length + 0.12,
                -width * 0.4,
                length + 0.12,
                -width * 0.9,
                length,
            ],
            [
                -width * 1.08,
                length * 0.86,
                -width,
                length * 0.6,
                -width,
                0.0,
            ],
            [-width, -0.9, -0.9, -1.5, 0.0, -1.5],
        ],
    );
    canvas.fill(fall.as_ref(), darker(look.hair_color, 0.22));
}

/// Draws the hair over the forehead and temples.
pub(super) fn hair_in_front(canvas: &mut Canvas, look: &Appearance) {
    let color = look.hair_color;
    match look.hair {
        Hair::Bald => {
            canvas.oval(-0.34, -0.94, 0.3, 0.13, faint(rgb(0x00ff_ffff), 0.22));
            for side in [-1.0, 1.0] {
                canvas.oval(side * 0.97, -0.2, 0.11, 0.26, faint(color, 0.85));
            }
            return;
        }
        Hair::Cropped => cap(canvas, look, 1.42, [0.9, -0.5], -0.78),
        Hair::SideParted | Hair::Swept => swept(canvas, look),
        Hair::Curly => {
            cap(canvas, look, 1.42, [0.98, -0.2], -0.72);
            for (x, y, r) in [
                (0.0, -1.36, 0.36),
                (0.46, -1.26, 0.36),
                (0.82, -0.98, 0.34),
                (1.02, -0.56, 0.28),
                (1.06, -0.16, 0.2),
                (0.24, -1.02, 0.24),
                (0.62, -0.86, 0.22),
            ] {
                canvas.oval(x, y, r, r, color);
                canvas.oval(-x, y, r, r, color);
            }
        }
        Hair::Afro => cap(canvas, look, 1.5, [1.04, -0.3], -0.8),
        Hair::Bob => fringe(canvas, look),
        Hair::Long | Hair::Wavy => parted(canvas, look, 0.9),
        Hair::Bun | Hair::Chignon => parted(canvas, look, 0.1),
    }
    let shine = curve([-0.78, -0.98], &[[-0.5, -1.28, -0.24, -1.36, 0.06, -1.36]]);
    canvas.line(shine.as_ref(), 0.1, faint(lighter(color, 0.45), 0.38));
}

/// Draws short hair that follows the skull, with a level hairline.
fn cap(canvas: &mut Canvas, look: &Appearance, top: f32, [side, low]: [f32; 2], hairline: f32) {
    let cap = shape(
        [-side - 0.06, low + 0.3],
        &[
            [-1.2, -0.9, -0.7, -top, 0.0, -top],
            [0.7, -top, 1.2, -0.9, side + 0.06, low + 0.3],
            [side - 0.06, low, 0.84, hairline + 0.1, 0.56, hairline],
            [0.2, hairline - 0.08, -0.2, hairline - 0.08, -0.56, hairline],
            [
                -0.84,
                hairline + 0.1,
                -side + 0.06,
                low,
                -side - 0.06,
                low + 0.3,
            ],
        ],
    );
    canvas.fill(cap.as_ref(), look.hair_color);
}

/// Draws hair combed from a parting to one side.
fn swept(canvas: &mut Canvas, look: &Appearance) {
    let lift = if look.hair == Hair::Swept { 1.72 } else { 1.5 };
    let hair = shape(
        [-1.03, -0.02],
        &[
            [-1.2, -0.76, -1.06, -1.36, -0.36, -1.5],
            [0.2, -lift - 0.1, 1.3, -1.5, 1.05, -0.02],
            [0.98, -0.3, 0.96, -0.5, 0.84, -0.66],
            [0.4, -0.6, -0.1, -0.76, -0.44, -1.06],
            [-0.62, -0.86, -0.86, -0.6, -0.9, -0.4],
            [-0.94, -0.26, -0.98, -0.14, -1.03, -0.02],
        ],
    );
    canvas.fill(hair.as_ref(), look.hair_color);
    let strand = curve([-0.4, -1.18], &[[0.0, -0.96, 0.5, -0.86, 0.92, -0.8]]);
    canvas.line(
        strand.as_ref(),
        0.05,
        faint(darker(look.hair_color, 0.5), 0.45),
    );
}

/// Draws a straight fringe over the brows.
fn fringe(canvas: &mut Canvas, look: &Appearance) {
    let hair = shape(
        [-1.24, 0.7],
        &[
            [-1.4, -0.7, -0.9, -1.56, 0.0, -1.56],
            [0.9, -1.56, 1.4, -0.7, 1.24, 0.7],
            [0.98, 0.5, 0.96, -0.1, 0.9, -0.46],
            [0.4, -0.54, -0.4, -0.54, -0.9, -0.46],
            [-0.96, -0.1, -0.98, 0.5, -1.24, 0.7],
        ],
    );
    canvas.fill(hair.as_ref(), look.hair_color);
}

/// Draws two curtains of hair from a middle parting, which reach down to `fall` at the temples.
fn parted(canvas: &mut Canvas, look: &Appearance, fall: f32) {
    for side in [-1.0, 1.0] {
        let curtain = shape(
            [side * -0.06, -1.5],
            &[
                [side * 0.8, -1.58, side * 1.34, -0.9, side * 1.18, fall],
                [
                    side * 1.1,
                    fall + 0.14,
                    side * 1.0,
                    fall + 0.1,
                    side * 0.95,
                    fall - 0.1,
                ],
                [side * 0.98, -0.42, side * 0.6, -0.78, side * -0.06, -1.12],
            ],
        );
        canvas.fill(curtain.as_ref(), look.hair_color);
    }
    let parting = curve([0.0, -1.48], &[[0.02, -1.36, 0.02, -1.26, 0.0, -1.14]]);
    canvas.line(
        parting.as_ref(),
        0.045,
        faint(darker(look.hair_color, 0.6), 0.5),
    );
}

pub(super) fn glasses(canvas: &mut Canvas, look: &Appearance, aside: f32) {
    let Some(round) = look.round_glasses else {
        return;
    };
    let frame = if look.skin.red() > 0.6 {
        rgb(0x0033_2a2c)
    } else {
        rgb(0x00e0_b965)
    };
    for side in [-1.0, 1.0] {
        let x = side * 0.4 + aside;
        let (width, height) = if round { (0.29, 0.28) } else { (0.33, 0.22) };
        canvas.oval(x, 0.01, width, height, faint(rgb(0x00ff_ffff), 0.2));
        let square = 0.552 + if round { 0.0 } else { 0.3 };
        let rim = shape(
            [x, 0.01 - height],
            &[
                [
                    x + width * square,
                    0.01 - height,
                    x + width,
                    0.01 - height * square,
                    x + width,
                    0.01,
                ],
                [
                    x + width,
                    0.01 + height * square,
                    x + width * square,
                    0.01 + height,
                    x,
                    0.01 + height,
                ],
                [
                    x - width * square,
                    0.01 + height,
                    x - width,
                    0.01 + height * square,
                    x - width,
                    0.01,
                ],
                [
                    x - width,
                    0.01 - height * square,
                    x - width * square,
                    0.01 - height,
                    x,
                    0.01 - height,
                ],
            ],
        );
        canvas.line(rim.as_ref(), 0.065, frame);
        let temple = curve(
            [x + side * width, -0.04],
            &[[
                x + side * (width + 0.1),
                -0.06,
                side * 0.92,
                -0.04,
                side * 0.98,
                0.02,
            ]],
        );
        canvas.line(temple.as_ref(), 0.05, frame);
    }
    let bridge = curve(
        [aside - 0.11, 0.0],
        &[[aside - 0.04, -0.08, aside + 0.04, -0.08, aside + 0.11, 0.0]],
    );
    canvas.line(bridge.as_ref(), 0.055, frame);
}

pub(super) fn hat(canvas: &mut Canvas, look: &Appearance) {
    let color = look.accent;
    let band = darker(color, 0.45);
    match look.hat {
        None => {}
        Some(Hat::Bowler) => {
            crown(canvas, 1.02, 1.96, color);
            canvas.fill(ribbon(1.05, -0.98, 0.24).as_ref(), band);
            canvas.oval(0.0, -0.78, 1.5, 0.2, darker(color, 0.12));
        }
        Some(Hat::Brim) => {
            canvas.oval(0.0, -0.74, 2.0, 0.36, darker(color, 0.2));
            crown(canvas, 1.04, 1.8, color);
            canvas.fill(ribbon(1.07, -0.94, 0.26).as_ref(), lighter(look.cloth, 0.2));
            canvas.oval(0.0, -0.66, 1.98, 0.2, color);
        }
        Some(Hat::Beret) => {
            let beret = shape(
                [-1.12, -0.72],
                &[
                    [-1.9, -1.3, -0.9, -2.02, 0.2, -1.9],
                    [1.2, -1.8, 1.5, -1.2, 1.08, -0.72],
                    [0.5, -1.02, -0.5, -1.02, -1.12, -0.72],
                ],
            );
            canvas.fill(beret.as_ref(), color);
            canvas.oval(0.14, -1.92, 0.08, 0.12, color);
            let edge = curve([-1.08, -0.74], &[[-0.5, -1.04, 0.5, -1.04, 1.05, -0.74]]);
            canvas.line(edge.as_ref(), 0.16, band);
        }
        Some(Hat::FlatCap) => {
            crown(canvas, 1.16, 1.66, color);
            let peak = shape(
                [-1.1, -0.72],
                &[
                    [-0.6, -0.98, 0.6, -0.98, 1.1, -0.72],
                    [0.9, -0.4, -0.9, -0.4, -1.1, -0.72],
                ],
            );
            canvas.fill(peak.as_ref(), band);
        }
        Some(Hat::Tiara) => tiara(canvas),
    }
}

fn crown(canvas: &mut Canvas, width: f32, top: f32, color: tiny_skia::Color) {
    let dome = shape(
        [-width, -0.72],
        &[
            [-width - 0.04, -top * 0.9, -width * 0.6, -top, 0.0, -top],
            [width * 0.6, -top, width + 0.04, -top * 0.9, width, -0.72],
            [width * 0.4, -0.62, -width * 0.4, -0.62, -width, -0.72],
        ],
    );
    canvas.fill(dome.as_ref(), color);
    let shine = curve(
        [-width * 0.72, -1.2],
        &[[
            -width * 0.66,
            -top * 0.86,
            -0.4,
            -top * 0.94,
            -0.1,
            -top * 0.95,
        ]],
    );
    canvas.line(shine.as_ref(), 0.1, faint(lighter(color, 0.5), 0.35));
}

fn ribbon(width: f32, y: f32, height: f32) -> Option<tiny_skia::Path> {
    shape(
        [-width, y],
        &[
            [-width * 0.4, y + 0.12, width * 0.4, y + 0.12, width, y],
            [
                width,
                y + height * 0.5,
                width,
                y + height * 0.8,
                width,
                y + height,
            ],
            [
                width * 0.4,
                y + height + 0.12,
                -width * 0.4,
                y + height + 0.12,
                -width,
                y + height,
            ],
        ],
    )
}

fn tiara(canvas: &mut Canvas) {
    let gold = rgb(0x00e7_c15c);
    let base = curve([-0.86, -0.92], &[[-0.4, -1.3, 0.4, -1.3, 0.86, -0.92]]);
    canvas.line(base.as_ref(), 0.11, gold);
    for (x, y, r) in [
        (0.0_f32, -1.5, 0.17),
        (-0.36, -1.36, 0.12),
        (0.36, -1.36, 0.12),
        (-0.64, -1.2, 0.09),
        (0.64, -1.2, 0.09),
    ] {
        canvas.oval(x, y, r * 0.7, r, gold);
        canvas.oval(x, y, r * 0.36, r * 0.55, rgb(0x00fd_f6ff));
    }
}

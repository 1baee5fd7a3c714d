//! Elements that several places share: ground, clouds, flags, pictures on a wall.

use tiny_skia::Color;

use super::super::canvas::{Canvas, curve, darker, faint, lighter, mix, polygon, rect, rgb};
use super::super::keyed_rng::KeyedRng;

/// Paints the whole ground with a vertical gradient.
pub(in super::super) fn ground(canvas: &mut Canvas, top: Color, bottom: Color) {
    let (width, height) = (canvas.width(), canvas.height());
    canvas.fade(
        rect(0.0, 0.0, width, height).as_ref(),
        (0.0, top),
        (height, bottom),
    );
}

/// Paints a cloud or a tree's crown from overlapping circles.
pub(super) fn puff(canvas: &mut Canvas, x: f32, y: f32, size: f32, color: Color) {
    for (dx, dy, r) in [
        (-0.7, 0.12, 0.55),
        (0.0, -0.22, 0.8),
        (0.75, 0.1, 0.58),
        (0.1, 0.25, 0.7),
    ] {
        canvas.oval(
            x + dx * size,
            y + dy * size,
            r * size,
            r * size * 0.82,
            color,
        );
    }
}

/// Paints a line of bunting from edge to edge. It hangs lower by `sag` in the middle.
pub(super) fn bunting(canvas: &mut Canvas, y: f32, sag: f32, rng: KeyedRng) {
    let width = canvas.width();
    let string = curve(
        [0.0, y],
        &[[width * 0.3, y + sag, width * 0.7, y + sag, width, y]],
    );
    canvas.line(string.as_ref(), 1.2, faint(rgb(0x0040_2f2a), 0.5));
    let colors = [
        0x00d9_5d4b,
        0x00f0_c75e,
        0x005b_8f8c,
        0x00f5_ead6,
        0x0076_6aa3,
    ];
    for flag in 0_u8..14 {
        let share = (f32::from(flag) + 0.5) / 14.0;
        let x = width * share;
        let top = y + sag * 0.75 * 4.0 * share * (1.0 - share);
        let color = rng
            .nested("flag", flag.into())
            .pick("color", &colors, 0x00f5_ead6);
        let flag = polygon(&[[x - 8.0, top], [x + 8.0, top], [x, top + 15.0]]);
        canvas.fill(flag.as_ref(), faint(rgb(color), 0.92));
    }
}

/// Paints a framed landscape on a wall.
pub(in super::super) fn framed(
    canvas: &mut Canvas,
    x: f32,
    y: f32,
    width: f32,
    height: f32,
    rng: KeyedRng,
) {
    canvas.rect(
        x + 3.0,
        y + 4.0,
        width,
        height,
        faint(rgb(0x0000_0000), 0.16),
    );
    canvas.rect(x, y, width, height, rgb(0x00b0_8446));
    canvas.rect(
        x + 2.0,
        y + 2.0,
        width - 4.0,
        height - 4.0,
        rgb(0x00d8_b070),
    );
    let sky = mix(
        rgb(0x00c9_dbe0),
        rgb(0x00ee_c9a0),
        rng.span("sky", 0.0, 1.0),
    );
    let (left, top, wide, high) = (x + 5.0, y + 5.0, width - 10.0, height - 10.0);
    canvas.rect(left, top, wide, high, sky);
    canvas.rect(
        left,
        top + high * 0.62,
        wide,
        high * 0.38,
        darker(rgb(0x0082_9a6c), 0.1),
    );
    canvas.oval(
        left + wide * 0.68,
        top + high * 0.36,
        high * 0.11,
        high * 0.11,
        lighter(sky, 0.7),
    );
}

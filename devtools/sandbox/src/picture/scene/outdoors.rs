//! The outdoor places: a garden, a street at dusk, the seaside.

use super::super::canvas::{Canvas, curve, darker, faint, lighter, mix, polygon, rect, rgb, shape};
use super::super::keyed_rng::KeyedRng;
use super::super::portrait::Light;
use super::scenery::{bunting, ground, puff};

pub(super) fn garden(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let late = rng.span("late", 0.0, 1.0);
    ground(
        canvas,
        mix(rgb(0x0093_cbe0), rgb(0x00f3_b98a), late),
        mix(rgb(0x00e8_f3df), rgb(0x00ff_e6bd), late),
    );
    for cloud in 0..3 {
        let own = rng.nested("cloud", cloud);
        let (x, y) = (
            width * own.span("x", 0.05, 0.95),
            height * own.span("y", 0.08, 0.2),
        );
        puff(
            canvas,
            x,
            y,
            own.span("size", 13.0, 24.0),
            faint(rgb(0x00ff_ffff), 0.5),
        );
    }
    let leaf = mix(rgb(0x006f_a25e), rgb(0x0099_9a4a), late * 0.6);
    let hill = shape(
        [0.0, height * 0.5],
        &[
            [
                width * 0.25,
                height * 0.3,
                width * 0.5,
                height * 0.52,
                width,
                height * 0.36,
            ],
            [width, height * 0.7, width, height * 0.9, width, height],
            [width * 0.6, height, width * 0.3, height, 0.0, height],
        ],
    );
    canvas.fill(hill.as_ref(), lighter(leaf, 0.42));
    for tree in 0..5 {
        let own = rng.nested("tree", tree);
        let x = width * ((tree as f32 + 0.5) / 5.0 + own.span("x", -0.07, 0.07));
        let size = own.span("size", 26.0, 44.0);
        let y = height * own.span("y", 0.24, 0.38);
        canvas.rect(
            x - 3.5,
            y,
            7.0,
            height * 0.5,
            mix(rgb(0x0075_5238), leaf, 0.25),
        );
        puff(canvas, x + 3.0, y + 4.0, size, darker(leaf, 0.22));
        puff(canvas, x, y, size * 0.92, leaf);
        puff(
            canvas,
            x - size * 0.24,
            y - size * 0.2,
            size * 0.5,
            lighter(leaf, 0.22),
        );
    }
    for bush in 0_u8..9 {
        let own = rng.nested("bush", bush.into());
        let x = width * f32::from(bush) / 8.0;
        let y = height * 0.66 + own.span("y", -6.0, 6.0);
        puff(
            canvas,
            x,
            y,
            own.span("size", 26.0, 36.0),
            darker(leaf, 0.3 + own.span("dark", 0.0, 0.12)),
        );
    }
    canvas.rect(0.0, height * 0.7, width, height * 0.3, darker(leaf, 0.26));
    let blooms = [0x00f2_6d6d, 0x00ff_d166, 0x00f7_f0e4, 0x00c9_8bd1];
    for bloom in 0..46 {
        let own = rng.nested("bloom", bloom);
        let (x, y) = (
            width * own.span("x", 0.0, 1.0),
            height * own.span("y", 0.58, 0.84),
        );
        canvas.oval(x, y, 2.6, 2.4, rgb(own.pick("color", &blooms, 0x00f7_f0e4)));
    }
    if rng.chance("bunting", 60) {
        bunting(canvas, height * 0.05, height * 0.13, rng);
    }
    canvas.glow(width * 0.12, 0.0, width * 0.6, faint(rgb(0x00ff_f0b8), 0.5));
    Light {
        color: mix(rgb(0x00ff_f0c0), rgb(0x00ff_b070), late),
        share: 0.07,
    }
}

pub(super) fn street(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let skies = [
        (0x0031_3a6b, 0x00f0_9a7a),
        (0x0022_3a5e, 0x00d9_8aa0),
        (0x005a_7fa8, 0x00f7_d6a8),
    ];
    let (top, bottom) = rng.pick("sky", &skies, (0x0031_3a6b, 0x00f0_9a7a));
    ground(canvas, rgb(top), rgb(bottom));
    let walls = [
        0x008a_5a5c,
        0x006b_5a78,
        0x00a3_765a,
        0x004f_5f7a,
        0x0093_6b7a,
    ];
    let mut x = -10.0;
    let mut number = 0;
    while x < width {
        let own = rng.nested("house", number);
        let wide = own.span("wide", 62.0, 104.0);
        let roof = height * own.span("roof", 0.06, 0.3);
        let wall = mix(rgb(own.pick("wall", &walls, 0x008a_5a5c)), rgb(top), 0.3);
        house(canvas, [x, roof, wide], wall, own);
        x += wide;
        number += 1;
    }
    canvas.rect(
        0.0,
        height * 0.86,
        width,
        height * 0.14,
        mix(rgb(0x004a_4557), rgb(top), 0.3),
    );
    for share in [0.08_f32, 0.92] {
        let post = width * share;
        canvas.rect(post - 1.6, height * 0.26, 3.2, height, rgb(0x0025_2230));
        canvas.glow(post, height * 0.24, 54.0, faint(rgb(0x00ff_d68a), 0.8));
        canvas.oval(post, height * 0.24, 7.5, 9.0, rgb(0x00ff_f0c9));
        canvas.rect(post - 6.0, height * 0.2, 12.0, 3.0, rgb(0x0025_2230));
    }
    for light in 0..12 {
        let own = rng.nested("far light", light);
        let (x, y) = (
            width * own.span("x", 0.0, 1.0),
            height * own.span("y", 0.5, 0.86),
        );
        let colors = [0x00ff_c76b, 0x00ff_8f6b, 0x00ff_ecc4, 0x008f_d0e0];
        let color = rgb(own.pick("color", &colors, 0x00ff_c76b));
        canvas.oval(
            x,
            y,
            own.span("r", 4.0, 10.0),
            own.span("r", 4.0, 10.0),
            faint(color, 0.26),
        );
    }
    Light {
        color: mix(rgb(bottom), rgb(0x00ff_c890), 0.5),
        share: 0.09,
    }
}

fn house(canvas: &mut Canvas, [x, roof, wide]: [f32; 3], wall: tiny_skia::Color, rng: KeyedRng) {
    let height = canvas.height();
    canvas.rect(x, roof, wide, height - roof, wall);
    canvas.rect(x - 2.0, roof - 5.0, wide + 4.0, 6.0, lighter(wall, 0.2));
    canvas.rect(
        x + wide - 5.0,
        roof,
        5.0,
        height - roof,
        faint(darker(wall, 0.5), 0.4),
    );
    let columns: u8 = if wide > 84.0 { 4 } else { 3 };
    for row in 0_u8..4 {
        for column in 0..columns {
            let own = rng
                .nested("row", row.into())
                .nested("window", column.into());
            let gap = wide / f32::from(columns);
            let left = x + gap * f32::from(column) + gap * 0.26;
            let top = roof + 15.0 + f32::from(row) * 36.0;
            let lit = own.chance("lit", 46);
            let glass = if lit {
                rgb(0x00ff_d88f)
            } else {
                darker(wall, 0.34)
            };
            canvas.rect(
                left - 1.5,
                top - 1.5,
                gap * 0.48 + 3.0,
                25.0,
                lighter(wall, 0.26),
            );
            canvas.rect(left, top, gap * 0.48, 22.0, glass);
            canvas.rect(left, top + 10.0, gap * 0.48, 1.4, lighter(wall, 0.26));
        }
    }
    let stripes = rgb(rng.pick(
        "awning",
        &[0x00c7_4a3f, 0x002f_6f6a, 0x00d9_9a3c],
        0x00c7_4a3f,
    ));
    let top = height * 0.66;
    for stripe in 0_u8..6 {
        let step = wide / 6.0;
        let left = x + step * f32::from(stripe);
        let color = if stripe % 2 == 0 {
            stripes
        } else {
            rgb(0x00f6_ead5)
        };
        let slat = polygon(&[
            [left, top],
            [left + step, top],
            [left + step, top + 20.0],
            [left, top + 20.0],
        ]);
        canvas.fill(slat.as_ref(), color);
        canvas.oval(left + step / 2.0, top + 20.0, step / 2.0, 5.0, color);
    }
}

pub(super) fn seaside(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let late = rng.span("late", 0.0, 1.0);
    let sky = mix(rgb(0x0074_b9dd), rgb(0x00e8_8a6b), late);
    let low = mix(rgb(0x00e3_f3f2), rgb(0x00ff_dfaa), late);
    ground(canvas, sky, low);
    let sun = width * rng.span("sun", 0.15, 0.85);
    canvas.glow(
        sun,
        height * 0.3,
        width * 0.34,
        faint(rgb(0x00ff_f3c4), 0.85),
    );
    canvas.oval(sun, height * 0.3, 21.0, 21.0, rgb(0x00ff_f6d8));
    for cloud in 0..4 {
        let own = rng.nested("cloud", cloud);
        let (x, y) = (
            width * own.span("x", 0.0, 1.0),
            height * own.span("y", 0.07, 0.26),
        );
        let size = own.span("size", 11.0, 22.0);
        puff(
            canvas,
            x,
            y,
            size,
            faint(mix(rgb(0x00ff_ffff), low, 0.3), 0.75),
        );
        canvas.oval(
            x,
            y + size * 0.5,
            size * 1.7,
            size * 0.34,
            faint(rgb(0x00ff_ffff), 0.7),
        );
    }
    let sea = mix(rgb(0x0033_8aa3), rgb(0x0058_6f92), late);
    let line = height * 0.48;
    canvas.fade(
        rect(0.0, line, width, height * 0.34).as_ref(),
        (line, lighter(sea, 0.3)),
        (height * 0.8, sea),
    );
    for glint in 0..40 {
        let own = rng.nested("glint", glint);
        let y = line + height * 0.3 * own.span("y", 0.02, 1.0);
        let long = 4.0 + (y - line) * 0.22;
        let near = (sun - width * 0.5) * 0.6 + width * 0.5;
        let x = near + own.span("x", -0.5, 0.5) * width;
        canvas.rect(x, y, long, 1.3, faint(rgb(0x00ff_f8df), 0.42));
    }
    sailing_boat(canvas, width * rng.span("boat", 0.1, 0.9), line);
    let sand = mix(rgb(0x00ee_d9ae), rgb(0x00e6_b58a), late);
    beach(canvas, sand);
    if rng.chance("bunting", 35) {
        bunting(canvas, height * 0.04, height * 0.12, rng);
    }
    Light {
        color: mix(rgb(0x00ff_f6da), rgb(0x00ff_a876), late),
        share: 0.08,
    }
}

fn sailing_boat(canvas: &mut Canvas, boat: f32, line: f32) {
    canvas.fill(
        polygon(&[
            [boat, line - 28.0],
            [boat, line - 3.0],
            [boat + 17.0, line - 3.0],
        ])
        .as_ref(),
        rgb(0x00ff_faf0),
    );
    canvas.fill(
        polygon(&[
            [boat - 3.0, line - 24.0],
            [boat - 3.0, line - 3.0],
            [boat - 13.0, line - 3.0],
        ])
        .as_ref(),
        rgb(0x00f0_d9b8),
    );
    canvas.fill(
        polygon(&[
            [boat - 15.0, line - 1.0],
            [boat + 18.0, line - 1.0],
            [boat + 11.0, line + 5.0],
            [boat - 9.0, line + 5.0],
        ])
        .as_ref(),
        rgb(0x008f_4438),
    );
}

fn beach(canvas: &mut Canvas, sand: tiny_skia::Color) {
    let (width, height) = (canvas.width(), canvas.height());
    let shore = shape(
        [0.0, height * 0.76],
        &[
            [
                width * 0.3,
                height * 0.7,
                width * 0.6,
                height * 0.82,
                width,
                height * 0.74,
            ],
            [width, height * 0.9, width, height, width, height],
            [width * 0.6, height, width * 0.3, height, 0.0, height],
        ],
    );
    canvas.fill(shore.as_ref(), sand);
    let foam = curve(
        [0.0, height * 0.755],
        &[[
            width * 0.3,
            height * 0.695,
            width * 0.6,
            height * 0.815,
            width,
            height * 0.735,
        ]],
    );
    canvas.line(foam.as_ref(), 4.0, faint(rgb(0x00ff_ffff), 0.8));
}

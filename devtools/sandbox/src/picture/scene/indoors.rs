//! The indoor places: an evening stage, a library, a drawing room.

use super::super::canvas::{Canvas, curve, darker, faint, lighter, mix, polygon, rect, rgb, shape};
use super::super::keyed_rng::KeyedRng;
use super::super::portrait::Light;
use super::scenery::{framed, ground};

pub(super) fn stage(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let walls = [0x002c_1f4a, 0x0018_2b4c, 0x0047_1d3c];
    let wall = rgb(rng.pick("wall", &walls, 0x002c_1f4a));
    ground(canvas, darker(wall, 0.35), lighter(wall, 0.16));
    canvas.glow(
        width * 0.5,
        height * 0.55,
        width * 0.5,
        faint(rgb(0x00ff_cf8a), 0.36),
    );
    for (number, share) in [0.22_f32, 0.5, 0.78].into_iter().enumerate() {
        let x = width * share;
        let foot = width * (share + rng.nested("beam", number).span("lean", -0.1, 0.1));
        let beam = polygon(&[
            [x - 5.0, 0.0],
            [x + 5.0, 0.0],
            [foot + 62.0, height],
            [foot - 62.0, height],
        ]);
        let top = faint(rgb(0x00ff_ecc2), 0.42);
        canvas.fade(
            beam.as_ref(),
            (0.0, top),
            (height * 0.95, faint(rgb(0x00ff_ecc2), 0.02)),
        );
        canvas.oval(x, 2.0, 11.0, 7.0, rgb(0x00ff_f3d6));
    }
    let cloth = rgb(rng.pick(
        "curtain",
        &[0x009c_2338, 0x0084_2a55, 0x00a8_3a2c],
        0x009c_2338,
    ));
    for side in [0.0, 1.0] {
        for fold in 0_u8..5 {
            let depth = f32::from(fold) * 17.0;
            let x = if side == 0.0 {
                depth - 6.0
            } else {
                width - depth - 15.0
            };
            let shade = if fold % 2 == 0 {
                cloth
            } else {
                darker(cloth, 0.3)
            };
            let inner = if side == 0.0 { x + 21.0 } else { x };
            let outer = if side == 0.0 { x } else { x + 21.0 };
            let sway = if side == 0.0 { -12.0 } else { 12.0 };
            let path = shape(
                [outer, 0.0],
                &[
                    [
                        outer,
                        height * 0.4,
                        outer + sway,
                        height * 0.7,
                        outer + sway,
                        height,
                    ],
                    [outer, height, inner, height, inner + sway, height],
                    [inner + sway, height * 0.7, inner, height * 0.4, inner, 0.0],
                ],
            );
            canvas.fill(path.as_ref(), darker(shade, 0.05 * f32::from(fold)));
        }
    }
    lamps(canvas, height * 0.06, height * 0.14);
    canvas.oval(
        width / 2.0,
        height * 1.08,
        width * 0.62,
        height * 0.24,
        darker(wall, 0.5),
    );
    Light {
        color: rgb(0x00ff_c27a),
        share: 0.07,
    }
}

/// Draws a garland of warm bulbs.
fn lamps(canvas: &mut Canvas, y: f32, sag: f32) {
    let width = canvas.width();
    let string = curve(
        [0.0, y],
        &[[width * 0.3, y + sag, width * 0.7, y + sag, width, y]],
    );
    canvas.line(string.as_ref(), 1.1, faint(rgb(0x0010_0a14), 0.7));
    for bulb in 0_u8..11 {
        let share = (f32::from(bulb) + 0.5) / 11.0;
        let hang = y + sag * 3.0 * share * (1.0 - share) + 4.0;
        canvas.glow(width * share, hang, 15.0, faint(rgb(0x00ff_d98a), 0.7));
        canvas.oval(width * share, hang, 3.2, 3.8, rgb(0x00ff_f4d2));
    }
}

pub(super) fn library(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let wood = rgb(rng.pick(
        "wood",
        &[0x006a_4029, 0x0058_3a2c, 0x007a_5236],
        0x006a_4029,
    ));
    ground(canvas, darker(wood, 0.5), darker(wood, 0.32));
    let spines = [
        0x008e_3b32,
        0x002f_5a5c,
        0x00c2_9a52,
        0x0040_4a6b,
        0x0069_7a4b,
        0x00d8_c6a2,
        0x0070_3f56,
    ];
    let rows = 5_u8;
    let row_height = height / f32::from(rows);
    for row in 0..rows {
        let floor = row_height * (f32::from(row) + 1.0);
        let mut x = -rng.nested("row", row.into()).span("start", 0.0, 14.0);
        let mut number = 0;
        while x < width {
            let book = rng.nested("row", row.into()).nested("book", number);
            let thick = book.span("thick", 7.0, 17.0);
            let tall = row_height * book.span("tall", 0.6, 0.86);
            if !book.chance("gap", 6) {
                let color = darker(rgb(book.pick("spine", &spines, 0x008e_3b32)), 0.22);
                canvas.rect(x, floor - 6.0 - tall, thick - 1.2, tall, color);
                canvas.rect(
                    x + 1.5,
                    floor - tall + 1.0,
                    thick - 4.2,
                    2.0,
                    faint(rgb(0x00f2_d699), 0.6),
                );
            }
            x += thick;
            number += 1;
        }
        canvas.rect(0.0, floor - 6.0, width, 6.0, wood);
        canvas.rect(0.0, floor - 6.0, width, 1.4, lighter(wood, 0.28));
    }
    for share in [0.0_f32, 0.345, 0.67, 0.985] {
        canvas.rect(width * share - 5.0, 0.0, 12.0, height, darker(wood, 0.08));
        canvas.rect(width * share - 5.0, 0.0, 2.0, height, lighter(wood, 0.22));
    }
    let lamp = width * rng.span("lamp", 0.2, 0.8);
    canvas.glow(
        lamp,
        height * 0.22,
        width * 0.42,
        faint(rgb(0x00ff_c66e), 0.5),
    );
    canvas.rect(0.0, 0.0, width, height, faint(rgb(0x0030_1a12), 0.24));
    Light {
        color: rgb(0x00ff_b765),
        share: 0.08,
    }
}

pub(super) fn drawing_room(canvas: &mut Canvas, rng: KeyedRng) -> Light {
    let (width, height) = (canvas.width(), canvas.height());
    let walls = [
        0x004f_7f83,
        0x0085_9a7c,
        0x00b9_7f72,
        0x005d_6b8f,
        0x00c2_a46d,
    ];
    let wall = rgb(rng.pick("wall", &walls, 0x004f_7f83));
    ground(canvas, lighter(wall, 0.16), darker(wall, 0.06));
    for stripe in 0_u8..16 {
        let x = f32::from(stripe) * width / 16.0;
        canvas.rect(
            x,
            0.0,
            width / 34.0,
            height,
            faint(lighter(wall, 0.5), 0.14),
        );
    }
    let rail = height * 0.66;
    canvas.rect(0.0, rail, width, height - rail, lighter(wall, 0.42));
    canvas.rect(0.0, rail, width, 4.0, lighter(wall, 0.66));
    canvas.rect(0.0, rail + 4.0, width, 2.0, faint(darker(wall, 0.5), 0.3));
    canvas.rect(0.0, 0.0, width, 9.0, lighter(wall, 0.6));
    canvas.rect(0.0, 9.0, width, 2.0, faint(darker(wall, 0.5), 0.3));
    let window = width
        * if rng.chance("window left", 50) {
            0.06
        } else {
            0.69
        };
    tall_window(canvas, window, height, rng);
    let gallery = if window < width * 0.5 {
        width * 0.42
    } else {
        width * 0.07
    };
    framed(
        canvas,
        gallery,
        height * 0.12,
        width * 0.19,
        height * 0.2,
        rng.nested("frame", 1),
    );
    framed(
        canvas,
        gallery + width * 0.24,
        height * 0.1,
        width * 0.12,
        height * 0.26,
        rng.nested("frame", 2),
    );
    let lamp = gallery + width * 0.44;
    if lamp < width * 0.66 || window < width * 0.5 {
        canvas.glow(lamp, height * 0.24, 46.0, faint(rgb(0x00ff_dd9c), 0.75));
        let shade = polygon(&[
            [lamp - 9.0, height * 0.19],
            [lamp + 9.0, height * 0.19],
            [lamp + 14.0, height * 0.27],
            [lamp - 14.0, height * 0.27],
        ]);
        canvas.fill(shade.as_ref(), rgb(0x00ff_edc8));
    }
    Light {
        color: mix(rgb(0x00ff_e2b0), wall, 0.3),
        share: 0.06,
    }
}

fn tall_window(canvas: &mut Canvas, x: f32, height: f32, rng: KeyedRng) {
    let (wide, top, tall) = (canvas.width() * 0.25, height * 0.1, height * 0.62);
    let dusk = rng.span("dusk", 0.0, 1.0);
    let sky = (
        mix(rgb(0x00a9_cfe0), rgb(0x00f2_a77c), dusk),
        mix(rgb(0x00e9_f1ea), rgb(0x00ff_dcae), dusk),
    );
    canvas.fade(
        rect(x, top, wide, tall).as_ref(),
        (top, sky.0),
        (top + tall, sky.1),
    );
    canvas.oval(
        x + wide * 0.3,
        top + tall,
        wide * 0.4,
        tall * 0.3,
        faint(rgb(0x0057_7a55), 0.75),
    );
    let frame = rgb(0x00fb_f4e6);
    for share in [0.0_f32, 0.48, 0.96] {
        canvas.rect(x + wide * share, top, wide * 0.05, tall, frame);
    }
    for share in [0.0_f32, 0.33, 0.66, 0.98] {
        canvas.rect(x, top + tall * share, wide, 3.4, frame);
    }
    let cloth = rgb(rng.pick(
        "curtain",
        &[0x00c4_5a4a, 0x00e3_c58c, 0x007d_5a86, 0x003e_6b64],
        0x00c4_5a4a,
    ));
    for side in [-1.0_f32, 1.0] {
        let edge = x + wide * (0.5 + side * 0.62);
        let inner = x + wide * (0.5 + side * 0.26);
        let drape = shape(
            [edge, top - 10.0],
            &[
                [edge, height * 0.4, edge, height * 0.6, edge, height],
                [
                    edge - side * 14.0,
                    height,
                    edge - side * 18.0,
                    height,
                    edge - side * 22.0,
                    height,
                ],
                [
                    edge - side * 10.0,
                    height * 0.62,
                    inner,
                    height * 0.42,
                    inner,
                    top - 10.0,
                ],
            ],
        );
        canvas.fill(drape.as_ref(), cloth);
        let fold = curve(
            [edge - side * 12.0, top],
            &[[
                edge - side * 14.0,
                height * 0.4,
                edge - side * 8.0,
                height * 0.6,
                edge - side * 10.0,
                height,
            ]],
        );
        canvas.line(fold.as_ref(), 4.0, faint(darker(cloth, 0.5), 0.35));
    }
    canvas.rect(
        x - wide * 0.16,
        top - 14.0,
        wide * 1.32,
        6.0,
        rgb(0x00b8_8a4a),
    );
}

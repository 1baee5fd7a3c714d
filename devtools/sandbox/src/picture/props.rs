//! Rooms that make genuine photos look like collages: a straight line stands between the people.

use tiny_skia::Color;

use super::canvas::{Canvas, curve, darker, faint, lighter, mix, polygon, rect, rgb};
use super::keyed_rng::KeyedRng;
use super::portrait::Light;
use super::scene;

/// The things that stand, hang or run behind the people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prop {
    /// An open door with its frame, and the next room behind it.
    DoorFrame,
    /// A round pillar from the floor to the ceiling.
    Pillar,
    /// Framed pictures on the wall.
    FramedPictures,
    /// A window with a cross, as large as the picture.
    WindowCross,
    /// The edge of a drawn curtain.
    CurtainEdge,
    /// A wall in two colours, side by side or one over the other.
    TwoToneWall,
    /// A press backdrop of panels with emblems.
    LogoBackdrop,
}

impl Prop {
    /// All variants, in the order of their declaration.
    pub const ALL: [Self; 7] = [
        Self::DoorFrame,
        Self::Pillar,
        Self::FramedPictures,
        Self::WindowCross,
        Self::CurtainEdge,
        Self::TwoToneWall,
        Self::LogoBackdrop,
    ];
}

const WALLS: [u32; 7] = [
    0x00d8_cdb8,
    0x00b9_7f72,
    0x0085_9a7c,
    0x005d_6b8f,
    0x00c2_a46d,
    0x00e9_e4da,
    0x004f_5f66,
];

/// Paints the room and returns the light in it.
pub(super) fn paint(canvas: &mut Canvas, prop: Prop, rng: KeyedRng) -> Light {
    let wall = rgb(rng.pick("prop wall", &WALLS, 0x00d8_cdb8));
    // The line that looks like a seam is between two people, so it is near the middle, but seldom exactly there.
    let line = canvas.width() * rng.span("line", 0.44, 0.56);
    match prop {
        Prop::DoorFrame => door_frame(canvas, line, wall, rng),
        Prop::Pillar => pillar(canvas, line, wall, rng),
        Prop::FramedPictures => framed_pictures(canvas, wall, rng),
        Prop::WindowCross => window_cross(canvas, line, rng),
        Prop::CurtainEdge => curtain_edge(canvas, line, wall, rng),
        Prop::TwoToneWall => two_tone_wall(canvas, line, wall, rng),
        Prop::LogoBackdrop => logo_backdrop(canvas, wall, rng),
    }
    Light {
        color: mix(rgb(0x00ff_e2b0), wall, 0.3),
        share: 0.06,
    }
}

/// Paints a wall lit from one side, with a skirting rail.
fn room(canvas: &mut Canvas, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    scene::ground(canvas, lighter(wall, 0.14), darker(wall, 0.1));
    let lamp = width * rng.span("lamp", 0.0, 1.0);
    let warm = faint(rgb(0x00ff_e8bf), rng.span("bright", 0.15, 0.5));
    canvas.glow(lamp, height * 0.1, width * 0.6, warm);
    if rng.chance("rail", 60) {
        let rail = height * rng.span("rail height", 0.6, 0.76);
        canvas.rect(
            0.0,
            rail,
            width,
            height - rail,
            faint(lighter(wall, 0.5), 0.5),
        );
        canvas.rect(0.0, rail, width, 3.5, lighter(wall, 0.7));
        canvas.rect(0.0, rail + 3.5, width, 1.8, faint(darker(wall, 0.6), 0.3));
    }
}

fn door_frame(canvas: &mut Canvas, line: f32, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    room(canvas, wall, rng);
    let wide = width * rng.span("door", 0.24, 0.4);
    let left = if rng.chance("door left", 50) {
        line - wide
    } else {
        line
    };
    let lintel = height * rng.span("lintel", -0.1, 0.12);
    let beyond = rgb(rng.pick("beyond", &WALLS, 0x005d_6b8f));
    canvas.fade(
        rect(left, lintel, wide, height - lintel).as_ref(),
        (lintel, darker(beyond, 0.45)),
        (height, darker(beyond, 0.2)),
    );
    let floor = height * rng.span("floor", 0.7, 0.84);
    canvas.rect(
        left,
        floor,
        wide,
        height - floor,
        darker(rgb(0x008a_6242), 0.3),
    );
    canvas.glow(
        left + wide * 0.5,
        height * 0.3,
        wide * 0.6,
        faint(rgb(0x00ff_dd9c), 0.45),
    );
    let frame = lighter(wall, 0.72);
    let thick = width * rng.span("thick", 0.014, 0.03);
    for x in [left - thick, left + wide] {
        canvas.rect(x, lintel - thick, thick, height, frame);
        canvas.rect(
            x + thick * 0.72,
            lintel,
            thick * 0.28,
            height,
            darker(frame, 0.18),
        );
    }
    canvas.rect(
        left - thick,
        lintel - thick,
        wide + thick * 2.0,
        thick,
        frame,
    );
}

fn pillar(canvas: &mut Canvas, line: f32, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    room(canvas, wall, rng);
    let wide = width * rng.span("pillar", 0.05, 0.13);
    let stone = rgb(rng.pick(
        "stone",
        &[0x00e6_dfd2, 0x00a9_a39a, 0x007a_5a48],
        0x00e6_dfd2,
    ));
    let left = line - wide / 2.0;
    // The pillar is shaded round: lighter towards the left, dark at both edges.
    let slices = 24_u8;
    for slice in 0..slices {
        let share = f32::from(slice) / f32::from(slices);
        let away = (share - 0.34).abs() * 1.1;
        let x = left + wide * share;
        canvas.rect(
            x,
            0.0,
            wide / f32::from(slices) + 0.6,
            height,
            darker(stone, away),
        );
    }
    let lamp = faint(rgb(0x00ff_e8bf), 0.3);
    canvas.glow(line, height * rng.span("spot", 0.0, 0.5), wide * 1.6, lamp);
    if rng.chance("capital", 50) {
        canvas.rect(
            left - wide * 0.18,
            0.0,
            wide * 1.36,
            height * 0.05,
            lighter(stone, 0.2),
        );
        canvas.rect(
            left - wide * 0.1,
            height * 0.05,
            wide * 1.2,
            3.0,
            darker(stone, 0.4),
        );
    }
}

fn framed_pictures(canvas: &mut Canvas, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    room(canvas, wall, rng);
    let columns = 1 + rng.below("columns", 4);
    let rows = 1 + rng.below("rows", 2);
    let (cell_x, cell_y) = (width / columns as f32, height * 0.62 / rows as f32);
    for column in 0..columns {
        for row in 0..rows {
            let own = rng.nested("picture", column * 7 + row);
            let (wide, high) = (
                cell_x * own.span("wide", 0.45, 0.8),
                cell_y * own.span("high", 0.5, 0.82),
            );
            let x = cell_x * column as f32 + (cell_x - wide) * own.span("x", 0.3, 0.7);
            let y = cell_y * row as f32 + (cell_y - high) * own.span("y", 0.4, 0.8);
            scene::framed(canvas, x, y, wide, high, own);
        }
    }
}

fn window_cross(canvas: &mut Canvas, line: f32, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    // The window shows a street, a garden or the sea.
    scene::outside(canvas, rng);
    let frame = rgb(rng.pick(
        "frame",
        &[0x00f6_f1e6, 0x0042_3028, 0x00d5_d9d8],
        0x00f6_f1e6,
    ));
    let bar = width * rng.span("bar", 0.014, 0.032);
    let shade = |canvas: &mut Canvas, x: f32, y: f32, wide: f32, high: f32| {
        canvas.rect(x, y, wide, high, frame);
        let (thin_x, thin_y) = if wide < high {
            (wide * 0.3, high)
        } else {
            (wide, high * 0.3)
        };
        canvas.rect(x, y, thin_x, thin_y, lighter(frame, 0.3));
        canvas.rect(
            x + wide - thin_x,
            y + high - thin_y,
            thin_x,
            thin_y,
            darker(frame, 0.2),
        );
    };
    for x in [line - width * 0.46, line, line + width * 0.46] {
        shade(canvas, x - bar / 2.0, 0.0, bar, height);
    }
    let across = height * rng.span("across", 0.16, 0.34);
    shade(canvas, 0.0, across, width, bar);
    if rng.chance("sill", 60) {
        let sill = height * rng.span("sill", 0.66, 0.84);
        canvas.rect(0.0, sill, width, height - sill, rgb(0x00b9_a68c));
        shade(canvas, 0.0, sill, width, bar * 1.4);
    }
}

fn curtain_edge(canvas: &mut Canvas, line: f32, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    if rng.chance("window", 40) {
        scene::outside(canvas, rng);
    } else {
        room(canvas, wall, rng);
    }
    let cloth = rgb(rng.pick(
        "curtain",
        &[
            0x009c_2338,
            0x00e3_c58c,
            0x007d_5a86,
            0x003e_6b64,
            0x0023_2a38,
        ],
        0x009c_2338,
    ));
    let is_left = rng.chance("curtain left", 50);
    let folds = 9_u8;
    let reach = if is_left { line } else { width - line };
    let step = reach / f32::from(folds);
    for fold in 0..folds {
        let near = line + if is_left { -step } else { step } * f32::from(fold);
        let far = near + if is_left { -step * 1.1 } else { step * 1.1 };
        // The cloth hangs, so its lower end swings a little.
        let swing = rng.nested("fold", fold.into()).span("swing", -0.012, 0.012) * width;
        let shade = if fold % 2 == 0 {
            cloth
        } else {
            darker(cloth, 0.28)
        };
        let path = polygon(&[
            [near, 0.0],
            [far, 0.0],
            [far + swing, height],
            [near + swing, height],
        ]);
        canvas.fade(
            path.as_ref(),
            (0.0, lighter(shade, 0.08)),
            (height, darker(shade, 0.2)),
        );
    }
}

fn two_tone_wall(canvas: &mut Canvas, line: f32, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    room(canvas, wall, rng);
    let other = rgb(rng.pick("other wall", &WALLS, 0x004f_5f66));
    let top = faint(darker(other, 0.05), 0.92);
    let bottom = faint(darker(other, 0.2), 0.92);
    let part = if rng.chance("upright", 65) {
        // The line is the corner of a room seen slightly from the side, or the straight edge of a coat of paint.
        let lean = if rng.chance("corner", 50) {
            width * rng.span("lean", -0.012, 0.012)
        } else {
            0.0
        };
        polygon(&[
            [line, 0.0],
            [width, 0.0],
            [width, height],
            [line + lean, height],
        ])
    } else {
        let dado = height * rng.span("dado", 0.3, 0.7);
        rect(0.0, dado, width, height - dado)
    };
    canvas.fade(part.as_ref(), (0.0, top), (height, bottom));
}

fn logo_backdrop(canvas: &mut Canvas, wall: Color, rng: KeyedRng) {
    let (width, height) = (canvas.width(), canvas.height());
    scene::ground(canvas, lighter(wall, 0.3), lighter(wall, 0.1));
    let ink = darker(
        rgb(rng.pick("ink", &[0x009c_2338, 0x0023_3a6e, 0x0020_5a44], 0x009c_2338)),
        0.1,
    );
    let columns = 5 + rng.below("columns", 4);
    let step = width / columns as f32;
    let mut row = 0;
    while (row as f32) * step * 0.7 < height {
        for column in 0..=columns {
            let x = step * (column as f32 + if row % 2 == 0 { 0.25 } else { 0.75 });
            emblem(
                canvas,
                x,
                step * (0.4 + 0.7 * row as f32),
                step * 0.16,
                ink,
                (row + column) % 2,
            );
        }
        row += 1;
    }
    // The lines that look like seams are the joints of the panels.
    let panels = 2 + rng.below("panels", 3);
    for joint in 1..panels {
        let x = width * joint as f32 / panels as f32;
        canvas.rect(x, 0.0, 1.4, height, faint(darker(wall, 0.6), 0.5));
    }
    canvas.glow(width * 0.5, 0.0, width * 0.5, faint(rgb(0x00ff_ffff), 0.3));
}

fn emblem(canvas: &mut Canvas, x: f32, y: f32, size: f32, ink: Color, kind: usize) {
    if kind == 0 {
        canvas.oval(x, y, size, size, ink);
        canvas.oval(x, y, size * 0.62, size * 0.62, lighter(ink, 0.8));
        canvas.oval(x, y, size * 0.32, size * 0.32, ink);
    } else {
        let wave = curve(
            [x - size * 1.3, y],
            &[
                [x - size * 0.8, y - size, x - size * 0.4, y - size, x, y],
                [
                    x + size * 0.4,
                    y + size,
                    x + size * 0.8,
                    y + size,
                    x + size * 1.3,
                    y,
                ],
            ],
        );
        canvas.line(wave.as_ref(), size * 0.36, ink);
    }
}

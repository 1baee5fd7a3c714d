//! A thin layer over the rasteriser: colours by number, short calls for shapes, and one transform.

use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, LinearGradient, Paint, Path, PathBuilder,
    Pixmap, Point, RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

/// Makes a colour from `0xRRGGBB`.
pub(super) fn rgb(number: u32) -> Color {
    let [_, red, green, blue] = number.to_be_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

/// Mixes two colours. The result is `first` if `share` is 0, and `second` if it is 1.
pub(super) fn mix(first: Color, second: Color, share: f32) -> Color {
    let share = share.clamp(0.0, 1.0);
    let part = |one: f32, two: f32| (one + (two - one) * share).clamp(0.0, 1.0);
    Color::from_rgba(
        part(first.red(), second.red()),
        part(first.green(), second.green()),
        part(first.blue(), second.blue()),
        part(first.alpha(), second.alpha()),
    )
    .unwrap_or(first)
}

/// Mixes a colour with a warm black; `share` is the part of the black, from 0 to 1.
pub(super) fn darker(color: Color, share: f32) -> Color {
    mix(color, rgb(0x0023_1621), share)
}

/// Mixes a colour with a warm white; `share` is the part of the white, from 0 to 1.
pub(super) fn lighter(color: Color, share: f32) -> Color {
    mix(color, rgb(0x00ff_f6e6), share)
}

/// Returns a colour with this opacity, from 0 to 1.
pub(super) fn faint(mut color: Color, opacity: f32) -> Color {
    color.set_alpha(opacity.clamp(0.0, 1.0));
    color
}

/// The pixels to draw on, with a transform that applies to all shapes.
pub(super) struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    pub(super) fn new(width_px: u32, height_px: u32) -> Option<Self> {
        Pixmap::new(width_px, height_px).map(|pixmap| Self {
            pixmap,
            transform: Transform::identity(),
        })
    }

    pub(super) fn width(&self) -> f32 {
        self.pixmap.width() as f32
    }

    pub(super) fn height(&self) -> f32 {
        self.pixmap.height() as f32
    }

    /// Sets the origin, the scale and the rotation for all shapes drawn from now on.
    pub(super) fn place(&mut self, x: f32, y: f32, scale: f32, turn_degrees: f32) {
        self.transform = Transform::from_translate(x, y)
            .pre_scale(scale, scale)
            .pre_concat(Transform::from_rotate(turn_degrees));
    }

    pub(super) fn reset(&mut self) {
        self.transform = Transform::identity();
    }

    pub(super) fn fill(&mut self, path: Option<&Path>, color: Color) {
        self.paint(path, Shader::SolidColor(color));
    }

    fn paint(&mut self, path: Option<&Path>, shader: Shader<'_>) {
        let Some(path) = path else { return };
        let paint = Paint {
            shader,
            anti_alias: true,
            ..Paint::default()
        };
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, self.transform, None);
    }

    /// Fills a path with a vertical gradient between two heights.
    pub(super) fn fade(&mut self, path: Option<&Path>, from: (f32, Color), to: (f32, Color)) {
        let stops = vec![GradientStop::new(0.0, from.1), GradientStop::new(1.0, to.1)];
        let shader = LinearGradient::new(
            Point::from_xy(0.0, from.0),
            Point::from_xy(0.0, to.0),
            stops,
            SpreadMode::Pad,
            Transform::identity(),
        );
        match shader {
            Some(shader) => self.paint(path, shader),
            None => self.fill(path, from.1),
        }
    }

    /// Draws a round glow that fades out at its rim.
    pub(super) fn glow(&mut self, x: f32, y: f32, radius: f32, color: Color) {
        let stops = vec![
            GradientStop::new(0.0, color),
            GradientStop::new(0.45, faint(color, color.alpha() * 0.42)),
            GradientStop::new(1.0, faint(color, 0.0)),
        ];
        let center = Point::from_xy(x, y);
        let shader = RadialGradient::new(
            center,
            0.0,
            center,
            radius,
            stops,
            SpreadMode::Pad,
            Transform::identity(),
        );
        if let Some(shader) = shader {
            self.paint(oval(x, y, radius, radius).as_ref(), shader);
        }
    }

    pub(super) fn oval(&mut self, x: f32, y: f32, radius_x: f32, radius_y: f32, color: Color) {
        self.fill(oval(x, y, radius_x, radius_y).as_ref(), color);
    }

    pub(super) fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        self.fill(rect(x, y, width, height).as_ref(), color);
    }

    pub(super) fn line(&mut self, path: Option<&Path>, width: f32, color: Color) {
        let Some(path) = path else { return };
        let shader = Shader::SolidColor(color);
        let paint = Paint {
            shader,
            anti_alias: true,
            ..Paint::default()
        };
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixmap
            .stroke_path(path, &paint, &stroke, self.transform, None);
    }

    /// Returns the picture as packed RGB, three bytes per pixel.
    pub(super) fn into_rgb(self) -> Vec<u8> {
        // The painting is opaque everywhere, so premultiplied colours equal plain ones.
        let (pixels, _) = self.pixmap.data().as_chunks::<4>();
        pixels
            .iter()
            .flat_map(|[red, green, blue, _]| [*red, *green, *blue])
            .collect()
    }
}

pub(super) fn oval(x: f32, y: f32, radius_x: f32, radius_y: f32) -> Option<Path> {
    Rect::from_xywh(x - radius_x, y - radius_y, radius_x * 2.0, radius_y * 2.0)
        .and_then(PathBuilder::from_oval)
}

pub(super) fn rect(x: f32, y: f32, width: f32, height: f32) -> Option<Path> {
    Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect)
}

/// Makes a closed shape of cubic curves. Each curve has two control points and an end.
pub(super) fn shape(start: [f32; 2], curves: &[[f32; 6]]) -> Option<Path> {
    curved(start, curves, true)
}

/// Makes an open line of cubic curves. Each curve has two control points and an end.
pub(super) fn curve(start: [f32; 2], curves: &[[f32; 6]]) -> Option<Path> {
    curved(start, curves, false)
}

fn curved([x, y]: [f32; 2], curves: &[[f32; 6]], close: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(x, y);
    for [x1, y1, x2, y2, x3, y3] in curves {
        path.cubic_to(*x1, *y1, *x2, *y2, *x3, *y3);
    }
    if close {
        path.close();
    }
    path.finish()
}

/// Makes a closed shape with straight sides.
pub(super) fn polygon(corners: &[[f32; 2]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let ([x, y], rest) = corners.split_first()?;
    path.move_to(*x, *y);
    for [x, y] in rest {
        path.line_to(*x, *y);
    }
    path.close();
    path.finish()
}

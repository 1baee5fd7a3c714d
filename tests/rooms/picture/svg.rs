//! The picture as a file that any browser shows: no font, no script and no address from outside.

use super::area::Area;
use super::bands::Bands;
use super::layout::{
    Arrow, INSET, Kind, LINE, Layout, MARGIN, NAME, PAD, Placed, SMALL, WIDTH, short,
};
use super::words::{fitting, phrase};
use crate::rooms::map::Map;

/// Quiet colours on a ground of their own, so that they are the same on a white page and on a dark.
const STYLE: &str = "\
<style>
text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #24303d }
.name { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-weight: 600 }
.soft { fill: #55636f }
.ground { fill: #ffffff; stroke: #d5dbe1 }
.panel { fill: #f1f4f7 }
.engines { fill: #faf1df }
.room { fill: #ffffff; stroke: #c3ccd5 }
.wing { fill: #fffdf8; stroke: #c79a3f; stroke-width: 1.5 }
.chip { fill: #f8ecd2 }
.landmark { fill: #2f4a66 }
.on { fill: #ffffff }
.arrow { fill: none; stroke: #71808e; stroke-width: 2; marker-end: url(#head) }
.head { fill: #71808e }
</style>";

/// The head of an arrow.
const HEAD: &str = "\
<marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker>";

const TITLE: &str = "The rooms of the code";
const RULE: &str = "An arrow leads from a user to what it uses. A room may use only what stands \
    below it, or after it in its own panel.";

/// Draws the rooms of a map.
pub fn drawn(map: &Map) -> String {
    let bands = Bands::of(map);
    let layout = Layout::of(&bands);
    let height = layout.height;
    let mut lines = vec![
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\">"
        ),
        format!("<title id=\"title\">{TITLE}</title>"),
        format!("<desc id=\"desc\">{}</desc>", escaped(&described(&bands))),
        STYLE.to_owned(),
        HEAD.to_owned(),
        rectangle("ground", Area::new(1, 1, WIDTH - 2, height - 2), 14),
    ];
    lines.extend(header(&layout));
    for (label, area) in &layout.panels {
        lines.extend(panel(label, *area, &layout));
    }
    lines.extend(layout.arrows.iter().map(arrow));
    for placed in &layout.boxes {
        lines.extend(boxed(placed, map));
    }
    for (area, note) in &layout.notes {
        lines.extend(centred("soft", *area, 12, note));
    }
    lines.push("</svg>\n".to_owned());
    lines.join("\n")
}

/// The picture in words.
fn described(bands: &Bands) -> String {
    let engines: Vec<&str> = bands.wings.iter().map(|wing| short(wing.room)).collect();
    format!(
        "From the top to the bottom: where a request comes in: {}; what the Worker does with it: {}; \
         the registry and what stands beside it: {}; the engines, side by side: {}; their contract: \
         {}; what they all stand on: {}. Beside the Worker: {}.",
        bands.entry.join(", "),
        bands.conducting.join(", "),
        bands.registry.join(", "),
        engines.join(", "),
        bands.contract.join(", "),
        bands.foundation.join(", "),
        bands.beside.join(", "),
    )
}

fn header(layout: &Layout) -> Vec<String> {
    let mut lines = vec![
        text("", Align::Left(MARGIN), 38, 20, TITLE),
        text("soft", Align::Left(MARGIN), 58, SMALL, RULE),
    ];
    if let Some(entry) = layout.boxes.first() {
        let (x, y) = (entry.area.middle(), entry.area.y);
        lines.push(text(
            "soft",
            Align::Left(x + INSET),
            y - 10,
            SMALL,
            "a request",
        ));
        lines.push(format!("<path class=\"arrow\" d=\"M{x} {}V{y}\"/>", y - 26));
    }
    lines
}

fn panel(label: &str, area: Area, layout: &Layout) -> Vec<String> {
    let wings = layout
        .boxes
        .iter()
        .filter(|placed| placed.kind == Kind::Wing);
    let has_engines = wings.clone().any(|wing| area.holds(&wing.area));
    let class = if has_engines { "engines" } else { "panel" };
    vec![
        rectangle(class, area, 10),
        text("soft", Align::Left(area.x + PAD), area.y + 17, SMALL, label),
    ]
}

fn arrow(arrow: &Arrow) -> String {
    let Arrow {
        from: (x, y),
        to: (end_x, end_y),
        is_bent,
    } = *arrow;
    let way = if is_bent {
        format!("Q{end_x} {y} {end_x} {end_y}")
    } else {
        let middle = usize::midpoint(y, end_y);
        format!("C{x} {middle} {end_x} {middle} {end_x} {end_y}")
    };
    format!("<path class=\"arrow\" d=\"M{x} {y}{way}\"/>")
}

fn boxed(placed: &Placed, map: &Map) -> Vec<String> {
    let Placed { kind, room, area } = *placed;
    let name = short(room);
    let free = area.width.saturating_sub(2 * INSET);
    let middle = Align::Middle(area.middle());
    let (class, name_class, words_class) = match kind {
        Kind::Chip => {
            let size = fitting(name, SMALL, area.width);
            let name = text("name", middle, area.y + 16, size, name);
            return vec![rectangle("chip", area, 5), name];
        }
        Kind::Landmark => ("landmark", "name on", "on"),
        Kind::Wing => ("wing", "name", "soft"),
        Kind::Room => ("room", "name", "soft"),
    };
    let text_of_room = map.text(room);
    let words = match (kind, text_of_room.split_once(": ")) {
        // The first words say that it is an engine, which the panel says already.
        (Kind::Wing, Some((_, rest))) => rest,
        _ => text_of_room,
    };
    let phrase = phrase(words, SMALL, free);
    let top = if phrase.len() < 2 { 26 } else { 20 };
    let size = fitting(name, NAME, free);
    let name = text(name_class, middle, area.y + top, size, name);
    let words = centred(words_class, area, top + 17, &phrase);
    [vec![rectangle(class, area, 7), name], words].concat()
}

/// Lines in the middle of an area, the first so far below its top.
fn centred(class: &str, area: Area, top: usize, lines: &[String]) -> Vec<String> {
    let free = area.width.saturating_sub(2 * INSET);
    let lines = lines.iter().enumerate().map(|(at, line)| {
        let y = area.y + top + at * LINE;
        let size = fitting(line, SMALL, free);
        text(class, Align::Middle(area.middle()), y, size, line)
    });
    lines.collect()
}

fn rectangle(class: &str, area: Area, radius: usize) -> String {
    let Area {
        x,
        y,
        width,
        height,
    } = area;
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"/>"
    )
}

/// Where a line of text is in its box.
#[derive(Clone, Copy)]
enum Align {
    Left(usize),
    Middle(usize),
}

fn text(class: &str, align: Align, y: usize, size: usize, words: &str) -> String {
    let (x, anchor) = match align {
        Align::Left(x) => (x, "start"),
        Align::Middle(x) => (x, "middle"),
    };
    let words = escaped(words);
    format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

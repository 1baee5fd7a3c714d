//! The places of the picture: panels, boxes and arrows in pixels, made of the bands.

use super::area::Area;
use super::bands::{Bands, CONTRACT, ENTRY, REGISTRY, Wing};
use super::words::{width, wrapped};

pub const WIDTH: usize = 1_080;
/// The type of a room's name, of its phrase and of the rooms in an engine.
pub const NAME: usize = 14;
pub const SMALL: usize = 12;
/// How far the lines of a phrase are apart.
pub const LINE: usize = 15;
/// Free room inside a box, left and right of its words.
pub const INSET: usize = 9;

pub const MARGIN: usize = 24;
const HEADER: usize = 100;
const SIDE: usize = 208;
const MAIN: usize = WIDTH - 2 * MARGIN - SIDE - MARGIN;
/// Between panels, and wherever an arrow goes down.
const STEP: usize = 30;
const GAP: usize = 10;
pub const PAD: usize = 14;
/// The line at the top of a panel that says what it is.
const LABEL: usize = 24;
const BOX: usize = 62;
const WING_HEAD: usize = 62;
const CHIP: usize = 24;
const CHIP_GAP: usize = 7;
const ENTRY_WIDTH: usize = 330;
const COLUMN_MIN: usize = 150;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Room,
    /// The entry, the registry and the contract.
    Landmark,
    Wing,
    /// A room inside an engine.
    Chip,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Placed<'a> {
    pub kind: Kind,
    pub room: &'a str,
    pub area: Area,
}

/// A line from a user down to what it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    pub from: (usize, usize),
    pub to: (usize, usize),
    /// Whether it leaves to the side.
    pub is_bent: bool,
}

impl Arrow {
    /// From a box to one below it: straight where they are above each other, else from or to the
    /// middle of the narrower one.
    fn down(from: Area, to: Area) -> Self {
        let (left, right) = (from.x.max(to.x), from.right().min(to.right()));
        let (start, end) = if left + 2 * INSET < right {
            let middle = usize::midpoint(left, right);
            (middle, middle)
        } else if from.width < to.width {
            (from.middle(), to.nearest(from.middle(), INSET))
        } else {
            (from.nearest(to.middle(), INSET), to.middle())
        };
        Self {
            from: (start, from.bottom()),
            to: (end, to.y),
            is_bent: false,
        }
    }

    /// Out of the left side of a panel at the height of a box, and down.
    fn aside(from: Area, beside: Area, to: (usize, usize)) -> Self {
        Self {
            from: (from.x, beside.y + beside.height / 2),
            to,
            is_bent: true,
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Layout<'a> {
    pub panels: Vec<(&'static str, Area)>,
    pub boxes: Vec<Placed<'a>>,
    pub arrows: Vec<Arrow>,
    /// What is told at the foot of an engine, in lines.
    pub notes: Vec<(Area, Vec<String>)>,
    pub height: usize,
}

impl<'a> Layout<'a> {
    /// Places the bands below each other, and beside them what the Worker does not use.
    pub fn of(bands: &Bands<'a>) -> Self {
        let mut layout = Self::default();
        let entry = Area::new(MARGIN + (MAIN - ENTRY_WIDTH) / 2, HEADER, ENTRY_WIDTH, BOX);
        layout.row(&bands.entry, entry);
        let top = Area::new(MARGIN, entry.bottom() + STEP, MAIN, 0);
        let conducting = layout.rows("what the Worker does with it", top, &bands.conducting);
        let top = Area::new(MARGIN, conducting.bottom() + STEP, MAIN, 0);
        let engines = layout.engines(bands, top);
        let side = layout.side(bands, engines.bottom());
        let below = engines.bottom().max(side.bottom()) + STEP;
        let top = Area::new(MARGIN, below, WIDTH - 2 * MARGIN, 0);
        let foundation = layout.rows("what they all stand on", top, &bands.foundation);
        let mut arrow_if = |users: &[&str], from: Area, used: &[&str], to: Area| {
            if bands.may_use(users, used) {
                layout.arrows.push(Arrow::down(from, to));
            }
        };
        arrow_if(&bands.entry, entry, &bands.conducting, conducting);
        arrow_if(&bands.conducting, conducting, &bands.registry, engines);
        arrow_if(&bands.contract, engines, &bands.foundation, foundation);
        if bands.may_use(&bands.beside, &bands.conducting) {
            let to = (conducting.right() - 4 * PAD, conducting.y);
            layout.arrows.push(Arrow::aside(side, entry, to));
        }
        layout.height = foundation.bottom() + MARGIN;
        layout
    }

    /// A panel of rooms in rows, the lower rows the longer, as high as they need.
    fn rows(&mut self, label: &'static str, top: Area, rooms: &[&'a str]) -> Area {
        let inner = top.width - 2 * PAD;
        let rows = rooms.len().div_ceil((inner + GAP) / (COLUMN_MIN + GAP));
        let mut y = top.y + LABEL;
        let mut rest = rooms;
        for row in 0..rows {
            let (now, later) = rest.split_at(rest.len() / (rows - row));
            self.row(now, Area::new(top.x + PAD, y, inner, BOX));
            rest = later;
            y += BOX + GAP;
        }
        self.panel(label, top, y - GAP)
    }

    fn panel(&mut self, label: &'static str, top: Area, end: usize) -> Area {
        let height = end + PAD - top.y;
        let panel = Area { height, ..top };
        self.panels.push((label, panel));
        panel
    }

    /// Boxes side by side in all of an area; a landmark is as wide as three others.
    fn row(&mut self, rooms: &[&'a str], row: Area) {
        let kind = |room: &str| {
            let is_landmark = [ENTRY, REGISTRY, CONTRACT].contains(&room);
            if is_landmark {
                (Kind::Landmark, 3)
            } else {
                (Kind::Room, 1)
            }
        };
        let all: usize = rooms.iter().map(|room| kind(room).1).sum();
        let mut before = 0;
        for room in rooms {
            let (kind, parts) = kind(room);
            let area = row.part(before..before + parts, all, GAP);
            self.place(kind, room, area);
            before += parts;
        }
    }

    /// The registry, the engines side by side, and the contract, each above the next.
    fn engines(&mut self, bands: &Bands<'a>, top: Area) -> Area {
        let row = Area::new(top.x + PAD, top.y + LABEL, top.width - 2 * PAD, BOX);
        self.row(&bands.registry, row);
        let wings = self.wings(&bands.wings, row.below(STEP));
        let row = Area {
            height: BOX,
            ..wings.below(STEP)
        };
        self.row(&bands.contract, row);
        let ways = bands.wings.iter().map(|wing| wing.room);
        let ways = ways.flat_map(|wing| [(REGISTRY, wing), (wing, CONTRACT)]);
        for (user, used) in ways.filter(|(user, used)| bands.may_use(&[user], &[used])) {
            let places = (self.place_of(user), self.place_of(used));
            if let (Some(from), Some(to)) = places {
                self.arrows.push(Arrow::down(from, to));
            }
        }
        let label = "the engines, between their registry and their contract";
        self.panel(label, top, row.bottom())
    }

    fn place(&mut self, kind: Kind, room: &'a str, area: Area) {
        self.boxes.push(Placed { kind, room, area });
    }

    fn place_of(&self, room: &str) -> Option<Area> {
        let mut boxes = self.boxes.iter();
        boxes
            .find(|placed| placed.room == room)
            .map(|placed| placed.area)
    }

    /// The engines, all as high as the highest needs.
    fn wings(&mut self, wings: &[Wing<'a>], row: Area) -> Area {
        let part = |at| row.part(at..at + 1, wings.len(), PAD);
        let free = part(0).width - 2 * INSET;
        let columns = columns(wings, free);
        let lines = wings.iter().map(|wing| wing.inner.len().div_ceil(columns));
        let lines = lines.max().unwrap_or(0).max(1);
        let end = WING_HEAD + lines * (CHIP + CHIP_GAP);
        let notes = wings.iter().map(|wing| note(wing, free));
        let notes: Vec<Vec<String>> = notes.collect();
        let longest = notes.iter().map(Vec::len).max().unwrap_or(0);
        let height = end + longest * LINE + INSET;
        for (at, (wing, note)) in wings.iter().zip(notes).enumerate() {
            let area = Area { height, ..part(at) };
            self.place(Kind::Wing, wing.room, area);
            let chips = Area::new(area.x + INSET, area.y + WING_HEAD, free, CHIP);
            self.chips(&wing.inner, chips, wing.inner.len().div_ceil(lines));
            let y = area.y + end + (longest - note.len()) * LINE;
            self.notes.push((Area { y, ..area }, note));
        }
        Area { height, ..row }
    }

    fn chips(&mut self, rooms: &[&'a str], first: Area, columns: usize) {
        for (line, rooms) in rooms.chunks(columns.max(1)).enumerate() {
            let y = first.y + line * (CHIP + CHIP_GAP);
            for (at, room) in rooms.iter().enumerate() {
                let area = Area { y, ..first }.part(at..at + 1, columns, CHIP_GAP);
                self.place(Kind::Chip, room, area);
            }
        }
    }

    /// What is beside the Worker, spread from the entry's height down to `end` or as far as it needs.
    fn side(&mut self, bands: &Bands<'a>, end: usize) -> Area {
        let top = Area::new(MARGIN + MAIN + MARGIN, HEADER, SIDE, 0);
        let rooms = &bands.beside;
        let free = (end - PAD).saturating_sub(top.y + LABEL + rooms.len() * BOX);
        let step = (free / rooms.len().saturating_sub(1).max(1)).max(STEP);
        let first = Area::new(top.x + PAD, top.y + LABEL, SIDE - 2 * PAD, BOX);
        let places = (0..rooms.len()).map(|at| Area {
            y: first.y + at * (BOX + step),
            ..first
        });
        let places: Vec<Area> = places.collect();
        for (area, room) in places.iter().zip(rooms) {
            self.place(Kind::Room, room, *area);
        }
        for (areas, rooms) in places.windows(2).zip(rooms.windows(2)) {
            if bands.may_use(&rooms[..1], &rooms[1..]) {
                self.arrows.push(Arrow::down(areas[0], areas[1]));
            }
        }
        let last = places.last().map_or(first.y, Area::bottom);
        self.panel("beside the Worker", top, last.max(end - PAD))
    }
}

/// How many rooms of an engine stand side by side, each as wide as the longest name needs.
fn columns(wings: &[Wing], free: usize) -> usize {
    let inner = wings.iter().flat_map(|wing| &wing.inner);
    let widest = inner.map(|room| width(short(room), SMALL) + INSET).max();
    ((free + CHIP_GAP) / (widest.unwrap_or(free) + CHIP_GAP)).max(1)
}

/// What an engine uses of others, as lines of a width.
fn note(wing: &Wing, free: usize) -> Vec<String> {
    let others: Vec<&str> = wing.others.iter().map(|room| short(room)).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let note = format!("may use {}", others.join(", "));
    wrapped(&note, SMALL, free)
}

/// The name of a room inside an engine, without the engine's.
pub fn short(room: &str) -> &str {
    room.rsplit('/').next().unwrap_or(room)
}

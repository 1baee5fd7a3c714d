//! The picture that `docs/rooms.md` begins with, drawn from its tables.
//! `UPDATE_ROOMS=1 cargo test --features sandbox --test all the_picture_shows_the_map` renews it.

use std::collections::BTreeSet;
use std::fs;

use area::Area;
use bands::{Bands, outermost};
use layout::{Kind, Layout};

use super::map::Map;
use super::{map, map_text};

mod area;
mod bands;
mod layout;
mod svg;
mod words;

/// More is slow to load, and nobody takes it in.
const BYTES_MAX: usize = 60_000;

#[test]
fn the_picture_shows_the_map() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/images/rooms.svg");
    let drawn = svg::drawn(&map());
    assert!(drawn.len() < BYTES_MAX, "{} bytes", drawn.len());
    if std::env::var_os("UPDATE_ROOMS").is_some() {
        fs::write(file, &drawn).unwrap();
    }
    let committed = fs::read_to_string(file).unwrap_or_default();
    assert!(
        committed == drawn,
        "docs/images/rooms.svg does not show the map of docs/rooms.md; UPDATE_ROOMS=1 cargo test \
         --features sandbox --test all the_picture_shows_the_map draws it anew"
    );
}

/// The rows of an engine that is not there.
fn rows(engine: &str) -> String {
    let root =
        format!("| `{engine}` | **one more engine**: what nobody has made yet | nothing |\n");
    let inner = ["machine", "stored", "told", "asked", "carried", "another"];
    let inner = inner.map(|room| format!("| `{engine}/{room}` | its own | `engine` |\n"));
    root + &inner.concat()
}

/// The map of the project with so many more engines; the first of them uses the others of the map,
/// and a room of a long name that is its own.
fn grown(engines: usize) -> Map {
    let names = (1..=engines).map(|number| format!("engines/engine_of_kind_{number}"));
    let names: Vec<String> = names.collect();
    let registered = names.iter().map(|name| format!("`{name}/stored`, "));
    let registered: String = registered.collect();
    let rows: String = names.iter().map(|name| rows(name)).collect();
    let more = "| `an_engines_room` | a room that is new | `domain` |\n\
                | `engines/engine_of_kind_1/served` | | `an_engines_room`, \
                `engines/workflow/asked`, `engines/investigation/asked` |\n\
                | `run` |";
    let text = map_text().replace("| `run` |", &(rows + more));
    let first = "`engines/investigation/stored`, `engines/workflow/stored`";
    let grown = Map::read(&text.replacen(first, &(registered + first), 1));
    let wings = |map: &Map| Bands::of(map).wings.len();
    assert_eq!(wings(&grown), wings(&map()) + engines);
    grown
}

fn maps() -> Vec<Map> {
    vec![map(), grown(1), grown(2), grown(3)]
}

#[test]
fn every_room_is_in_the_picture_once_and_before_what_it_uses() {
    for map in maps() {
        let bands = Bands::of(&map);
        let layout = Layout::of(&bands);
        let mut shown: Vec<&str> = layout.boxes.iter().map(|placed| placed.room).collect();
        let mut rooms: Vec<&str> = map.rooms.iter().map(|(room, _)| room.as_str()).collect();
        shown.sort_unstable();
        rooms.sort_unstable();
        assert_eq!(shown, rooms);
        let place = |room: &str| {
            let mut boxes = layout.boxes.iter();
            let area = boxes.find(|placed| placed.room == room).unwrap().area;
            (area.y, area.x)
        };
        for (user, used) in &map.rooms {
            for used in used {
                let (from, to) = (outermost(user), outermost(used));
                let are_engines = from.contains('/') && to.contains('/');
                let leads_inwards = bands.beside.contains(&from) && !bands.beside.contains(&to);
                if !are_engines && !leads_inwards {
                    assert!(place(from) < place(to), "{user} uses {used}");
                } else if from == to && user != to {
                    assert!(place(user) < place(used), "{user} uses {used}");
                }
            }
        }
    }
}

#[test]
fn no_box_lies_on_another_and_each_is_in_its_panel() {
    for map in maps() {
        let bands = Bands::of(&map);
        let layout = Layout::of(&bands);
        let picture = Area::new(0, 0, layout::WIDTH, layout.height);
        for (at, (_, panel)) in layout.panels.iter().enumerate() {
            assert!(picture.holds(panel));
            let mut others = layout.panels[at + 1..].iter();
            assert!(!others.any(|(_, other)| panel.overlaps(other)));
        }
        for (at, placed) in layout.boxes.iter().enumerate() {
            let (area, room) = (placed.area, placed.room);
            assert!(area.width > 0 && picture.holds(&area), "{room}");
            let panels = layout.panels.iter().map(|(_, panel)| panel);
            let mut touched = panels.filter(|panel| panel.overlaps(&area));
            assert!(touched.all(|panel| panel.holds(&area)), "{room}");
            for other in &layout.boxes[at + 1..] {
                if placed.kind == Kind::Wing && outermost(other.room) == room {
                    assert!(area.holds(&other.area), "{}", other.room);
                } else {
                    assert!(!area.overlaps(&other.area), "{room}, {}", other.room);
                }
            }
        }
    }
}

#[test]
fn every_arrow_leads_down_and_through_no_box() {
    for map in maps() {
        let bands = Bands::of(&map);
        let layout = Layout::of(&bands);
        // Each engine has one from the registry and one to the contract; four lead from panel to panel.
        assert!(layout.arrows.len() >= 2 * bands.wings.len() + 4);
        for arrow in &layout.arrows {
            let ((x, y), (end_x, end_y)) = (arrow.from, arrow.to);
            assert!(y < end_y, "{arrow:?}");
            // A curve never leaves the rectangle of its ends.
            let (left, right) = (x.min(end_x), x.max(end_x));
            let way = Area::new(left, y, (right - left).max(1), end_y - y);
            let crossed = layout
                .boxes
                .iter()
                .find(|placed| placed.area.overlaps(&way));
            assert_eq!(crossed, None, "{arrow:?}");
        }
    }
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = format!(" {name}=\"");
    element.split_once(&start)?.1.split('"').next()
}

#[test]
fn all_words_fit_into_their_boxes() {
    for map in maps() {
        let drawn = svg::drawn(&map);
        let number = |line, name| attribute(line, name).unwrap().parse::<usize>().unwrap();
        let boxes = drawn.lines().filter(|line| line.starts_with("<rect"));
        let boxes = boxes.map(|line| {
            let of = |name| number(line, name);
            Area::new(of("x"), of("y"), of("width"), of("height"))
        });
        let boxes: Vec<Area> = boxes.collect();
        for line in drawn.lines().filter(|line| line.starts_with("<text")) {
            let words = line.split(['<', '>']).nth(2).unwrap();
            let (x, y, size) = (
                number(line, "x"),
                number(line, "y"),
                number(line, "font-size"),
            );
            let width = words::width(words, size);
            let is_middle = attribute(line, "text-anchor") == Some("middle");
            let left = if is_middle { x - width / 2 } else { x };
            let words_area = Area::new(left, y - size, width, size);
            let mut around = boxes.iter().filter(|area| area.overlaps(&words_area));
            assert!(around.all(|area| area.holds(&words_area)), "{line}");
            assert!(size >= 9, "{line}");
        }
    }
}

#[test]
fn the_picture_needs_nothing_from_outside() {
    let drawn = svg::drawn(&map());
    let addresses = drawn.matches("://").count();
    assert_eq!(addresses, 1, "the name of the format alone");
    for foreign in ["<script", "<image", "@import", "@font-face", "href"] {
        assert!(!drawn.contains(foreign), "{foreign}");
    }
    let ids: Vec<&str> = drawn
        .lines()
        .filter_map(|line| attribute(line, "id"))
        .collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len());
}

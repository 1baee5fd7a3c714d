//! The map of rooms, as `docs/rooms.md` draws it in tables.

use std::collections::BTreeSet;

/// What a room may use: `(room, what it may use)`, in the order of a table.
pub type Uses = Vec<(String, BTreeSet<String>)>;

/// The map: the rooms of `src`, and the inner rooms of those that have some.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Map {
    pub rooms: Uses,
    /// `(room, what lives there)`, as it is written.
    pub texts: Vec<(String, String)>,
    /// The outside crates that a room may use beside the language's own.
    pub crates: Uses,
    /// `(room, its inner rooms)`.
    pub inner: Vec<(String, Uses)>,
}

const ROOMS: &str = "The rooms";
const INSIDE: &str = "Inside ";

impl Map {
    /// Reads the tables under the headings `The rooms` and `` Inside `ROOM` ``; a room, what it may
    /// use and its crates are what stands in backticks in the first, third and fourth column, and what
    /// lives there is all of the second.
    pub fn read(markdown: &str) -> Self {
        let mut map = Self::default();
        let mut heading = "";
        for line in markdown.lines() {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim();
                if let Some(room) = inside(heading) {
                    map.inner.push((room, Uses::new()));
                }
            } else if let Some(row) = row(line) {
                map.take(heading, &row);
            }
        }
        map
    }

    fn take(&mut self, heading: &str, row: &[&str]) {
        let text = |column: usize| row.get(column).copied().unwrap_or_default();
        let cell = |column: usize| quoted(text(column));
        let Some(room) = cell(0).into_iter().next() else {
            return;
        };
        if heading == ROOMS {
            self.crates.push((room.clone(), cell(3)));
            self.texts.push((room.clone(), text(1).trim().to_owned()));
            self.rooms.push((room, cell(2)));
        } else if inside(heading).is_some()
            && let Some((_, rooms)) = self.inner.last_mut()
        {
            rooms.push((room, cell(2)));
        }
    }

    /// What lives in a room, in the words of its row; nothing for what is no room.
    pub fn text(&self, room: &str) -> &str {
        let mut texts = self.texts.iter();
        let found = texts.find(|(name, _)| name == room);
        found.map_or("", |(_, text)| text)
    }

    /// The inner rooms of a room, if the map has a table of them.
    pub fn inside(&self, room: &str) -> Option<&Uses> {
        let mut inner = self.inner.iter();
        inner.find(|(name, _)| name == room).map(|(_, rooms)| rooms)
    }
}

/// What a room of a table may use; `None` for what is no room of it.
pub fn uses<'a>(table: &'a Uses, room: &str) -> Option<&'a BTreeSet<String>> {
    let mut rows = table.iter();
    rows.find(|(name, _)| name == room).map(|(_, uses)| uses)
}

fn inside(heading: &str) -> Option<String> {
    quoted(heading.strip_prefix(INSIDE)?).into_iter().next()
}

/// The cells of a table's row.
fn row(line: &str) -> Option<Vec<&str>> {
    let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(cells.split('|').collect())
}

/// What stands in backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    let every_second = text.split('`').skip(1).step_by(2);
    every_second.map(str::to_owned).collect()
}

#[test]
fn a_map_is_read_from_its_tables() {
    let map = Map::read(
        "# Rooms\n\
         | `not` | in a table of the map | `x` |\n\
         ## The rooms\n\
         | room | what lives there | may use | outside crates |\n\
         |---|---|---|---|\n\
         | `low` | `words` in its text | nothing | none |\n\
         | `high` | more | `low`, `deep` | `serde`, `url` |\n\
         ## Inside `high`\n\
         | inner room | what lives there | may use |\n\
         |---|---|---|\n\
         | `top` | it | `base` |\n",
    );
    let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(uses(&map.rooms, "low"), Some(&set(&[])));
    assert_eq!(uses(&map.rooms, "high"), Some(&set(&["low", "deep"])));
    assert_eq!(uses(&map.crates, "high"), Some(&set(&["serde", "url"])));
    assert_eq!(uses(&map.rooms, "not"), None);
    assert_eq!(map.rooms.len(), 2);
    assert_eq!(map.text("low"), "`words` in its text");
    assert_eq!(map.text("top"), "");
    let inner = map.inside("high").unwrap();
    assert_eq!(uses(inner, "top"), Some(&set(&["base"])));
    assert_eq!(map.inside("low"), None);
}

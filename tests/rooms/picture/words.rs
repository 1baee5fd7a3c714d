//! Words that fit into a box: how wide they may be, and where they are cut and broken.

/// The most lines that a room's phrase takes.
const LINES_MAX: usize = 2;
/// Signs that a phrase may end before, the strongest first.
const SIGNS: [char; 3] = [';', ':', ','];
/// A part of a text says something if it fills one part in so many of its box.
const FILLED: usize = 4;

/// Returns how many pixels wide a text is at most, in a type of `size` pixels: 0.6 of it a character.
pub fn width(text: &str, size: usize) -> usize {
    (text.chars().count() * size * 6).div_ceil(10)
}

/// Returns the largest type up to `size` pixels in which a text is at most `room` pixels wide.
pub fn fitting(text: &str, size: usize, room: usize) -> usize {
    let mut sizes = (1..=size).rev();
    sizes.find(|size| width(text, *size) <= room).unwrap_or(1)
}

/// Returns a short phrase out of what lives in a room, as lines that fit into `room` pixels: all of
/// it, or as much as ends before a sign, or as many words as there is room for.
pub fn phrase(text: &str, size: usize, room: usize) -> Vec<String> {
    let text = plain(text);
    let filled = room * LINES_MAX / FILLED;
    let cuts = SIGNS.iter().flat_map(|sign| text.rmatch_indices(*sign));
    let parts = cuts.map(|(at, _)| &text[..at]);
    let parts = parts.filter(|part| width(part, size) >= filled);
    let whole = wrapped(&text, size, room);
    let fit = |lines: &Vec<String>| fits(lines, size, room);
    let lines = Some(whole)
        .filter(fit)
        .or_else(|| {
            let mut parts = parts.map(|part| wrapped(part, size, room));
            parts.find(fit)
        })
        .unwrap_or_else(|| shortened(&text, size, room));
    balanced(lines, size, room)
}

/// A text without the signs of Markdown and without what stands in brackets.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => {
                plain.truncate(plain.trim_end().len());
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            '*' | '`' => {}
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fits(lines: &[String], size: usize, room: usize) -> bool {
    lines.len() <= LINES_MAX && lines.iter().all(|line| width(line, size) <= room)
}

/// Returns the words in as few lines as hold them; a word that is wider than a line has one of its own.
pub fn wrapped(text: &str, size: usize, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) if width(&longer, size) <= room => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks these words into as many lines, none much longer than the others.
fn balanced(lines: Vec<String>, size: usize, room: usize) -> Vec<String> {
    let text = lines.join(" ");
    let narrower = (0..room).map(|room| wrapped(&text, size, room));
    let is_as_high = |other: &Vec<String>| other.len() == lines.len();
    narrower.into_iter().find(is_as_high).unwrap_or(lines)
}

/// The longest beginning that fits with an ellipsis.
fn shortened(text: &str, size: usize, room: usize) -> Vec<String> {
    let ends = text.match_indices(' ').rev();
    let shorter = ends.map(|(at, _)| text[..at].trim_end_matches([',', ':', ';']));
    let mut shorter = shorter.map(|text| wrapped(&format!("{text}…"), size, room));
    shorter
        .find(|lines| fits(lines, size, room))
        .unwrap_or_default()
}

#[test]
fn a_phrase_is_as_much_as_fits_and_ends_where_a_reader_would_stop() {
    let of = |text, columns: usize| phrase(text, 10, columns * 6).join(" / ");
    assert_eq!(of("what is **said**", 20), "what is said");
    assert_eq!(
        of("its `order` (in JSON), its answers", 40),
        "its order, its answers"
    );
    assert_eq!(
        of("people, photos, edges, limits", 13),
        "people, / photos, edges"
    );
    assert_eq!(
        of("people, photos, edges and limits", 9),
        "people, / photos"
    );
    assert_eq!(of("one call: its attempts, its retries", 13), "one call");
    assert_eq!(
        of("what is; seen: here, or there", 14),
        "what is; seen: / here, or there"
    );
    assert_eq!(
        of("what is: seen here; or over there", 12),
        "what is: / seen here"
    );
    // One word of four says nothing; the others are begun.
    assert_eq!(
        of("a run, conducted from its beginning to its end", 15),
        "a run, / conducted from…"
    );
    assert_eq!(of("unbreakable", 5), "");
}

#[test]
fn no_line_is_wider_than_its_box_and_none_is_a_third() {
    let text = "whether each provider can be used, and what to do where it cannot";
    for room in 0..400 {
        let lines = phrase(text, 12, room);
        assert!(fits(&lines, 12, room), "{lines:?} in {room} pixels");
    }
    assert_eq!(fitting("investigation", 15, 1_000), 15);
    assert!(width("investigation", fitting("investigation", 15, 80)) <= 80);
}

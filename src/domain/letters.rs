//! What is left of a text without its marks: each character is taken apart as Unicode's form NFKD does, and accents and
//! other marks are left out. `build.rs` writes the table, out of `unicode-normalization`.

use std::sync::LazyLock;

/// The columns of the table: how far each run of characters is from the one before, how long it is, and what is left of
/// its first character.
const PLACES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/places"));
const LENGTHS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lengths"));
const LETTERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/letters"));

static TABLE: LazyLock<Table> = LazyLock::new(Table::read);

/// The Korean syllables are all the triples of a first, a middle and perhaps a last letter, in order.
const SYLLABLES: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;
const LAST_LETTERS: u32 = 28;
const MIDDLE_LETTERS: u32 = 21;

/// Returns a text without its marks, in the letters of which it is made.
#[must_use]
pub fn without_marks(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            left.push(character);
        } else {
            push_left(&mut left, character);
        }
    }
    left
}

/// Returns whether nothing is left of a character, as of marks on the one before it.
#[must_use]
pub fn is_left_out(character: char) -> bool {
    let run = TABLE.run(u32::from(character));
    run.is_some_and(|run| run.left.is_empty())
}

fn push_left(left: &mut String, character: char) {
    let place = u32::from(character);
    if SYLLABLES.contains(&place) {
        return push_syllable(left, place - SYLLABLES.start());
    }
    let Some(run) = TABLE.run(place) else {
        return left.push(character);
    };
    let risen = if run.rises { place - run.first } else { 0 };
    let letters = TABLE.letters.get(run.left.clone()).unwrap_or_default();
    left.extend(
        letters
            .iter()
            .filter_map(|letter| char::from_u32(letter.saturating_add(risen))),
    );
}

fn push_syllable(left: &mut String, syllable: u32) {
    let (pair, last) = (syllable / LAST_LETTERS, syllable % LAST_LETTERS);
    let letters = [
        Some(0x1100 + pair / MIDDLE_LETTERS),
        Some(0x1161 + pair % MIDDLE_LETTERS),
        (last > 0).then_some(0x11A7 + last),
    ];
    left.extend(letters.into_iter().flatten().filter_map(char::from_u32));
}

/// Characters that follow one another: either the same is left of each, or the one letter that is left rises with them.
struct Run {
    first: u32,
    count: u32,
    rises: bool,
    /// Where in the table's letters that stands which is left of the first.
    left: std::ops::Range<usize>,
}

/// The table as it is looked up, in the order of the characters.
struct Table {
    runs: Vec<Run>,
    letters: Vec<u32>,
}

impl Table {
    fn read() -> Self {
        let mut columns = (Column(PLACES), Column(LENGTHS), Column(LETTERS));
        let mut table = Self {
            runs: Vec::new(),
            letters: Vec::new(),
        };
        let (mut next, mut letter) = (0_u32, 0_u32);
        while let (Some(gap), Some(length), Some(letters)) =
            (columns.0.next(), columns.1.next(), columns.2.next())
        {
            let from = table.letters.len();
            for difference in columns.2.by_ref().take(letters as usize) {
                letter = letter.wrapping_add_signed(unfolded(difference));
                table.letters.push(letter);
            }
            let (first, count) = (next.saturating_add(gap), length / 2 + 1);
            let (rises, left) = (length % 2 == 1, from..table.letters.len());
            table.runs.push(Run {
                first,
                count,
                rises,
                left,
            });
            next = first.saturating_add(count);
        }
        table
    }

    fn run(&self, place: u32) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.first <= place);
        let run = self.runs.get(after.checked_sub(1)?)?;
        (place - run.first < run.count).then_some(run)
    }
}

/// Returns a difference of which a number without a sign was made: half of it, and odd numbers are below zero.
fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Numbers in as many bytes as each needs, seven bits in each, the lowest first.
struct Column(&'static [u8]);

impl Iterator for Column {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7F) << shift;
            if *byte < 0x80 {
                break;
            }
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;
    use unicode_normalization::char::is_combining_mark;

    use super::*;

    #[test]
    fn every_character_is_left_as_unicode_takes_it_apart() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            let apart: String = text
                .nfkd()
                .filter(|part| !is_combining_mark(*part))
                .collect();
            assert_eq!(without_marks(&text), apart, "{character:?}");
            assert_eq!(is_left_out(character), apart.is_empty(), "{character:?}");
        }
    }

    #[test]
    fn marks_in_any_order_are_left_out() {
        assert_eq!(
            without_marks("A\u{323}\u{301}\u{315}b\u{34F}\u{301}각ﬃ"),
            "Ab\u{1100}\u{1161}\u{11A8}ffi"
        );
    }
}

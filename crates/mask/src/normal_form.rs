//! The canonical form of texts, in which they are compared: compatible letters in one case, without invisible
//! characters.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::codes::Letter;

/// The characters of a text that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Only letters and digits.
    Letters,
    /// Everything except white space. A plus counts as a space, as in addresses.
    Signs,
}

/// A text in canonical form, with the source of each byte.
#[derive(Default)]
pub(crate) struct Folded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) places: Vec<Place>,
    is_after_gap: bool,
}

impl Folded {
    /// Makes an empty text with space for this many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            places: Vec::with_capacity(bytes),
            is_after_gap: false,
        }
    }

    /// Adds the letters of the text with this index.
    pub(crate) fn add(&mut self, text: usize, letters: impl Iterator<Item = Letter>, view: View) {
        self.is_after_gap = true;
        for Letter { character, range } in letters {
            let length = self.bytes.len();
            fold(character, view, &mut |one| {
                let mut buffer = [0; 4];
                self.bytes
                    .extend_from_slice(one.encode_utf8(&mut buffer).as_bytes());
            });
            if self.bytes.len() > length {
                for at in length..self.bytes.len() {
                    self.places.push(Place {
                        text,
                        range: range.clone(),
                        is_after_gap: at == length && self.is_after_gap,
                    });
                }
                self.is_after_gap = false;
            } else if is_unseen(character) || is_combining_mark(character) {
                // An invisible character is masked together with the letter before it.
                if let Some(last) = self.places.last_mut().filter(|last| last.text == text) {
                    last.range.end = last.range.end.max(range.end);
                }
            } else {
                self.is_after_gap = true;
            }
        }
    }
}

/// Where a byte of a canonical form came from.
#[derive(Clone)]
pub(crate) struct Place {
    /// The index of the text in which the byte's letter is.
    pub(crate) text: usize,
    /// The range of bytes of the letter in that text.
    pub(crate) range: Range<usize>,
    /// Whether visible characters that are not compared stand before the letter.
    pub(crate) is_after_gap: bool,
}

/// Returns a text in canonical form.
pub(crate) fn canonical(text: &str, view: View) -> String {
    let mut bytes = Vec::new();
    add_bytes(text, view, &mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Appends the bytes of a text's canonical form.
pub(crate) fn add_bytes(text: &str, view: View, bytes: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.bytes().position(|byte| !byte.is_ascii());
        let (ascii, other) = rest.split_at(plain.unwrap_or(rest.len()));
        let kept = ascii.bytes().filter(|byte| is_kept(*byte, view));
        bytes.extend(kept.map(|byte| byte.to_ascii_lowercase()));
        let mut characters = other.chars();
        if let Some(character) = characters.next() {
            fold(character, view, &mut |one| {
                let mut buffer = [0; 4];
                bytes.extend_from_slice(one.encode_utf8(&mut buffer).as_bytes());
            });
        }
        rest = characters.as_str();
    }
}

fn is_kept(ascii: u8, view: View) -> bool {
    match view {
        View::Letters => ascii.is_ascii_alphanumeric(),
        View::Signs => ascii.is_ascii_graphic() && ascii != b'+',
    }
}

/// Passes the canonical form of a character, which has zero, one or several characters, to `give`.
fn fold(character: char, view: View, give: &mut impl FnMut(char)) {
    if let Ok(ascii) = u8::try_from(character)
        && ascii.is_ascii()
    {
        if is_kept(ascii, view) {
            give(char::from(ascii.to_ascii_lowercase()));
        }
        return;
    }
    decompose_compatible(character, |part| {
        // Some letters become equal only as capitals, and some of these only after another lower-casing.
        let capitals = part.to_lowercase().flat_map(char::to_uppercase);
        for small in capitals.flat_map(char::to_lowercase) {
            decompose_compatible(small, |one| {
                let is_kept = match (view, u8::try_from(one)) {
                    (_, Ok(ascii)) if ascii.is_ascii() => is_kept(ascii, view),
                    (View::Letters, _) => one.is_alphanumeric(),
                    (View::Signs, _) => !one.is_whitespace(),
                };
                if is_kept && !is_unseen(one) && !is_combining_mark(one) {
                    give(one.to_ascii_lowercase());
                }
            });
        }
    });
}

/// Returns whether a character is invisible: a control, a format character, a filler or a variation selector.
///
/// Source: <https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point>
fn is_unseen(character: char) -> bool {
    if character.is_control() {
        return !character.is_whitespace();
    }
    matches!(
        character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_one_kind_have_one_form() {
        let forms = [
            "Straße",
            "STRASSE",
            "stra\u{df}e",
            "ſtrasse",
            "Ｓｔｒａｓｓｅ",
            "s\u{200b}t-r a\u{ad}SSE",
        ];
        for form in forms {
            assert_eq!(canonical(form, View::Letters), "strasse", "{form}");
        }
        assert_eq!(
            canonical("É", View::Letters),
            canonical("e\u{301}", View::Letters)
        );
        assert_eq!(canonical(" a + b\t-C", View::Signs), "ab-c");
        assert_eq!(canonical("Σς", View::Signs), canonical("ΣΣ", View::Signs));
    }

    #[test]
    fn case_changes_no_form() {
        let all = (0..=0x1_FFFF).filter_map(char::from_u32);
        for character in all {
            let form = canonical(&character.to_string(), View::Signs);
            for other in [
                character.to_uppercase().to_string(),
                character.to_lowercase().to_string(),
            ] {
                assert_eq!(canonical(&other, View::Signs), form, "{character:?}");
            }
        }
    }

    #[test]
    fn each_byte_knows_its_place() {
        let text = "ﬁ x\u{301}\u{200b}";
        let mut folded = Folded::default();
        folded.add(7, crate::codes::letters(text), View::Letters);
        assert_eq!(folded.bytes, b"fix");
        let places: Vec<_> = folded
            .places
            .iter()
            .map(|place| place.range.clone())
            .collect();
        assert_eq!(places, [0..3, 0..3, 4..10]);
        let gaps: Vec<bool> = folded
            .places
            .iter()
            .map(|place| place.is_after_gap)
            .collect();
        assert_eq!(gaps, [true, false, true]);
    }
}

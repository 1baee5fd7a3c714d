//! The words of a text, folded for comparison.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use crate::spelling::fold;

/// The most words read of a text. A description of 500 characters has about 80.
const WORDS_MAX: usize = 160;

/// A word of a text.
#[derive(Debug)]
pub(super) struct Word<'text> {
    /// The word as it is written.
    pub text: &'text str,
    /// The place of its first byte in the text.
    pub from: usize,
    /// The folded word. A word of a script without spaces is left as it is.
    pub folded: Cow<'text, str>,
    /// Whether punctuation separates it from the word before it, so that no phrase has both.
    pub is_first: bool,
}

impl Word<'_> {
    /// Returns the place after its last byte in the text.
    pub(super) fn to(&self) -> usize {
        self.from + self.text.len()
    }
}

/// Splits a text into words. Apostrophes separate words, as in `l'affiche`, and so do hyphens.
pub(super) fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = Vec::new();
    let mut begin = None;
    let mut is_first = true;
    let mut before = ' ';
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_in_word(character) && at < text.len() {
            begin.get_or_insert(at);
        } else {
            if let Some(from) = begin.take() {
                if words.len() == WORDS_MAX {
                    break;
                }
                let word = text.get(from..at).unwrap_or_default();
                words.push(Word {
                    text: word,
                    from,
                    folded: folded(word),
                    is_first: std::mem::take(&mut is_first),
                });
            }
            let after = text.get(at + character.len_utf8()..).unwrap_or_default();
            let follows_letter = words.last().is_some_and(|word| word.text.len() == 1);
            is_first |= separates(before, character, after.chars().next(), follows_letter);
        }
        before = character;
    }
    words
}

/// Returns whether a text is written in a script that has no spaces between words, as Chinese and Japanese are.
pub(super) fn has_no_spaces(text: &str) -> bool {
    text.chars().any(|character| {
        matches!(
            character,
            '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
                | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}'
        )
    })
}

/// Returns a folded word.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(word.to_ascii_lowercase())
        } else {
            Cow::Borrowed(word)
        };
    }
    if has_no_spaces(word) {
        return Cow::Borrowed(word);
    }
    let mut folded = fold(word);
    folded.retain(|character| !is_left_out_in_arabic(character));
    Cow::Owned(folded)
}

fn is_in_word(character: char) -> bool {
    character.is_alphanumeric()
        || is_combining_mark(character)
        || matches!(character, '\u{AD}' | '\u{200C}' | '\u{200D}')
}

/// Returns whether a mark is usually left out in Arabic: vowels, the hamza above or below a letter, the long stroke.
fn is_left_out_in_arabic(mark: char) -> bool {
    matches!(mark, '\u{640}' | '\u{64B}'..='\u{655}' | '\u{670}')
}

/// Returns whether a character ends a part of a text. A dash does it between spaces, and a full stop before a space,
/// unless it follows a single letter, as in `A. I.`.
fn separates(before: char, character: char, after: Option<char>, follows_letter: bool) -> bool {
    let is_before_space = after.is_none_or(char::is_whitespace);
    match character {
        ',' | ';' | ':' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '/' | '|' | '•' | '…'
        | '、' | '。' | '，' | '；' | '：' | '！' | '？' | '（' | '）' | '،' | '؛' | '؟' => {
            true
        }
        '.' => is_before_space && !follows_letter,
        '-' | '–' | '—' => is_before_space && before.is_whitespace(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut parts: Vec<String> = Vec::new();
        for word in words_of(text) {
            assert_eq!(&text[word.from..word.to()], word.text);
            match parts.last_mut() {
                Some(part) if !word.is_first => *part = format!("{part} {}", word.folded),
                _ => parts.push(word.folded.into_owned()),
            }
        }
        assert_eq!(parts, expected, "{text:?}");
    }

    #[test]
    fn words_are_folded_and_punctuation_separates_them() {
        check("Élise's WAX-figure_2", &["elise s wax figure 2"]);
        check("L'affiche d’Émile", &["l affiche d emile"]);
        check(
            "Wax, figure (bust); a/b",
            &["wax", "figure", "bust", "a", "b"],
        );
        check("Wax. Figure", &["wax", "figure"]);
        check("Wax.Figure A. I. art", &["wax figure a i art"]);
        check("Bust - Lucy - AI–made", &["bust", "lucy", "ai made"]);
        check("“Wax” 'figure'", &["wax figure"]);
        check("Двойник, ещё", &["двоиник", "еще"]);
        check("пам’ятник памʼятник", &["пам ятник памятник"]);
        check("أُنشئت تـمثال", &["انشيت تمثال"]);
        check("ナターシャの蝋人形、2010", &["ナターシャの蝋人形", "2010"]);
        check("", &[]);
        check("-.-", &[]);
    }

    #[test]
    fn words_are_bounded() {
        assert_eq!(words_of(&"wax ".repeat(5_000)).len(), WORDS_MAX);
        assert_eq!(words_of(&"x".repeat(100_000)).len(), 1);
    }
}

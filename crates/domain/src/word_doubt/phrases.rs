//! Phrases with a meaning, and how they are found in a text.
//!
//! A phrase is written as words with spaces between them:
//!
//! - `statue|statues`: one of these words;
//! - `figur*`: a word that begins so, with at least two letters, and has at most [`ENDING_CHARS_MAX`] more;
//! - `the|a?`: the word may be missing;
//! - `!of`: the next word must not be this one, and is not part of the phrase;
//! - `_`: any word;
//! - `=AI`: the word in exactly this spelling.
//!
//! Words are compared as they are folded. Text in a script without spaces, and after `~`, is found within a word.
//!
//! The longest of the phrases that begin at a word counts, and the next one is searched after it. So a phrase without
//! meaning, such as `poster girl`, hides the sign within it.

use std::collections::{BTreeMap, BTreeSet};

use crate::spelling::fold;

use super::WordSign;
use super::words::{Word, folded, has_no_spaces, words_of};

/// The longest ending of a stem, in letters.
const ENDING_CHARS_MAX: usize = 3;

/// What a phrase says about a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This is what the photo shows.
    Is(WordSign),
    /// The photo may show this beside the person whom it belongs to.
    Beside(WordSign),
    /// The photo was taken at an event to which people come.
    Event,
    /// Nothing: the words only look like a sign.
    Nothing,
}

/// Phrases of one meaning.
pub(super) type Row = (Meaning, &'static [&'static str]);

/// A phrase that was found in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundPhrase<'text> {
    pub meaning: Meaning,
    /// The phrase as it is written in the text.
    pub words: &'text str,
    /// The number of words before it.
    pub place: usize,
}

/// The first two letters of a word; there is no second one in a word of one letter.
type Beginning = (char, Option<char>);

/// A set of phrases.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    all: Vec<Phrase>,
    /// The places of the phrases by the beginning of their first word.
    by_beginning: BTreeMap<Beginning, Vec<usize>>,
    /// What is found within words, by its first letter; the longest is first.
    parts: BTreeMap<char, Vec<(String, Meaning)>>,
}

impl Phrases {
    pub(super) fn new<'row>(rows: impl IntoIterator<Item = &'row Row>) -> Self {
        let mut phrases = Self::default();
        for (meaning, texts) in rows {
            for text in *texts {
                phrases.add(*meaning, text);
            }
        }
        for parts in phrases.parts.values_mut() {
            parts.sort_by_key(|(part, _)| std::cmp::Reverse(part.len()));
        }
        phrases
    }

    fn add(&mut self, meaning: Meaning, text: &'static str) {
        let part = text.strip_prefix('~');
        if part.is_some() || has_no_spaces(text) {
            let part = Part::new(part.unwrap_or(text)).folded;
            if let Some(letter) = part.chars().next() {
                self.parts.entry(letter).or_default().push((part, meaning));
            }
            return;
        }
        let steps: Vec<Step> = text.split(' ').map(Step::new).collect();
        let firsts = steps.first().map_or(&[][..], |step| &step.forms);
        let beginnings: BTreeSet<Beginning> = firsts.iter().filter_map(Form::beginning).collect();
        for beginning in beginnings {
            let places = self.by_beginning.entry(beginning).or_default();
            places.push(self.all.len());
        }
        self.all.push(Phrase { meaning, steps });
    }

    /// Finds the phrases in a text, in their order.
    pub(super) fn read<'text>(&self, text: &'text str, mut found: impl FnMut(FoundPhrase<'text>)) {
        let words = words_of(text);
        let mut place = 0;
        while let Some(word) = words.get(place) {
            if has_no_spaces(word.text) {
                self.read_parts(word.text, |meaning, words| {
                    found(FoundPhrase {
                        meaning,
                        words,
                        place,
                    });
                });
            }
            let Some((meaning, end)) = self.longest(&words, place) else {
                place += 1;
                continue;
            };
            let to = words.get(end - 1).map_or(word.to(), Word::to);
            found(FoundPhrase {
                meaning,
                words: text.get(word.from..to).unwrap_or_default(),
                place,
            });
            place = end;
        }
    }

    /// Returns the meaning of the longest phrase that begins at a place, and the place after it.
    fn longest(&self, words: &[Word], place: usize) -> Option<(Meaning, usize)> {
        let beginning = beginning_of(&words.get(place)?.folded)?;
        let mut longest = None;
        let places = self.by_beginning.get(&beginning)?.iter();
        for phrase in places.filter_map(|place| self.all.get(*place)) {
            if let Some(end) = end_of(&phrase.steps, words, place)
                && longest.is_none_or(|(_, known)| end > known)
            {
                longest = Some((phrase.meaning, end));
            }
        }
        longest
    }

    fn read_parts<'text>(&self, word: &'text str, mut found: impl FnMut(Meaning, &'text str)) {
        let searched = Part::new(word);
        let mut rest = searched.folded.as_str();
        let mut before = ' ';
        while let Some(letter) = rest.chars().next() {
            let is_within_latin = before.is_ascii_alphanumeric() && letter.is_ascii_alphanumeric();
            let mut parts = self.parts.get(&letter).into_iter().flatten();
            let part = parts.find(|(part, _)| !is_within_latin && rest.starts_with(part));
            let length = part.map_or(letter.len_utf8(), |(part, _)| part.len());
            let from = searched.folded.len() - rest.len();
            if let Some((_, meaning)) = part {
                found(*meaning, searched.written(word, from, from + length));
            }
            let (passed, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            before = passed.chars().next_back().unwrap_or(' ');
            rest = after;
        }
    }
}

#[derive(Debug)]
struct Phrase {
    meaning: Meaning,
    steps: Vec<Step>,
}

/// A word of a phrase.
#[derive(Debug)]
struct Step {
    need: Need,
    forms: Vec<Form>,
}

/// Whether the next word of a text must be one of a step's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Must,
    May,
    MustNot,
}

#[derive(Debug)]
enum Form {
    Any,
    Exact(&'static str),
    Whole(String),
    Stem(String),
}

impl Step {
    fn new(word: &'static str) -> Self {
        let (need, word) = if let Some(word) = word.strip_prefix('!') {
            (Need::MustNot, word)
        } else if let Some(word) = word.strip_suffix('?') {
            (Need::May, word)
        } else {
            (Need::Must, word)
        };
        let forms = word.split('|').map(Form::new).collect();
        Self { need, forms }
    }

    fn has(&self, word: &Word) -> bool {
        self.forms.iter().any(|form| form.is(word))
    }
}

impl Form {
    fn new(word: &'static str) -> Self {
        if word == "_" {
            Self::Any
        } else if let Some(word) = word.strip_prefix('=') {
            Self::Exact(word)
        } else if let Some(stem) = word.strip_suffix('*') {
            Self::Stem(folded(stem).into_owned())
        } else {
            Self::Whole(folded(word).into_owned())
        }
    }

    fn beginning(&self) -> Option<Beginning> {
        match self {
            Self::Any => None,
            Self::Exact(word) => beginning_of(&folded(word)),
            Self::Whole(word) | Self::Stem(word) => beginning_of(word),
        }
    }

    fn is(&self, word: &Word) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(exact) => word.text == *exact,
            Self::Whole(whole) => word.folded == *whole,
            Self::Stem(stem) => word
                .folded
                .strip_prefix(stem.as_str())
                .is_some_and(|ending| ending.chars().count() <= ENDING_CHARS_MAX),
        }
    }
}

fn beginning_of(word: &str) -> Option<Beginning> {
    let mut letters = word.chars();
    Some((letters.next()?, letters.next()))
}

/// Returns the place after a phrase that begins at `place`, or `None` if it does not. The recursion is as deep as the
/// phrase has words.
fn end_of(steps: &[Step], words: &[Word], place: usize) -> Option<usize> {
    fn after(steps: &[Step], words: &[Word], place: usize, is_begun: bool) -> Option<usize> {
        let Some((step, rest)) = steps.split_first() else {
            return Some(place);
        };
        let next = words.get(place).filter(|word| !(is_begun && word.is_first));
        let has_it = next.is_some_and(|word| step.has(word));
        let with_it = || {
            has_it
                .then(|| after(rest, words, place + 1, true))
                .flatten()
        };
        let without_it = || after(rest, words, place, is_begun);
        match step.need {
            Need::Must => with_it(),
            Need::May => with_it().or_else(without_it),
            Need::MustNot if has_it => None,
            Need::MustNot => without_it(),
        }
    }
    after(steps, words, place, false)
}

/// A word of a script without spaces, folded character by character, so that the place of each is known.
struct Part {
    folded: String,
    /// For each character, its place in the folded word and in the original one.
    places: Vec<(usize, usize)>,
}

impl Part {
    fn new(word: &str) -> Self {
        let mut part = Self {
            folded: String::with_capacity(word.len()),
            places: Vec::new(),
        };
        let mut buffer = [0; 4];
        for (at, character) in word.char_indices() {
            part.places.push((part.folded.len(), at));
            part.folded
                .push_str(&fold(character.encode_utf8(&mut buffer)));
        }
        part
    }

    /// Returns the original of a range of the folded word.
    fn written<'word>(&self, word: &'word str, from: usize, to: usize) -> &'word str {
        let original = |folded: usize| {
            let after = self.places.partition_point(|(place, _)| *place < folded);
            self.places.get(after).map_or(word.len(), |(_, at)| *at)
        };
        word.get(original(from)..original(to)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Row] = &[
        (
            Meaning::Nothing,
            &[
                "poster girl|boy",
                "statue of liberty",
                "at the|a? statue !of",
                "前海报",
            ],
        ),
        (Meaning::Event, &["opening"]),
        (Meaning::Beside(WordSign::Wax), &["her wax figur*"]),
        (Meaning::Is(WordSign::Wax), &["wax figur*", "蝋人形"]),
        (Meaning::Is(WordSign::Statue), &["statue|statues"]),
        (
            Meaning::Is(WordSign::Poster),
            &["poster", "海报", "~cosplay"],
        ),
        (Meaning::Is(WordSign::Generated), &["=AI art", "by _ art"]),
    ];

    #[track_caller]
    fn check(text: &str, expected: &[(Meaning, &str, usize)]) {
        let mut found = Vec::new();
        Phrases::new(ROWS).read(text, |phrase| {
            found.push((phrase.meaning, phrase.words, phrase.place));
        });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn the_longest_phrase_counts_and_hides_what_is_in_it() {
        use Meaning::{Beside, Event, Is, Nothing};
        use WordSign::{Generated, Poster, Statue, Wax};
        check("Lucy: WAX-Figures, 2010", &[(Is(Wax), "WAX-Figures", 1)]);
        check("wax figurehead", &[]);
        check("her wax figure", &[(Beside(Wax), "her wax figure", 0)]);
        check("wax, figure", &[]);
        check("Poster Girl", &[(Nothing, "Poster Girl", 0)]);
        check("Poster, girl", &[(Is(Poster), "Poster", 0)]);
        check(
            "Opening at the statue",
            &[(Event, "Opening", 0), (Nothing, "at the statue", 1)],
        );
        check("at statue", &[(Nothing, "at statue", 0)]);
        check("at the statue of Lucy", &[(Is(Statue), "statue", 2)]);
        check("at the statue, of Lucy", &[(Nothing, "at the statue", 0)]);
        check(
            "at the Statue of Liberty",
            &[(Nothing, "Statue of Liberty", 2)],
        );
        check("AI art", &[(Is(Generated), "AI art", 0)]);
        check("Ai art", &[]);
        check(
            "By Lucy's art, by Lucy art",
            &[(Is(Generated), "by Lucy art", 4)],
        );
    }

    #[test]
    fn parts_of_words_are_quoted_as_written() {
        use Meaning::{Is, Nothing};
        use WordSign::{Poster, Wax};
        check("ナターシャの蝋人形（東京）", &[(Is(Wax), "蝋人形", 0)]);
        check("娜塔莎的海報", &[(Is(Poster), "海報", 0)]);
        check("娜塔莎前海報", &[(Nothing, "前海報", 0)]);
        check("Ｃosplay照", &[(Is(Poster), "Ｃosplay", 0)]);
        check("xcosplay照", &[]);
        check(
            "海报海报",
            &[(Is(Poster), "海报", 0), (Is(Poster), "海报", 0)],
        );
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        for text in ["", "-", "wax", "the the the", "figure wax"] {
            check(text, &[]);
        }
    }
}

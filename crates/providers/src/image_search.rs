//! The role of the image search, and the words of its queries. Names are cleaned so that nothing in them is an
//! operator.
//!
//! Sources: mediawiki.org `Help:CirrusSearch`; the operators of Elasticsearch's `simple_query_string`, which Openverse
//! accepts; Brave's and Google's lists of search operators.

use std::fmt;

use domain::{Failure, FailureKind, NamedPerson, SearchQuestion};
use platform::{WireRequest, WireResponse};

use crate::response::ReadList;

/// The most people that one question names.
const PEOPLE_MAX: usize = 2;
/// The most words of a name in a query. Brave accepts 50 words in all.
const WORDS_MAX: usize = 20;

/// An image search, which builds the query that suits it best from a question, and reads the answer.
pub trait ImageSearch: fmt::Debug {
    /// Returns the search's id in settings, storage and metering, for example `google`.
    fn id(&self) -> &'static str;

    /// Returns the search's name for viewers.
    fn name(&self) -> &'static str;

    /// Returns how many hits and pages one of its lists can have.
    fn extent(&self) -> ListExtent;

    /// Returns whether the provider's terms allow storing and reusing its answers.
    fn may_be_kept(&self) -> bool {
        false
    }

    /// Builds a request for at most `count` photos, on a page numbered from 0. All pages of one list have the same
    /// size.
    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure>;

    /// Reads the hits in rank order; the list is empty if nothing was found.
    fn read(&self, question: &SearchQuestion, response: &WireResponse)
    -> Result<ReadList, Failure>;
}

/// The number of hits and pages that one list of an image search can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListExtent {
    /// The most hits that one paid request returns.
    pub hits_max: u32,
    /// The most pages with `hits_max` hits; 1 if the search has no paging.
    pub pages_max: u32,
}

/// Returns the words of each name in a question, without operators. `chars_max` limits each name, in characters.
pub(crate) fn names(search: &SearchQuestion, chars_max: usize) -> Vec<String> {
    let people = search.people.iter().take(PEOPLE_MAX);
    let names = people.map(|person| words(&person.name, chars_max));
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the words of a text as a query may contain them. Marks inside a word stay (`O'Brien`, `Jean-Luc`, `J.K.`).
/// Operators that are words, like `OR`, are lower-cased, which makes them ordinary words.
pub(crate) fn words(text: &str, chars_max: usize) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control() || is_sign(c));
    let words = joined(parts.map(|part| part.trim_matches(is_inner_mark)));
    let cut: String = words.chars().take(chars_max).collect();
    let is_end = |c: char| is_inner_mark(c) || c == ' ';
    cut.trim_end_matches(is_end).to_owned()
}

/// Returns the question as English words, for Google's search and its resellers. Names are unchanged except that
/// operators are removed: quotes, `+` or `-` before a word, `OR`, `site:`.
pub(crate) fn english(search: &SearchQuestion) -> Result<String, Failure> {
    let is_operator = |c: char| is_quote(c) || matches!(c, '"' | '(' | ')' | '*' | ':' | '|' | '~');
    let plain = |person: &NamedPerson| {
        let is_end = |c: char| c.is_whitespace() || c.is_control() || is_operator(c);
        let parts = person.name.split(is_end);
        NamedPerson {
            name: joined(parts.map(|part| part.trim_start_matches(['-', '+']))),
            number: None,
        }
    };
    let mut people: Vec<NamedPerson> = search.people.iter().map(plain).collect();
    people.retain(|person| !person.name.is_empty());
    if people.is_empty() {
        return Err(nothing_to_search());
    }
    let wording = search.wording;
    Ok(SearchQuestion { people, wording }.text())
}

/// Joins words with spaces. Words that are operators, like `OR`, are lower-cased.
fn joined<'text>(words: impl Iterator<Item = &'text str>) -> String {
    let mut line = String::new();
    for word in words.filter(|word| !word.is_empty()).take(WORDS_MAX) {
        if !line.is_empty() {
            line.push(' ');
        }
        if matches!(word, "AND" | "OR" | "NOT") {
            line.push_str(&word.to_ascii_lowercase());
        } else {
            line.push_str(word);
        }
    }
    line
}

/// Returns the words in quotes, to be found as a phrase.
pub(crate) fn quoted(words: &str) -> String {
    format!("\"{words}\"")
}

/// Makes the failure of a question whose names have neither letters nor digits. No provider can be asked such a
/// question.
pub(crate) fn nothing_to_search() -> Failure {
    Failure::new(
        FailureKind::Refused,
        "the names have no words to search for",
    )
}

fn is_inner_mark(character: char) -> bool {
    matches!(character, '\'' | '’' | '-' | '.')
}

fn is_sign(character: char) -> bool {
    is_quote(character) || (character.is_ascii_punctuation() && !is_inner_mark(character))
}

fn is_quote(character: char) -> bool {
    matches!(character, '“' | '”' | '„' | '‟' | '«' | '»' | '″')
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Wording;

    #[test]
    fn names_keep_their_words_and_lose_their_signs() {
        let cases = [
            ("Jane  Bennet", "Jane Bennet"),
            ("Sinéad O'Connor", "Sinéad O'Connor"),
            ("J. K. Rowling", "J K Rowling"),
            ("Jean-Luc -Picard--", "Jean-Luc Picard"),
            ("李小龙", "李小龙"),
            (r#"Foo" haswbstatement:x"#, "Foo haswbstatement x"),
            ("Foo OR Bar AND NOT Baz", "Foo or Bar and not Baz"),
            ("Oregon NOTHING", "Oregon NOTHING"),
            (
                "a~2 b* (c|d) !e +f ^g \\h /i/ {j} [k] <l> &&m",
                "a 2 b c d e f g h i j k l m",
            ),
            ("“smart” „quotes“ «here»", "smart quotes here"),
            ("-..-''", ""),
            ("\u{0}\n", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(words(name, 100), expected, "{name}");
        }
    }

    #[test]
    fn english_keeps_ordinary_names_and_takes_operators_as_words() {
        let english = |names: &[&str], wording| {
            let people = names
                .iter()
                .map(|name| NamedPerson {
                    name: (*name).to_owned(),
                    number: None,
                })
                .collect();
            super::english(&SearchQuestion { people, wording })
        };
        for name in [
            "Jane Bennet",
            "J. K. Rowling",
            "Robert Downey Jr.",
            "Sinéad O'Connor",
            "Jean-Luc Picard",
            "will.i.am",
            "P!nk & Ke$ha #1",
            "李小龙",
        ] {
            assert_eq!(english(&[name], Wording::Names), Ok(name.to_owned()));
        }
        for (name, expected) in [
            ("Jane \"Eyre\" “Air”", "Jane Eyre Air"),
            ("Jane -Eyre --Burns +x -", "Jane Eyre Burns x"),
            ("Jane OR Eyre", "Jane or Eyre"),
            ("Jane site:a.example", "Jane site a.example"),
            ("(Jane|Eyre) AROUND(3) ~x*", "Jane Eyre AROUND 3 x"),
        ] {
            assert_eq!(english(&[name], Wording::Names).unwrap(), expected);
        }
        let both = english(&["A", "\"", "B"], Wording::Event);
        assert_eq!(both.unwrap(), "A B event");
        let nobody = english(&["\"-\""], Wording::Event);
        assert_eq!(nobody.unwrap_err().kind, FailureKind::Refused);
    }

    #[test]
    fn words_are_bounded() {
        assert_eq!(words(&"x ".repeat(500), 100), ["x"; WORDS_MAX].join(" "));
        assert_eq!(words(&"é".repeat(500), 100), "é".repeat(100));
        assert_eq!(words("Jean-Luc Picard", 5), "Jean");
        assert_eq!(words("Jean Luc", 5), "Jean");
    }
}

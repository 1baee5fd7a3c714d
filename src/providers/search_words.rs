//! Names as words of a query, so that nothing in a name is read as an operator.
//!
//! Sources: mediawiki.org `Help:CirrusSearch`; the operators of Elasticsearch's
//! `simple_query_string`, which Openverse takes; Brave's list of search operators.

use crate::domain::{Failure, FailureKind, SearchQuestion};

/// The most people whom a question names.
const PEOPLE_MAX: usize = 2;
/// The most words of a name that are searched for: Brave takes 50 in all.
const WORDS_MAX: usize = 20;

/// The words of each name, without operators; `chars_max` bounds each name, in characters.
pub(super) fn names(search: &SearchQuestion, chars_max: usize) -> Vec<String> {
    let people = search.people.iter().take(PEOPLE_MAX);
    let names = people.map(|person| words(&person.name, chars_max));
    names.filter(|name| !name.is_empty()).collect()
}

/// The words of a text. Marks that stand inside a word stay (`O'Brien`, `Jean-Luc`, `J.K.`);
/// operators of one word are written small, which makes them words.
pub(super) fn words(text: &str, chars_max: usize) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control() || is_sign(c));
    let parts = parts.map(|part| part.trim_matches(is_inner_mark));
    let mut words = String::new();
    for part in parts.filter(|part| !part.is_empty()).take(WORDS_MAX) {
        if !words.is_empty() {
            words.push(' ');
        }
        if matches!(part, "AND" | "OR" | "NOT") {
            words.push_str(&part.to_ascii_lowercase());
        } else {
            words.push_str(part);
        }
    }
    let cut: String = words.chars().take(chars_max).collect();
    let is_end = |c: char| is_inner_mark(c) || c == ' ';
    cut.trim_end_matches(is_end).to_owned()
}

/// The words in this order and side by side.
pub(super) fn quoted(words: &str) -> String {
    format!("\"{words}\"")
}

/// A question whose names hold neither letter nor digit: no provider can be asked.
pub(super) fn nothing_to_search() -> Failure {
    Failure::new(
        FailureKind::Refused,
        "the names have no words to search for",
    )
}

fn is_inner_mark(character: char) -> bool {
    matches!(character, '\'' | '’' | '-' | '.')
}

fn is_sign(character: char) -> bool {
    let is_quote = matches!(character, '“' | '”' | '„' | '‟' | '«' | '»' | '″');
    is_quote || (character.is_ascii_punctuation() && !is_inner_mark(character))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn words_are_bounded() {
        assert_eq!(words(&"x ".repeat(500), 100), ["x"; WORDS_MAX].join(" "));
        assert_eq!(words(&"é".repeat(500), 100), "é".repeat(100));
        assert_eq!(words("Jean-Luc Picard", 5), "Jean");
        assert_eq!(words("Jean Luc", 5), "Jean");
    }
}

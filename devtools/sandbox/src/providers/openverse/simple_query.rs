//! The search syntax: Elasticsearch's `simple_query_string`, with all words required.
//!
//! According to the source of `WordPress/openverse`, `api/api/controllers/search_controller.py`, and Elasticsearch's
//! reference: words are joined by AND, `"..."` is a phrase, `|` separates alternatives, `-` excludes, `word*` is a
//! prefix, and parentheses group. All operators have the same precedence and associate to the left.

use crate::name_folding;

/// A parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SimpleQuery {
    /// Consecutive words. If `is_beginning`, the last one also matches longer words that begin with it.
    Words {
        words: Vec<String>,
        is_beginning: bool,
    },
    Not(Box<Self>),
    Both(Box<Self>, Box<Self>),
    Either(Box<Self>, Box<Self>),
}

impl SimpleQuery {
    /// Parses a query. Returns `None` if it has no word.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // An unpaired quote is ignored.
        let text = if text.matches('"').count() % 2 == 1 {
            text.replace('"', " ")
        } else {
            text.to_owned()
        };
        Reader { rest: &text }.expression(false)
    }

    /// Returns how many of the query's terms the folded words of a text match, or `None` if the text does not match the
    /// query.
    pub(super) fn score(&self, text: &[String]) -> Option<usize> {
        match self {
            Self::Words {
                words,
                is_beginning,
            } => name_folding::occurs(words, *is_beginning, text).then_some(1),
            Self::Not(query) => query.score(text).is_none().then_some(0),
            Self::Both(one, other) => Some(one.score(text)? + other.score(text)?),
            Self::Either(one, other) => match (one.score(text), other.score(text)) {
                (None, None) => None,
                (one, other) => Some(one.unwrap_or(0) + other.unwrap_or(0)),
            },
        }
    }

    fn both(one: Option<Self>, other: Self) -> Self {
        match one {
            Some(one) => Self::Both(Box::new(one), Box::new(other)),
            None => other,
        }
    }
}

/// A parser. `rest` is the part of the query that is not parsed yet.
struct Reader<'text> {
    rest: &'text str,
}

impl Reader<'_> {
    fn expression(&mut self, is_inner: bool) -> Option<SimpleQuery> {
        let mut query: Option<SimpleQuery> = None;
        let mut is_either = false;
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next()? {
                ')' if is_inner => {
                    self.skip(1);
                    return query;
                }
                mark @ (')' | '|' | '+') => {
                    self.skip(1);
                    is_either |= mark == '|';
                }
                _ => {
                    if let Some(next) = self.operand() {
                        query = Some(match query.take() {
                            Some(one) if is_either => {
                                SimpleQuery::Either(Box::new(one), Box::new(next))
                            }
                            one => SimpleQuery::both(one, next),
                        });
                        is_either = false;
                    }
                }
            }
            if self.rest.trim().is_empty() {
                return query;
            }
        }
    }

    fn operand(&mut self) -> Option<SimpleQuery> {
        if self.rest.starts_with('-') {
            self.skip(1);
            return Some(SimpleQuery::Not(Box::new(self.operand()?)));
        }
        if self.rest.starts_with('(') {
            self.skip(1);
            return self.expression(true);
        }
        if let Some(phrase) = self.rest.strip_prefix('"') {
            let (phrase, rest) = phrase.split_once('"').unwrap_or((phrase, ""));
            self.rest = rest;
            return words_in_a_row(name_folding::words(phrase), false);
        }
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '|');
        let (word, rest) = self
            .rest
            .split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        let mut words = name_folding::words(word);
        let last = words_in_a_row(words.pop().into_iter().collect(), word.ends_with('*'))?;
        // The tokenizer splits `Jean-Luc` into separate words, which need not be consecutive.
        let parts = words.into_iter().map(|word| vec![word]);
        let parts = parts.filter_map(|word| words_in_a_row(word, false));
        let before = parts.fold(None, |sum, part| Some(SimpleQuery::both(sum, part)));
        Some(SimpleQuery::both(before, last))
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

fn words_in_a_row(words: Vec<String>, is_beginning: bool) -> Option<SimpleQuery> {
    (!words.is_empty()).then_some(SimpleQuery::Words {
        words,
        is_beginning,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_phrases_and_alternatives_are_demanded() {
        let text = name_folding::words("Emma Woodhouse and Jane Fairfax after the awards");
        let score = |query: &str| SimpleQuery::parse(query).and_then(|query| query.score(&text));
        for (query, expected) in [
            ("emma JANE", Some(2)),
            ("emma event", None),
            ("\"Emma Woodhouse\" \"Jane Fairfax\"", Some(2)),
            ("\"Woodhouse Emma\"", None),
            ("\"Emma Woodhouse\" | \"Jane Fairfax\"", Some(2)),
            ("\"Emma Woodhouse\" | \"Harriet Smith\"", Some(1)),
            ("nobody | somebody", None),
            ("emma (award | awards)", Some(2)),
            ("emma (award | event)", None),
            ("nobody emma | jane", Some(1)),
            ("emma | jane nobody", None),
            ("emma -jane", None),
            ("emma -harriet", Some(1)),
            ("wood*", Some(1)),
            ("emma-jane", Some(2)),
            ("emma-harriet", None),
            ("\"emma jane", Some(2)),
            ("(emma", Some(1)),
            ("emma)|", Some(1)),
            ("- | ( ) \"\"", None),
            ("", None),
        ] {
            assert_eq!(score(query), expected, "{query}");
        }
    }
}

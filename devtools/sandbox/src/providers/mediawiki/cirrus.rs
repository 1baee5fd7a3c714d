//! The search syntax of Commons and Wikidata, as far as a client that searches for people would use it.
//!
//! According to mediawiki.org, `Help:CirrusSearch` and `Help:WikibaseCirrusSearch`: words are joined by AND, `"..."` is
//! a phrase, `OR` between two terms makes them alternatives, `-` or `!` before a term excludes it, `word*` is a prefix.
//! `filetype:`, `incategory:`, `intitle:` and `haswbstatement:` are filters, which must all hold. A statement may list
//! alternatives, `P180=Q1|P180=Q2`. Any other word with a colon is text.

use crate::name_folding;

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::providers) struct CirrusQuery {
    /// The required terms in groups. At least one term of each group must match.
    pub(super) required: Vec<Vec<Term>>,
    pub(super) excluded: Vec<Term>,
    pub(super) filters: Vec<(FilterSense, Filter)>,
}

/// Consecutive words. If `is_beginning`, the last one also matches longer words that begin with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) words: Vec<String>,
    pub(super) is_beginning: bool,
}

/// Whether a filter must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilterSense {
    Holds,
    DoesNot,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    FileType(String),
    /// The folded names of categories, one of which the page must have.
    Category(Vec<String>),
    Title(Vec<String>),
    /// Statements, one of which the page must have: the property, and the required value if there is one.
    Statement(Vec<(String, Option<String>)>),
}

impl CirrusQuery {
    pub(in crate::providers) fn parse(text: &str) -> Self {
        let mut query = Self::default();
        let mut is_alternative = false;
        for token in tokens(text) {
            match token.text.as_str() {
                "OR" | "||" if !token.is_quoted => {
                    is_alternative = !query.required.is_empty();
                    continue;
                }
                "AND" | "&&" if !token.is_quoted => continue,
                _ => {}
            }
            let sense = if token.is_excluded {
                FilterSense::DoesNot
            } else {
                FilterSense::Holds
            };
            if let Some(filter) = filter(&token) {
                query.filters.push((sense, filter));
                continue;
            }
            let Some(term) = term(&token) else { continue };
            if token.is_excluded {
                query.excluded.push(term);
            } else if is_alternative && let Some(last) = query.required.last_mut() {
                last.push(term);
            } else {
                query.required.push(vec![term]);
            }
            is_alternative = false;
        }
        query
    }
}

/// A token of a query, such as `-key:"text"`.
struct Token {
    text: String,
    is_quoted: bool,
    is_excluded: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let bare = rest
            .strip_prefix(['-', '!'])
            .filter(|bare| !bare.is_empty());
        let is_excluded = bare.is_some();
        let body = bare.unwrap_or(rest);
        let mut is_open = false;
        let end = body.find(|letter: char| {
            is_open ^= letter == '"';
            letter.is_whitespace() && !is_open
        });
        let (whole, after) = body.split_at(end.unwrap_or(body.len()));
        tokens.push(Token {
            text: whole.to_owned(),
            is_quoted: whole.starts_with('"'),
            is_excluded,
        });
        rest = after.trim_start();
    }
    tokens
}

fn filter(token: &Token) -> Option<Filter> {
    let (keyword, value) = token.text.split_once(':').filter(|_| !token.is_quoted)?;
    let value = value.trim_matches('"');
    match keyword.to_ascii_lowercase().as_str() {
        "filetype" => Some(Filter::FileType(value.to_ascii_lowercase())),
        "intitle" => Some(Filter::Title(name_folding::words(value))),
        "incategory" => Some(Filter::Category(
            value.split('|').map(name_folding::folded).collect(),
        )),
        "haswbstatement" => Some(Filter::Statement(
            value
                .split('|')
                .map(|statement| match statement.split_once('=') {
                    Some((property, item)) => (property.to_owned(), Some(item.to_owned())),
                    None => (statement.to_owned(), None),
                })
                .collect(),
        )),
        _ => None,
    }
}

fn term(token: &Token) -> Option<Term> {
    let text = token.text.trim_matches('"');
    let words = name_folding::words(text);
    (!words.is_empty()).then(|| Term {
        words,
        is_beginning: text.ends_with('*'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, required: &[&[&str]], excluded: &[&str], filters: usize) {
        let query = CirrusQuery::parse(text);
        let plain = |term: &Term| {
            let star = if term.is_beginning { "*" } else { "" };
            term.words.join(" ") + star
        };
        let groups: Vec<Vec<String>> = query
            .required
            .iter()
            .map(|group| group.iter().map(plain).collect())
            .collect();
        assert_eq!(groups, required, "{text}");
        let out: Vec<String> = query.excluded.iter().map(plain).collect();
        assert_eq!(out, excluded, "{text}");
        assert_eq!(query.filters.len(), filters, "{text}");
    }

    #[test]
    fn words_phrases_and_alternatives_are_told_apart() {
        check("Emma Jane", &[&["emma"], &["jane"]], &[], 0);
        check(
            "\"Emma Woodhouse\" gala",
            &[&["emma woodhouse"], &["gala"]],
            &[],
            0,
        );
        check(
            "\"Emma W\" OR \"Jane F\" OR Tom",
            &[&["emma w", "jane f", "tom"]],
            &[],
            0,
        );
        check("gala Emma OR Jane", &[&["gala"], &["emma", "jane"]], &[], 0);
        check("Emma -Jane !\"Tom T\"", &[&["emma"]], &["jane", "tom t"], 0);
        check("Emm*", &[&["emm*"]], &[], 0);
        check("OR Emma", &[&["emma"]], &[], 0);
        check("Emma AND Jane", &[&["emma"], &["jane"]], &[], 0);
        check("\"unclosed phrase", &[&["unclosed phrase"]], &[], 0);
        check("or and", &[&["or"], &["and"]], &[], 0);
        check("", &[], &[], 0);
        check("- ! \"\"", &[], &[], 0);
    }

    #[test]
    fn filters_are_no_words() {
        check("filetype:bitmap Emma", &[&["emma"]], &[], 1);
        check("haswbstatement:P180=Q1 haswbstatement:P180=Q2", &[], &[], 2);
        check("-incategory:\"Group photographs\"", &[], &[], 1);
        check("colour:red", &[&["colour red"]], &[], 0);
        let query = CirrusQuery::parse("haswbstatement:P180=Q1|P180=Q2|P180");
        let statement = |item: Option<&str>| ("P180".to_owned(), item.map(str::to_owned));
        assert_eq!(
            query.filters,
            [(
                FilterSense::Holds,
                Filter::Statement(vec![
                    statement(Some("Q1")),
                    statement(Some("Q2")),
                    statement(None)
                ])
            )]
        );
    }
}

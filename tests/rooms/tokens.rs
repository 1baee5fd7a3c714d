//! Rust source as tokens: words, literals and marks, without comments and without what strings say.

/// One token and the line that it stands on, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

impl Token<'_> {
    /// Whether it is a name or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(is_word_start)
    }
}

/// What stands for any string and for any character, whatever they say.
const STRING: &str = "\"\"";
const CHARACTER: &str = "''";
const MARKS: [&str; 7] = ["::", "==", "=>", "!=", "<=", ">=", "->"];

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tokens of a source file in order.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (text, length) = next_token(rest, first);
        if let Some(text) = text {
            tokens.push(Token { text, line });
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The token that a text begins with, if it is one, and how many bytes it takes.
fn next_token(rest: &str, first: char) -> (Option<&str>, usize) {
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, comment_length(rest));
    }
    if let Some(length) = string_length(rest) {
        return (Some(STRING), length);
    }
    if let Some(name) = rest.strip_prefix("r#") {
        let length = word_length(name);
        return (Some(&name[..length]), length + 2);
    }
    if first == '\'' || rest.starts_with("b'") {
        return character(rest);
    }
    if is_word_part(first) {
        let length = word_length(rest);
        return (Some(&rest[..length]), length);
    }
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
    let length = mark.map_or(first.len_utf8(), |mark| mark.len());
    (Some(&rest[..length]), length)
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word_part(c)).unwrap_or(text.len())
}

/// Comments nest.
fn comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The bytes of the string that a text begins with: plain, of bytes or raw.
fn string_length(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""]
        .into_iter()
        .find(|prefix| rest.starts_with(prefix))?;
    let after = &rest[prefix.len()..];
    let hashes = if prefix.ends_with('r') {
        after.len() - after.trim_start_matches('#').len()
    } else {
        0
    };
    let text = after[hashes..].strip_prefix('"')?;
    let length = if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        text.find(&end).map_or(text.len(), |at| at + end.len())
    } else {
        escaped_length(text, '"')
    };
    Some(prefix.len() + hashes + 1 + length)
}

/// The bytes up to and with a closing mark, where a backslash hides what follows it.
fn escaped_length(text: &str, close: char) -> usize {
    let mut is_hidden = false;
    for (at, c) in text.char_indices() {
        if !is_hidden && c == close {
            return at + c.len_utf8();
        }
        is_hidden = !is_hidden && c == '\\';
    }
    text.len()
}

/// A character, or a lifetime, which says nothing here.
fn character(rest: &str) -> (Option<&'static str>, usize) {
    let prefix = usize::from(rest.starts_with('b')) + 1;
    let text = &rest[prefix..];
    let mut chars = text.chars();
    let is_character = chars.next() == Some('\\') || chars.next() == Some('\'');
    if is_character {
        let length = escaped_length(text, '\'');
        return (Some(CHARACTER), prefix + length);
    }
    (None, prefix + word_length(text))
}

#[test]
fn comments_and_what_strings_say_are_left_out() {
    let source =
        "a /* b /* c */ d */ \"e \\\" f\" // g\n r#\"h \" i\"# 'j' b'\\'' &'k l r#type x::Y";
    let texts: Vec<(&str, usize)> = tokens(source)
        .iter()
        .map(|token| (token.text, token.line))
        .collect();
    let expected = [
        ("a", 1),
        (STRING, 1),
        (STRING, 2),
        (CHARACTER, 2),
        (CHARACTER, 2),
        ("&", 2),
        ("l", 2),
        ("type", 2),
        ("x", 2),
        ("::", 2),
        ("Y", 2),
    ];
    assert_eq!(texts, expected);
}

//! Selectors as the page's script computes them: a tag, classes, attributes.

/// The longest selector that is read, in bytes; the rest is left out.
const SELECTOR_BYTES_MAX: usize = 4_000;
/// The most classes, and the most attributes, that are read.
const PARTS_MAX: usize = 64;

/// A selector, taken apart: the last element of it that is written, without what stands above it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Selector {
    /// The tag, in lower case; empty where any will do.
    pub(super) tag: String,
    /// The classes, in order.
    pub(super) classes: Vec<String>,
    /// The attributes with their values, in order.
    pub(super) attributes: Vec<(String, String)>,
}

impl Selector {
    /// Takes a selector apart. What is no tag, class, id or attribute is passed over.
    pub(super) fn read(selector: &str) -> Self {
        let mut this = Self::default();
        let mut letters = selector
            .char_indices()
            .take_while(|(at, _)| *at < SELECTOR_BYTES_MAX)
            .map(|(_, letter)| letter)
            .peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '.' => add(&mut this.classes, word(&mut letters)),
                '#' => {
                    let id = word(&mut letters);
                    add(&mut this.attributes, ("id".to_owned(), id));
                }
                '[' => add(&mut this.attributes, attribute(&mut letters)),
                ':' => pass_over(&mut letters),
                ' ' | '>' | '+' | '~' | ',' => this = Self::default(),
                _ if is_of_word(letter) => {
                    this.tag = letter.to_ascii_lowercase().to_string();
                    this.tag.push_str(&word(&mut letters).to_ascii_lowercase());
                }
                _ => {}
            }
        }
        this
    }

    /// Returns the value of an attribute, or an empty one where it has none.
    pub(super) fn attribute(&self, name: &str) -> &str {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

fn add<T>(list: &mut Vec<T>, part: T) {
    if list.len() < PARTS_MAX {
        list.push(part);
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '*')
}

type Letters<'rest, I> = std::iter::Peekable<I>;

/// Takes a name, in which a backslash makes any letter one of it.
fn word<I: Iterator<Item = char>>(letters: &mut Letters<'_, I>) -> String {
    let mut word = String::new();
    while let Some(letter) = letters.next_if(|next| is_of_word(*next) || *next == '\\') {
        word.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    word
}

/// Takes `name="value"]`, behind its bracket. A value without quotes ends with the bracket.
fn attribute<I: Iterator<Item = char>>(letters: &mut Letters<'_, I>) -> (String, String) {
    let (mut name, mut value, mut quote) = (String::new(), String::new(), None);
    let mut is_value = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if is_value => value.extend(letters.next()),
            _ if quote == Some(letter) => quote = None,
            '"' | '\'' if is_value && quote.is_none() && value.is_empty() => quote = Some(letter),
            ']' if quote.is_none() => break,
            '=' if !is_value => is_value = true,
            _ if is_value => value.push(letter),
            // The sign of an operator: the value is only a part of the attribute's.
            '*' | '^' | '$' | '~' | '|' => {}
            _ => name.push(letter.to_ascii_lowercase()),
        }
    }
    (name, value)
}

/// Passes over a pseudo-class with its argument.
fn pass_over<I: Iterator<Item = char>>(letters: &mut Letters<'_, I>) {
    while letters
        .next_if(|next| is_of_word(*next) || *next == ':')
        .is_some()
    {}
    if letters.next_if_eq(&'(').is_none() {
        return;
    }
    let mut depth = 1u32;
    while depth > 0 {
        match letters.next() {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some(_) => {}
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_taken_apart() {
        for (source, tag, classes, attributes) in [
            ("a", "a", vec![], vec![]),
            ("INPUT.b.c-d", "input", vec!["b", "c-d"], vec![]),
            (
                "input.b[id=\"x\"][aria-label*=\"say \\\"yes]\\\"\"]",
                "input",
                vec!["b"],
                vec![("id", "x"), ("aria-label", "say \"yes]\"")],
            ),
            ("#go", "", vec![], vec![("id", "go")]),
            ("div > ul.x li:nth-of-type(2).y", "li", vec!["y"], vec![]),
            (
                "a[href='/b c'][disabled]",
                "a",
                vec![],
                vec![("href", "/b c"), ("disabled", "")],
            ),
            (".md\\:flex", "", vec!["md:flex"], vec![]),
            ("", "", vec![], vec![]),
            ("a[x", "a", vec![], vec![("x", "")]),
            ("a:not((", "a", vec![], vec![]),
        ] {
            let read = Selector::read(source);
            assert_eq!(read.tag, tag, "{source}");
            assert_eq!(read.classes, classes, "{source}");
            let attributes = attributes.iter();
            let attributes: Vec<_> = attributes
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            assert_eq!(read.attributes, attributes, "{source}");
        }
    }
}

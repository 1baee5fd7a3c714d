//! Finds the part of a page that is most similar to a missing one. Elements are compared by their texts and by the
//! parts of their selectors.

use domain::page::PageView;

use super::Gone;

/// The most parts of a page that are compared with the missing one.
const CANDIDATES_MAX: usize = 4_000;
/// The similarity of identical elements.
const LIKENESS_MAX: u32 = 1_000;
/// The weights of the attributes by which people and programs identify an element.
const WEIGHTS: [(&str, u32); 12] = [
    ("id", 30),
    ("data-testid", 30),
    ("data-id", 30),
    ("data-qa", 30),
    ("data-cy", 30),
    ("name", 25),
    ("aria-label", 25),
    ("placeholder", 20),
    ("type", 15),
    ("role", 15),
    ("href", 15),
    ("title", 15),
];
const OTHER_WEIGHT: u32 = 6;
const TEXT_WEIGHT: u32 = 25;
const TAG_WEIGHT: u32 = 12;
const CLASSES_WEIGHT: u32 = 12;
/// The most words of a text that are compared.
const WORDS_MAX: usize = 30;
/// The longest part of a selector that is parsed, in bytes; the rest is ignored.
const SELECTOR_BYTES_MAX: usize = 4_000;
/// The most classes, and the most attributes, that are parsed of a selector.
const PARTS_MAX: usize = 64;

/// The part of a page nearest to a missing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The selector of the part, as the page's script computes it.
    pub selector: String,
    /// The visible text of the part.
    pub text: String,
    /// The similarity to the missing part, in thousandths.
    pub likeness_permille: u32,
}

/// Returns the part of a page that is most similar to a missing one by attributes and text. Returns the first of
/// several equally similar parts, and `None` if no part is similar at all.
#[must_use]
pub fn nearest(gone: &Gone, view: &PageView) -> Option<Nearest> {
    let items = view
        .signals
        .items
        .iter()
        .flatten()
        .map(|item| (&item.selector, &item.text));
    let elements = view
        .elements
        .iter()
        .map(|element| (&element.selector, &element.text));
    let mut best: Option<Nearest> = None;
    for (selector, text) in elements.chain(items).take(CANDIDATES_MAX) {
        let present = Features {
            selector: Selector::read(selector),
            text: text.clone(),
        };
        let likeness_permille = likeness(&gone.features, &present);
        let known = best.as_ref().map_or(0, |best| best.likeness_permille);
        if likeness_permille > known {
            best = Some(Nearest {
                selector: selector.clone(),
                text: text.clone(),
                likeness_permille,
            });
        }
    }
    best
}

/// What is compared of an element: its selector and its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Features {
    pub(super) selector: Selector,
    /// The text; empty if unknown.
    pub(super) text: String,
}

/// A weighted similarity: the sum reached, and the highest possible one.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    alike: u32,
    of: u32,
}

impl Score {
    /// Adds the similarity of one feature, in thousandths, with the feature's weight.
    fn add(&mut self, weight: u32, permille: u32) {
        self.alike = self.alike.saturating_add(weight.saturating_mul(permille));
        self.of = self.of.saturating_add(weight);
    }

    fn likeness(self) -> u32 {
        self.alike.checked_div(self.of).unwrap_or(0)
    }
}

/// Returns the similarity of an element to the missing one, in thousandths.
fn likeness(gone: &Features, present: &Features) -> u32 {
    let mut score = Score::default();
    let (was, is) = (&gone.selector, &present.selector);
    if !was.tag.is_empty() {
        let same = was.tag == is.tag;
        score.add(TAG_WEIGHT, if same { LIKENESS_MAX } else { 0 });
    }
    if !was.classes.is_empty() {
        score.add(CLASSES_WEIGHT, overlap(&was.classes, &is.classes));
    }
    for (name, value) in &was.attributes {
        score.add(weight(name), alike(value, is.attribute(name)));
    }
    if let Some(permille) = texts(gone, present) {
        score.add(TEXT_WEIGHT, permille);
    }
    score.likeness()
}

fn weight(attribute: &str) -> u32 {
    let mut weights = WEIGHTS.iter();
    let found = weights.find(|(name, _)| *name == attribute);
    found.map_or(OTHER_WEIGHT, |(_, weight)| *weight)
}

/// Returns the similarity of the texts by which people identify the elements. If the missing element's text is unknown,
/// its label or a similar attribute is compared with the other element's text instead; `None` if these have nothing in
/// common.
fn texts(gone: &Features, present: &Features) -> Option<u32> {
    if !gone.text.is_empty() {
        let label = present.selector.attribute("aria-label");
        let by_text = alike(&gone.text, &present.text);
        return Some(by_text.max(alike(&gone.text, label)));
    }
    let labels = [
        "aria-label",
        "placeholder",
        "title",
        "alt",
        "name",
        "id",
        "value",
    ]
    .iter()
    .map(|name| gone.selector.attribute(name))
    .filter(|label| !label.is_empty());
    let found = labels.map(|label| alike(label, &present.text)).max();
    found.filter(|permille| *permille > 0)
}

/// Returns the similarity of two texts, in thousandths: full if they are equal, else the share of common words.
fn alike(was: &str, is: &str) -> u32 {
    if was.is_empty() || is.is_empty() {
        // Attributes without a value are equal if both have none, and otherwise have nothing in common.
        return if was == is { LIKENESS_MAX } else { 0 };
    }
    if was == is {
        return LIKENESS_MAX;
    }
    overlap(&words(was), &words(is))
}

fn words(text: &str) -> Vec<String> {
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.take(WORDS_MAX).map(str::to_lowercase).collect()
}

/// Returns the share of the lists' members that both lists have, in thousandths.
fn overlap(was: &[String], is: &[String]) -> u32 {
    let both = was.iter().filter(|member| is.contains(member)).count();
    let all = was.len().saturating_add(is.len()).saturating_sub(both);
    let share = both.saturating_mul(1_000).checked_div(all).unwrap_or(0);
    u32::try_from(share)
        .unwrap_or(LIKENESS_MAX)
        .min(LIKENESS_MAX)
}

/// The last compound selector of a selector, which describes the element itself without its ancestors, in the form that
/// the page's script computes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Selector {
    /// The tag in lower case; empty for any.
    pub(super) tag: String,
    /// The names of the classes, in the order of the selector.
    pub(super) classes: Vec<String>,
    /// The attributes with their values, in order.
    pub(super) attributes: Vec<(String, String)>,
}

impl Selector {
    /// Parses a selector. Skips everything but tags, classes, ids and attributes.
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

    /// Returns the value of an attribute, empty if absent.
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

/// Parses a name, in which a backslash makes the next character part of the name.
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

/// Parses `name="value"]`, after the opening bracket. An unquoted value ends at the closing bracket.
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
            // The sign of an operator such as `*=` belongs neither to the name nor to the value.
            '*' | '^' | '$' | '~' | '|' => {}
            _ => name.push(letter.to_ascii_lowercase()),
        }
    }
    (name, value)
}

/// Skips a pseudo-class and its argument, which are not compared.
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

//! How alike two elements are, by their attributes and texts.

use super::selector::Selector;

/// The likeness of an element with itself.
pub(super) const LIKENESS_MAX: u32 = 1_000;

/// The weights of what people and programs know an element by.
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

/// An element as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Features {
    pub(super) selector: Selector,
    /// The text; empty where nobody knows it.
    pub(super) text: String,
}

/// The parts of a likeness: what is alike, of what could be.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    alike: u32,
    of: u32,
}

impl Score {
    /// Adds a part of this weight, alike by so many thousandths.
    fn add(&mut self, weight: u32, permille: u32) {
        self.alike = self.alike.saturating_add(weight.saturating_mul(permille));
        self.of = self.of.saturating_add(weight);
    }

    fn likeness(self) -> u32 {
        self.alike.checked_div(self.of).unwrap_or(0)
    }
}

/// Returns how alike an element is to one that is gone, in thousandths.
pub(super) fn likeness(gone: &Features, present: &Features) -> u32 {
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

/// Returns how alike the words are by which people know the elements. Where nobody knows the text of the
/// one that is gone, its label and the like stand for it, and count only where they are found.
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
    ];
    let labels = labels.iter().map(|name| gone.selector.attribute(name));
    let labels = labels.filter(|label| !label.is_empty());
    let found = labels.map(|label| alike(label, &present.text)).max();
    found.filter(|permille| *permille > 0)
}

/// Returns how alike two texts are: all, or the share of their words that both have.
fn alike(was: &str, is: &str) -> u32 {
    if was.is_empty() || is.is_empty() {
        // An attribute without a value is there or not.
        return if was == is { LIKENESS_MAX } else { 0 };
    }
    if was == is {
        return LIKENESS_MAX;
    }
    overlap(&words(was), &words(is))
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.take(WORDS_MAX).map(str::to_lowercase).collect()
}

/// Returns the share of the members of both lists that are in both, in thousandths.
fn overlap(was: &[String], is: &[String]) -> u32 {
    let both = was.iter().filter(|member| is.contains(member)).count();
    let all = was.len().saturating_add(is.len()).saturating_sub(both);
    let share = both.saturating_mul(1_000).checked_div(all).unwrap_or(0);
    u32::try_from(share)
        .unwrap_or(LIKENESS_MAX)
        .min(LIKENESS_MAX)
}

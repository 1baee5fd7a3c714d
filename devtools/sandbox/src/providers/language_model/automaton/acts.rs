//! The acts that the sentences of a prompt request, in order.

use crate::providers::language_model::instructions::{Instruction, instructions};

/// One thing to do on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Click an element with this text. The sentence may demand a link; otherwise a button is preferred.
    Click {
        text: String,
        is_link: bool,
    },
    /// Click the element that this sentence mentions without quotes.
    ClickNamed(String),
    /// Type a text into a field; `None` stands for the only field.
    Type(String, Option<String>),
    Press(String),
    Open(String),
    Scroll(&'static str),
    Wait(u64),
}

/// The names of keys. A sentence that presses anything else means a button.
const KEYS: [&str; 11] = [
    "Enter",
    "Tab",
    "Escape",
    "Space",
    "Backspace",
    "Delete",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "PageDown",
];
/// Verbs at the start of a sentence, each with the verb that replaces it.
const VERBS: [(&str, &str); 7] = [
    ("Choose ", "Click "),
    ("Select ", "Click "),
    ("Tap ", "Click "),
    ("Push ", "Click "),
    ("Enter ", "Type "),
    ("Fill in ", "Type "),
    ("Write ", "Type "),
];

/// Returns the acts of all sentences, in order.
pub(super) fn acts(sentences: &[String]) -> Vec<Act> {
    sentences.iter().flat_map(|one| of_sentence(one)).collect()
}

fn of_sentence(sentence: &str) -> Vec<Act> {
    let sentence = sentence.trim();
    let sentence = VERBS
        .iter()
        .find_map(|(verb, usual)| Some(format!("{usual}{}", sentence.strip_prefix(verb)?)))
        .unwrap_or_else(|| sentence.to_owned());
    let found = instructions(&with_quoted_parameters(&sentence));
    let small = sentence.to_lowercase();
    let says = |word: &str| {
        small
            .split(|c: char| !c.is_alphanumeric())
            .any(|one| one == word)
    };
    let is_link = says("link");
    let found = found
        .into_iter()
        .filter_map(|instruction| of_instruction(instruction, is_link));
    let found: Vec<_> = found.collect();
    if !found.is_empty() {
        return found;
    }
    if ["not", "never", "terminate", "nothing", "done", "read"]
        .into_iter()
        .any(says)
    {
        return Vec::new();
    }
    let address = sentence
        .split_whitespace()
        .find(|word| word.starts_with("http"));
    if let Some(address) = address {
        return vec![Act::Open(address.trim_end_matches(['.', ',']).to_owned())];
    }
    if says("scroll") {
        return vec![Act::Scroll(if says("up") { "up" } else { "down" })];
    }
    if says("wait") {
        let mut numbers = small.split(' ').filter_map(|word| word.parse().ok());
        return vec![Act::Wait(numbers.next().unwrap_or(1))];
    }
    vec![Act::ClickNamed(sentence)]
}

fn of_instruction(instruction: Instruction, is_link: bool) -> Option<Act> {
    Some(match instruction {
        Instruction::Type(text, field) => Act::Type(text, field),
        Instruction::Press(key) if KEYS.contains(&key.as_str()) => Act::Press(key),
        Instruction::Click(text) | Instruction::Press(text) => Act::Click { text, is_link },
        Instruction::Read(_) | Instruction::Look => return None,
    })
}

/// Returns the sentence with quotes around its unquoted parameters, which look like `%NAME%`.
fn with_quoted_parameters(sentence: &str) -> String {
    let sentence = sentence.replace("parameters['", "\"%").replace("']", "%\"");
    let mut out = String::new();
    for (number, part) in sentence.split('%').enumerate() {
        let is_name = number % 2 == 1 && !part.is_empty() && part.chars().all(is_of_name);
        if is_name {
            let has_quotes = out.ends_with('"');
            let quote = if has_quotes { "" } else { "\"" };
            for piece in [quote, "%", part, "%", quote] {
                out.push_str(piece);
            }
        } else {
            out.push_str(part);
        }
    }
    out
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expect: &[Act]) {
        assert_eq!(acts(&[sentence.to_owned()]), expect, "{sentence}");
    }

    #[test]
    fn sentences_are_read_as_people_write_them() {
        let clicked = |text: &str, is_link| Act::Click {
            text: text.to_owned(),
            is_link,
        };
        let click = |text: &str| clicked(text, false);
        let typed = |text: &str, field: &str| Act::Type(text.to_owned(), Some(field.to_owned()));
        check("Click \"Log in\".", &[click("Log in")]);
        check("Choose \"Log in\".", &[click("Log in")]);
        check("Press \"Log in\"", &[click("Log in")]);
        check("Click the link \"Log in\".", &[clicked("Log in", true)]);
        check("Press \"Enter\"", &[Act::Press("Enter".to_owned())]);
        for sentence in [
            "Type %PASSWORD% into \"Password\"",
            "Enter \"%PASSWORD%\" into \"Password\"",
            "Fill in parameters['PASSWORD'] into \"Password\"",
        ] {
            check(sentence, &[typed("%PASSWORD%", "Password")]);
        }
        check(
            "Type \"tea cup\" into \"Search for\", then click \"Search\"",
            &[typed("tea cup", "Search for"), click("Search")],
        );
        check(
            "Open http://127.0.0.1:1/x.",
            &[Act::Open("http://127.0.0.1:1/x".to_owned())],
        );
        check("Scroll up a little", &[Act::Scroll("up")]);
        check("Wait 3 seconds", &[Act::Wait(3)]);
        check(
            "Accept all cookies",
            &[Act::ClickNamed("Accept all cookies".to_owned())],
        );
        check("Do not click anything", &[]);
        check("Nothing is done", &[]);
    }
}

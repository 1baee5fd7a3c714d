//! Suggests who may be meant by a typed name, out of Wikidata.

use crate::domain::Failure;
use crate::providers::wikidata::{self, PersonSuggestion, WikidataSettings};

use super::ask_once::ask_once;
use super::effects::Network;
use super::request::Problem;

/// How long Wikidata may take for each of its two answers, in milliseconds.
const ANSWER_MS_MAX: u64 = 4_000;
/// The shortest text that is looked for: one letter names everybody.
const TEXT_CHARS_MIN: usize = 2;
/// The longest one.
const TEXT_CHARS_MAX: usize = 100;

/// The text of `?q=`, if it can be looked for. A space at its end says that its last word is whole.
pub fn people_text(typed: Option<&str>) -> Result<String, Problem> {
    let typed = typed.unwrap_or_default();
    let mut text = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let has_length = (TEXT_CHARS_MIN..=TEXT_CHARS_MAX).contains(&text.chars().count());
    let is_name = text.chars().any(char::is_alphanumeric) && !text.chars().any(char::is_control);
    if has_length && is_name {
        if typed.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        return Ok(text);
    }
    let what = format!("must be a name of {TEXT_CHARS_MIN} to {TEXT_CHARS_MAX} characters");
    Err(Problem::field("q", what))
}

/// The people whom a text may name, the likeliest first.
pub async fn suggest_people<N: Network>(
    network: &N,
    settings: &WikidataSettings,
    text: &str,
) -> Result<Vec<PersonSuggestion>, Failure> {
    let request = wikidata::search_request(settings, text);
    let found = ask_once(network, ANSWER_MS_MAX, request).await?;
    let numbers = wikidata::read_numbers(&found)?;
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let request = wikidata::entities_request(settings, &numbers);
    let named = ask_once(network, ANSWER_MS_MAX, request).await?;
    wikidata::read_people(text, &numbers, &named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_name_of_bearable_length() {
        assert_eq!(people_text(Some("  The   Roc")).unwrap(), "The Roc");
        assert_eq!(people_text(Some("The Rock  ")).unwrap(), "The Rock ");
        for wrong in [
            None,
            Some(""),
            Some(" x "),
            Some("a\u{0}b"),
            Some("--"),
            Some(&*"x".repeat(101)),
        ] {
            assert_eq!(people_text(wrong).unwrap_err().status(), 400, "{wrong:?}");
        }
    }
}

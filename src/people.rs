//! Suggests, from Wikidata, the people whom a typed name may mean.

use std::cell::Cell;

use domain::Failure;
use engine::Problem;
use engine::values::is_letter_or_digit;
use platform::Network;
use providers::calls::ask_once;
use providers::wikidata::{self, PersonSuggestion, WikidataSettings};

/// The longest wait for each of the two answers from Wikidata, in milliseconds.
const ANSWER_MS_MAX: u64 = 4_000;
/// The shortest text that is searched, in characters. A single letter would match everybody.
const TEXT_CHARS_MIN: usize = 2;
/// The longest text that is searched, in characters.
const TEXT_CHARS_MAX: usize = 100;

/// The size of a burst of suggestions, for a user who types letter by letter, and the interval in milliseconds after
/// which one more is allowed. Together they allow 99 in any minute: Wikimedia answers 200 requests a minute to
/// identified clients, and each suggestion takes two.
const SUGGESTIONS_AT_ONCE: u64 = 10;
const INTERVAL_MS: u64 = 667;
/// The longest wait for a turn, in milliseconds. A suggestion that would wait longer is refused.
const TURN_WAIT_MS_MAX: u64 = 2_000;

/// The rate limit that all suggestions share.
#[derive(Debug, Default)]
pub struct SuggestionPace {
    /// The time at which the first turn that nobody has taken is due, in milliseconds since 1970.
    next_ms: Cell<u64>,
}

impl SuggestionPace {
    /// Takes the next turn and returns the wait for it, in milliseconds. Returns `None` if the wait is too long.
    #[must_use]
    pub fn take_turn(&self, now_ms: u64) -> Option<u64> {
        let earliest_ms = now_ms.saturating_sub((SUGGESTIONS_AT_ONCE - 1) * INTERVAL_MS);
        let turn_ms = self.next_ms.get().max(earliest_ms);
        let wait_ms = turn_ms.saturating_sub(now_ms);
        if wait_ms > TURN_WAIT_MS_MAX {
            return None;
        }
        self.next_ms.set(turn_ms.saturating_add(INTERVAL_MS));
        Some(wait_ms)
    }
}

/// Returns the text typed in `field` if it can be searched. A trailing space means that the last word is complete.
pub fn people_text(field: &str, typed: Option<&str>) -> Result<String, Problem> {
    let typed = typed.unwrap_or_default();
    let is_short = typed.chars().count() <= TEXT_CHARS_MAX;
    // No more words need to be read, because a text with this many words exceeds the limit on characters anyway.
    let words = typed.split_whitespace().take(TEXT_CHARS_MAX + 1);
    let mut text = words.collect::<Vec<_>>().join(" ");
    let has_length = is_short && text.chars().count() >= TEXT_CHARS_MIN;
    let is_name = text.chars().any(is_letter_or_digit) && !typed.chars().any(char::is_control);
    if has_length && is_name {
        if typed.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        return Ok(text);
    }
    let what = format!("must be a name of {TEXT_CHARS_MIN} to {TEXT_CHARS_MAX} characters");
    Err(Problem::field(field, what))
}

/// Returns the people whom a text may name, the most likely first.
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
        let people_text = |typed| people_text("name", typed);
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
            let problem = people_text(wrong).unwrap_err();
            assert_eq!(problem.status(), 400, "{wrong:?}");
            assert_eq!(problem.named_field(), Some("name"));
        }
    }

    #[test]
    fn who_types_slowly_is_never_sent_away() {
        let pace = SuggestionPace::default();
        for letter in 0..22 {
            let wait_ms = pace.take_turn(1_000_000 + letter * 300);
            assert!(wait_ms.is_some(), "letter {letter}");
            assert!(letter >= 10 || wait_ms == Some(0), "letter {letter}");
        }
    }

    #[test]
    fn no_minute_has_more_than_wikimedia_allows() {
        let pace = SuggestionPace::default();
        let moments = (1_000_000..1_200_000).step_by(50);
        let turns: Vec<u64> = moments
            .filter_map(|now_ms| Some(now_ms + pace.take_turn(now_ms)?))
            .collect();
        for start in &turns {
            let minute = *start..start + 60_000;
            assert!(turns.iter().filter(|turn| minute.contains(turn)).count() < 100);
        }
        assert!(turns.len() > 290, "{}", turns.len());
    }
}

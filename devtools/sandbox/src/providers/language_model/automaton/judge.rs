//! The judge chooses the prompt that fits a page, and the triggers that identify the page.

use std::collections::BTreeSet;

use serde_json::json;

use crate::providers::language_model::instructions::quoted;

use super::meaning::{common, words};
use super::question::{Offer, PromptQuestion, TriggerQuestion};

/// The points of a prompt for each of its quoted texts that the page shows.
const QUOTED: i64 = 20;
/// The most triggers in the first choice; after a refusal the judge chooses one more.
const TRIGGERS: usize = 2;

/// Returns the number of the prompt that has most in common with the page, or 0 if none has anything.
pub(super) fn prompt(question: &PromptQuestion) -> String {
    let wordings: Vec<_> = question
        .prompts
        .iter()
        .map(|prompt| words(prompt))
        .collect();
    let is_in_all =
        |word: &String| wordings.len() > 1 && wordings.iter().all(|wording| wording.contains(word));
    let title = words(&question.title);
    let shown: BTreeSet<String> = question.texts.iter().flat_map(|text| words(text)).collect();
    let texts: BTreeSet<String> = question.texts.iter().map(|text| common(text)).collect();
    let points = question
        .prompts
        .iter()
        .zip(&wordings)
        .map(|(prompt, wording)| {
            let telling = wording.iter().filter(|word| !is_in_all(word));
            let shared: i64 = telling
                .map(|word| i64::from(shown.contains(word)) + 2 * i64::from(title.contains(word)))
                .sum();
            let quotes = quoted(prompt);
            let quotes = quotes.iter().map(|quote| {
                let is_shown = texts.contains(&common(quote));
                if is_shown { QUOTED } else { -QUOTED }
            });
            let (name, _) = prompt.split_once(':').unwrap_or((prompt, ""));
            let is_new = !question.history.iter().any(|done| done == name);
            (shared + quotes.sum::<i64>(), is_new)
        });
    let points = points.enumerate();
    let best = points
        .filter(|(_, (points, _))| *points > 0)
        .max_by_key(|(at, (points, is_new))| (*points, *is_new, std::cmp::Reverse(*at)));
    json!({"prompt": best.map_or(0, |(at, _)| at + 1)}).to_string()
}

/// Returns the numbers of the most relevant triggers that hold on no other page.
pub(super) fn triggers(question: &TriggerQuestion) -> String {
    let about = words(&question.about);
    let quotes: Vec<String> = quoted(&question.about)
        .iter()
        .map(|quote| common(quote))
        .collect();
    let mut offers: Vec<_> = question
        .offers
        .iter()
        .map(|offer| (points(offer, &about, &quotes), offer))
        .collect();
    offers.sort_by_key(|(points, offer)| (std::cmp::Reverse(*points), offer.number));
    let wanted = TRIGGERS + usize::from(question.is_again);
    let mut chosen: Vec<u64> = offers
        .iter()
        .filter(|(points, _)| *points > 0)
        .take(wanted)
        .map(|(_, offer)| offer.number)
        .collect();
    if chosen.is_empty() {
        chosen.extend(offers.first().map(|(_, offer)| offer.number));
    }
    chosen.sort_unstable();
    json!({"triggers": chosen}).to_string()
}

fn points(offer: &Offer, about: &BTreeSet<String>, quotes: &[String]) -> i64 {
    let own = words(&offer.value);
    let shared = i64::try_from(own.intersection(about).count()).unwrap_or(0);
    let has_digits = offer.value.bytes().any(|byte| byte.is_ascii_digit());
    let points = match offer.kind.as_str() {
        "text" => {
            let is_quoted = quotes.contains(&common(&offer.value));
            let is_long = offer.value.chars().count() > 60;
            10 * shared + QUOTED * i64::from(is_quoted)
                - 15 * i64::from(has_digits)
                - 5 * i64::from(is_long)
        }
        // Selectors get fewer points, because a new version of a site changes them first.
        "element" => 4 * shared - i64::from(!offer.value.contains(['.', '[', '#'])) * 10,
        _ if has_number(&offer.value) || offer.value.contains('?') => 0,
        _ => 3,
    };
    points - 100 * i64::from(offer.is_elsewhere)
}

/// Returns whether an address has a numeric segment. Such an address does not match the next page of its kind.
fn has_number(address: &str) -> bool {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let mut segments = path.split('/').skip(1);
    segments.any(|segment| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()))
}

//! The longest texts and lists, the characters of a name, and the enumerations in what is sent.

use std::collections::BTreeSet;

use domain::{CollageCheck, FailureKind, NAME_CHARS_MAX, Unjudged, Veto};
use engine::Absence;
use investigation::machine::{ErrorCode, Reason};
use investigation::requests::RunRequest;
use serde_json::{Value, json};
use settings::{Bindings, Caps, Settings};
use unicode_normalization::char::is_combining_mark;
use visual_degrees::auth::check_start_headers;
use visual_degrees::engines::EngineName;
use visual_degrees::sealed::{ReplayLimits, SEALED_VERSION};

use super::{description, schema};

fn is_name(text: &str) -> bool {
    are_names(text, "Somebody else")
}

fn are_names(text: &str, other: &str) -> bool {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("a", text), ("b", other)])
        .finish();
    RunRequest::from_query(&query, &Caps::default()).is_ok()
}

/// Parses a character class like `\u0000-\u001fⒶ-ⓩ`.
fn class(text: &str) -> BTreeSet<char> {
    let mut characters: Vec<char> = Vec::new();
    let mut ranges = Vec::new();
    let mut rest = text.chars();
    while let Some(first) = rest.next() {
        let character = match first {
            '\\' => {
                assert_eq!(rest.next(), Some('u'), "in {text}");
                let digits: String = rest.by_ref().take(4).collect();
                char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
            }
            '-' => {
                ranges.push(characters.len());
                continue;
            }
            other => other,
        };
        characters.push(character);
    }
    let mut all: BTreeSet<char> = characters.iter().copied().collect();
    for end in ranges {
        all.extend(characters[end - 1]..=characters[end]);
    }
    all
}

/// Returns the classes of a name's pattern: forbidden characters, ignored letters, counted letters.
fn classes() -> [BTreeSet<char>; 3] {
    let schema = schema("Name");
    let pattern = schema["pattern"].as_str().unwrap();
    let (never, rest) = pattern
        .strip_prefix("^[^")
        .and_then(|rest| rest.split_once("]*(?!["))
        .unwrap();
    let (not, rest) = rest.split_once("])[\\p{L}\\p{N}").unwrap();
    let (beside, rest) = rest.split_once(']').unwrap();
    assert_eq!(rest, format!("[^{never}]*$"));
    [never, not, beside].map(class)
}

#[test]
fn a_name_has_no_character_that_is_refused_and_any_other() {
    let [never, ..] = classes();
    for character in &never {
        assert!(!is_name(&format!("Ann{character}Lee")), "{character:?}");
    }
    let others = ('\0'..=char::MAX).filter(|character| !never.contains(character));
    let others: Vec<char> = others.collect();
    // Two at a time, since there are a million.
    for pair in others.chunks(2) {
        let [first, second] = [pair[0], pair[pair.len() - 1]];
        let names = [format!("Ann{first}Lee"), format!("Bob{second}Day")];
        assert!(are_names(&names[0], &names[1]), "{names:?}");
    }
}

#[test]
fn a_name_needs_a_letter_or_digit_that_counts() {
    let [_, not, beside] = classes();
    for character in '\0'..=char::MAX {
        // Letters, numbers, and the few symbols that are alphabetic: what `\p{L}`, `\p{N}` and the class beside them
        // cover.
        let is_letter = character.is_alphanumeric() && !is_combining_mark(character);
        let counts = is_letter && !not.contains(&character);
        assert_eq!(is_name(&character.to_string()), counts, "{character:?}");
        assert!(!beside.contains(&character) || counts, "{character:?}");
    }
}

#[test]
fn texts_have_the_longest_lengths_that_are_taken() {
    let longest = |schema: &Value| usize::try_from(schema["maxLength"].as_u64().unwrap()).unwrap();
    assert_eq!(longest(&schema("Name")), NAME_CHARS_MAX);
    let description = description();
    let parameters = &description["components"]["parameters"];
    let key = longest(&parameters["IdempotencyKey"]["schema"]);
    let token = longest(&parameters["TurnstileToken"]["schema"]);
    let text = |length| "x".repeat(length);
    assert!(check_start_headers(Some(&text(key)), Some(&text(token))).is_ok());
    assert!(check_start_headers(Some(&text(key + 1)), None).is_err());
    assert!(check_start_headers(None, Some(&text(token + 1))).is_err());
}

#[test]
fn sealed_files_are_of_the_version_and_size_that_are_taken() {
    for name in ["Sealed", "SealedByAnybody"] {
        let version = &schema(name)["properties"]["version"]["const"];
        assert_eq!(*version, SEALED_VERSION, "{name}");
    }
    let lists = schema("SealedByAnybody")["properties"]["body"]["properties"].take();
    let limits = ReplayLimits::SERVER;
    for (list, count_max) in [
        ("journal", limits.entries_max),
        ("decisions", limits.events_max),
        ("events", limits.events_max),
    ] {
        assert_eq!(lists[list]["maxItems"], count_max, "{list}");
    }
}

/// The most days that the operator can set.
#[test]
fn a_published_chain_stays_for_as_long_as_may_be_set() {
    let days = schema("Health")["properties"]["publish"]["properties"]["days"].take();
    let read = |days: &Value| {
        let days = days.to_string();
        let lookup = |name: &str| (name == "PUBLISH_DAYS").then(|| days.clone());
        Settings::read(lookup, Bindings::default(), &EngineName::variables())
    };
    let is_refused = |settings: &Settings| {
        let wrong = settings.providers.as_ref().unwrap_err();
        wrong.iter().any(|wrong| wrong.starts_with("PUBLISH_DAYS"))
    };
    for allowed in [&days["minimum"], &days["maximum"]] {
        let settings = read(allowed);
        assert_eq!(settings.publish_days, allowed.as_u64().unwrap());
        assert!(!is_refused(&settings));
    }
    let most = days["maximum"].as_u64().unwrap();
    assert!(is_refused(&read(&json!(most + 1))));
}

#[test]
fn reasons_codes_failures_and_vetoes_have_the_names_that_are_sent() {
    let words = |name: &str, member: &str| schema(name)["properties"][member]["enum"].take();
    assert_eq!(
        words("NoPathEvent", "reason"),
        json!(Reason::ALL.map(Reason::as_str))
    );
    assert_eq!(
        words("ErrorEvent", "code"),
        json!(ErrorCode::ALL.map(ErrorCode::as_str))
    );
    assert_eq!(words("Problem", "reason"), json!(Absence::ALL));
    assert_eq!(
        words("StoredFailure", "kind"),
        json!(
            FailureKind::ALL
                .iter()
                .map(|kind| kind.as_str())
                .collect::<Vec<_>>()
        )
    );
    let description = schema("Seen").to_string();
    let vetoes = Veto::ALL.iter().map(|veto| veto.as_str());
    let words: Vec<&str> = vetoes
        .chain([CollageCheck::DOUBTFUL])
        .chain(Unjudged::ALL.iter().map(|why| why.as_str()))
        .collect();
    let vetoes = json!({ "enum": words }).to_string();
    assert!(description.contains(&vetoes), "{vetoes}");
}

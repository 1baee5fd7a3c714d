//! The doctor with the sandbox: a line per provider, and how to fix those that fail.

use devtools::rehearsal::sandbox_settings;
use sandbox::SandboxOptions;
use visual_degrees::doctor::{Diagnosis, diagnose};

use super::sandbox_network::SandboxNetwork;

const ALL: [(&str, &str); 2] = [
    (
        "IMAGE_SEARCH",
        "brave,commons,google,openverse,serpapi,serper",
    ),
    ("PLANNER", "gemini,workers-ai,openai"),
];

/// Returns the doctor's messages with all providers and these settings, and the number of calls.
fn examine(more: &[(&str, &str)], example: Option<&str>) -> (Vec<Diagnosis>, usize) {
    let options = SandboxOptions::default();
    let settings = sandbox_settings(&options, &[&ALL[..], more].concat());
    let network = SandboxNetwork::new(options, "rekognition.xx-none-1.amazonaws.com");
    let example = example.map_or_else(|| network.example(), str::to_owned);
    let providers = settings.providers.unwrap();
    let people = settings.people.as_ref();
    network.answer_at_once(diagnose(&network, &providers, people, &example))
}

#[track_caller]
fn check_of(checks: &[Diagnosis], provider: &str) -> Diagnosis {
    let found = checks.iter().find(|check| check.provider == provider);
    found.unwrap().clone()
}

#[test]
fn every_provider_is_asked_once_and_works() {
    let (checks, asked) = examine(&[], None);
    let failing: Vec<_> = checks.iter().filter(|check| !check.works).collect();
    assert_eq!((checks.len(), asked), (12, 12));
    assert!(failing.is_empty(), "{failing:?}");
    let people = check_of(&checks, "wikidata");
    assert_eq!(
        (people.role, &*people.message),
        ("people", "Wikidata works.")
    );
}

#[test]
fn each_recogniser_of_the_list_is_asked_and_ones_own_says_what_it_has_and_lacks() {
    let (checks, asked) = examine(&[("RECOGNISER", "rekognition,references")], None);
    assert_eq!((checks.len(), asked), (13, 14));
    assert!(check_of(&checks, "rekognition").works);
    let own = check_of(&checks, "references");
    assert!(own.works);
    let says =
        "The recogniser by portraits works. Its model is drawn faces 1. It has the portraits of ";
    assert!(own.message.starts_with(says), "{}", own.message);
    let rest = " people, and 0 people in its gallery; others are fetched when they are asked for.";
    assert!(own.message.ends_with(rest), "{}", own.message);
    let wrong = [("RECOGNISER", "references"), ("REFERENCES_TOKEN", "wrong")];
    let own = check_of(&examine(&wrong, None).0, "references");
    assert!(
        !own.works && own.message.contains("REFERENCES_TOKEN"),
        "{}",
        own.message
    );
}

#[test]
fn wikidata_is_asked_only_where_it_suggests_people() {
    let (checks, asked) = examine(&[("PEOPLE", "none")], None);
    assert_eq!((checks.len(), asked), (11, 11));
}

#[test]
fn a_model_that_another_one_replaces_is_named_with_the_other() {
    for setting in ["GEMINI_MODEL", "VISION_MODEL"] {
        for (model, answers) in [
            ("gemini-2.5-pro", Some("gemini-3.8-flash")),
            ("gemini-2.5-flash", Some("gemini-3.5-flash-lite")),
            ("gemini-2.5-flash-lite", None),
        ] {
            let value = if setting == "VISION_MODEL" {
                format!("gemini/{model}")
            } else {
                model.to_owned()
            };
            let prices = [
                ("PRICE_LLM_IN_USD_PER_MILLION", "1"),
                ("PRICE_LLM_OUT_USD_PER_MILLION", "1"),
            ];
            let (checks, _) = examine(&[&prices[..], &[(setting, &value)]].concat(), None);
            let told = checks.iter().filter(|check| check.message.contains(model));
            let told: Vec<_> = told
                .filter(|check| check.message.contains("2026-12-01"))
                .collect();
            assert_eq!(told.len(), usize::from(answers.is_some()), "{checks:#?}");
            for check in told {
                assert!(
                    check.message.contains(answers.unwrap()),
                    "{}",
                    check.message
                );
            }
        }
    }
}

#[test]
fn a_name_that_nobody_bears_is_told() {
    let (checks, _) = examine(&[], Some("Sherlok Homes"));
    let people = check_of(&checks, "wikidata");
    assert!(people.works);
    assert_eq!(
        people.message,
        "Wikidata answers, but knows nobody named Sherlok Homes."
    );
}

#[test]
fn a_region_without_the_recogniser_is_named() {
    let elsewhere = [("AWS_REGION", "xx-none-1"), ("REKOGNITION_ENDPOINT", "")];
    let (checks, _) = examine(&elsewhere, None);
    let recogniser = check_of(&checks, "rekognition");
    assert!(!recogniser.works);
    assert!(
        recogniser.message.contains("look at AWS_REGION"),
        "{}",
        recogniser.message
    );
}

#[test]
fn a_key_that_is_not_known_is_named_with_all_that_may_be_wrong() {
    let (checks, _) = examine(&[("AWS_ACCESS_KEY_ID", "NOBODY")], None);
    let recogniser = check_of(&checks, "rekognition");
    assert!(!recogniser.works);
    for word in ["AWS_ACCESS_KEY_ID", "activated for Rekognition"] {
        assert!(recogniser.message.contains(word), "{}", recogniser.message);
    }
}

//! Photos that could not be examined prove nothing, and the end says so.

use domain::Plan;
use sandbox::{FaultPlan, SandboxProvider};
use serde_json::{Value, json};

use crate::observed::ObservedRun;

use super::scenario::Scenario;

/// Every way in which photos' hosts refuse or return something unreadable.
const ALL_LOST: [(&str, &str, &str); 6] = [
    ("not-found", "unfetchable", "its host answered HTTP 404"),
    ("forbidden", "unfetchable", "its host answered HTTP 403"),
    ("hang", "unfetchable", "its host is too slow"),
    ("avif", "unreadable", "it is neither JPEG, PNG nor WebP"),
    ("tiny", "unreadable", "it is under 80 pixels a side"),
    (
        "truncated",
        "unreadable",
        "HTTP 400, InvalidImageFormatException",
    ),
];

fn lost(plan: Plan, kind: &str, provider: &str, images_per_search: u32) -> Scenario {
    let scenario = Scenario::new().fault(SandboxProvider::Image, kind);
    let mut scenario = scenario.set("IMAGE_SEARCH", provider);
    scenario.limits.plan = plan;
    scenario.limits.images_per_search = images_per_search;
    scenario
}

fn photos(run: &ObservedRun, what: &str) -> u64 {
    run.last()["spent"]["photos"][what].as_u64().unwrap()
}

#[test]
fn where_every_photo_is_refused_or_unreadable_the_end_says_how_many_and_why() {
    for plan in Plan::ALL {
        for (kind, counter, why) in ALL_LOST {
            for provider in ["google", "commons"] {
                for images in [1, 5] {
                    let run = lost(plan, kind, provider, images).run();
                    let what = format!("{} {kind} {provider} {images}", plan.as_str());
                    assert_eq!(run.ending(), "no_path no_readable_photos", "{what}");
                    assert_eq!(run.last()["unknown"], Value::Null, "{what}");
                    assert_eq!(photos(&run, "looked"), 0, "{what}");
                    let count = photos(&run, counter);
                    let explanation = run.last()["explanation"].as_str().unwrap();
                    let told = format!("{count} could not be ");
                    assert!(
                        count > 0 && explanation.contains(&told),
                        "{what}: {explanation}"
                    );
                    assert!(explanation.contains(why), "{what}: {explanation}");
                    assert!(!explanation.contains("spel"), "{what}: {explanation}");
                    let searches = run.calls_of(provider);
                    assert!(searches <= 8, "{what}: {searches} searches for nothing");
                }
            }
        }
    }
}

#[test]
fn a_small_budget_of_calls_is_not_why_nothing_could_be_looked_at() {
    let mut scenario = lost(Plan::BothEnds, "forbidden", "google", 3);
    scenario.limits.searches_max = 2;
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path no_readable_photos");
    let mut scenario = lost(Plan::OneSided, "truncated", "google", 3);
    scenario.limits.recognitions_max = 2;
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path no_readable_photos");
}

#[test]
fn a_name_of_which_no_photo_is_found_is_named_and_nobody_calls_it_unrecognised() {
    for plan in Plan::ALL {
        for (b, provider) in [("Count Drakula", "google"), ("Jean Valjean", "commons")] {
            let mut scenario = Scenario::new().set("IMAGE_SEARCH", provider);
            scenario.names = Some(("Elizabeth Benet", b));
            scenario.limits.plan = plan;
            let run = scenario.run();
            assert_eq!(run.ending(), "no_path no_readable_photos");
            assert_eq!(run.last()["unknown"], json!(["a"]));
            let explanation = run.last()["explanation"].as_str().unwrap();
            let searches = run.last()["spent"]["searchCalls"].as_u64().unwrap();
            // The both-ends plan also searches A by name only, and before that B.
            let expected = if plan == Plan::BothEnds { 5 } else { 3 };
            assert_eq!(searches, expected, "{b} of {provider}");
            // By then, the both-ends plan has seen the person with the other name.
            let told = if plan == Plan::BothEnds && b == "Jean Valjean" {
                "No search found a photo of Elizabeth Benet.".to_owned()
            } else {
                format!("{searches} searches found no photo at all.")
            };
            assert!(explanation.starts_with(&told), "{explanation}");
            assert!(explanation.contains("Elizabeth Benet"), "{explanation}");
        }
    }
}

#[test]
fn a_name_that_photos_could_have_shown_is_unknown_also_where_many_were_refused() {
    // The first photos are refused, in every size.
    let mut scenario = Scenario::new();
    scenario.options.faults =
        FaultPlan::parse(r#"[{"provider":"image","to":8,"kind":"forbidden"}]"#).unwrap();
    scenario.names = Some(("Elizabeth Benet", "Jean Valjean"));
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path unknown_person");
    assert_eq!(run.last()["unknown"], json!(["a"]));
    let [unread, looked] = ["unfetchable", "looked"].map(|what| photos(&run, what));
    assert!(unread * 3 >= looked && looked > 0, "{unread} of {looked}");
    let explanation = run.last()["explanation"].as_str().unwrap();
    let told = format!(
        "{unread} of {} photos could not be looked at.",
        unread + looked
    );
    assert!(explanation.ends_with(&told), "{explanation}");
}

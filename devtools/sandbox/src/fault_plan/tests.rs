//! Tests of fault files.

use super::*;

fn check_error(json: &str, expect: &str) {
    let error = FaultPlan::parse(json).unwrap_err().to_string();
    assert!(error.starts_with(expect), "{error}");
}

#[test]
fn rows_say_when() {
    let plan = FaultPlan::parse(
        r#"[{"provider":"google","call":3,"kind":"quota-day"},
            {"provider":"google","from":5,"to":6,"kind":"hang"},
            {"provider":"gemini","every":4,"kind":"fenced"},
            {"provider":"image","from":2,"kind":"webp"}]"#,
    )
    .unwrap();
    let at = |provider, call| plan.at(provider, call).is_some();
    let google: Vec<u64> = (1..9)
        .filter(|call| at(SandboxProvider::Google, *call))
        .collect();
    assert_eq!(google, [3, 5, 6]);
    let gemini: Vec<u64> = (1..9)
        .filter(|call| at(SandboxProvider::Gemini, *call))
        .collect();
    assert_eq!(gemini, [4, 8]);
    assert!(!at(SandboxProvider::Image, 1) && at(SandboxProvider::Image, 9_999));
    assert!(!at(SandboxProvider::Rekognition, 3));
}

#[test]
fn errors_name_the_row_and_what_there_is() {
    check_error("{}", "the fault file is no list of faults");
    check_error(
        r#"[{"provider":"bing","call":1,"kind":"hang"}]"#,
        "fault 1: no provider \"bing\"; there are google, image, rekognition, gemini, workers-ai, openai, commons, brave, openverse, serpapi, serper, wikidata, references",
    );
    check_error(
        r#"[{"provider":"google","kind":"hang"}]"#,
        "fault 1: say exactly one",
    );
    check_error(
        r#"[{"provider":"google","call":0,"kind":"hang"}]"#,
        "fault 1: say exactly",
    );
    check_error(
        r#"[{"provider":"google","call":1,"every":2,"kind":"hang"}]"#,
        "fault 1: say exactly one",
    );
    check_error(
        r#"[{"provider":"google","call":1,"kind":"fenced"}]"#,
        "fault 1: google has no kind \"fenced\"; it has bad-key, bad-cx,",
    );
}

#[test]
fn habits_belong_to_providers_with_a_model() {
    for (name, habit) in ModelHabit::ALL {
        let kind = format!("habit-{name}");
        for provider in SandboxProvider::ALL {
            let has_model = provider.name().contains("ai") || provider.name() == "gemini";
            let expect = has_model.then_some(ProviderFault::Habit(*habit));
            assert_eq!(ProviderFault::named(provider, &kind), expect, "{provider}");
        }
    }
    assert_eq!(
        ProviderFault::named(SandboxProvider::OpenAi, "habit-x"),
        None
    );
}

#[test]
fn every_listed_kind_can_be_planned() {
    for provider in SandboxProvider::ALL {
        for kind in fault_kinds_of(provider) {
            assert!(
                ProviderFault::named(provider, kind).is_some(),
                "{provider} {kind}"
            );
        }
    }
}

//! The first provider fails at every call of a run, in every way: the next one takes over.

use domain::{Pace, Plan, WordUse};
use sandbox::{FaultPlan, Latency, SandboxProvider, fault_kinds_of};

use crate::observed::ObservedRun;

use super::answered_calls::{HandedOver, calls, times_told};
use super::scenario::{SHORT, Scenario, listed};

/// Makes a run with these image searches and no planner.
fn searching(providers: &[SandboxProvider]) -> Scenario {
    Scenario::new()
        .set("IMAGE_SEARCH", listed(providers))
        .set("PRICE_BRAVE_USD_PER_1000", "7")
}

fn failing(mut scenario: Scenario, rows: &[(SandboxProvider, usize, &str)]) -> Scenario {
    let row = |(provider, from, kind): &(SandboxProvider, usize, &str)| {
        format!(r#"{{"provider":"{provider}","from":{from},"kind":"{kind}"}}"#)
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    scenario.options.faults = FaultPlan::parse(&format!("[{}]", rows.join(","))).unwrap();
    scenario
}

/// Returns the number of throttled attempts.
fn throttled(run: &ObservedRun) -> usize {
    let count = run.last()["spent"]["throttledCalls"].as_u64();
    usize::try_from(count.unwrap_or_default()).unwrap()
}

fn check_every_call(first: SandboxProvider, second: SandboxProvider) {
    let both = || {
        let mut scenario = searching(&[first, second]);
        // Commons has 19 faults.
        scenario.names = (first == SandboxProvider::Commons).then_some(SHORT);
        scenario
    };
    let undisturbed = both().run();
    let searches = undisturbed.calls_of(first.name());
    assert!(searches > 0, "{first} is asked first");
    assert_eq!(undisturbed.calls_of(second.name()), 0);
    let (mut runs, mut chains) = (0, 0);
    for kind in fault_kinds_of(first) {
        for from in 1..=searches {
            let scenario = failing(both(), &[(first, from, kind)]);
            let run = scenario.run();
            runs += 1;
            chains += usize::from(run.ending() == "final");
            let handed_over = HandedOver {
                run: &run,
                role: "search",
                first,
                second,
                kind,
                from,
                what: format!("{first} {kind} from call {from}, then {second}"),
            };
            handed_over.check();
        }
    }
    println!("{first}, then {second}: {runs} runs at {searches} calls, {chains} chains");
    assert!(chains > runs / 2, "{chains} of {runs}");
}

#[test]
fn google_fails_at_every_call_and_brave_goes_on() {
    check_every_call(SandboxProvider::Google, SandboxProvider::Brave);
}

#[test]
fn brave_fails_at_every_call_and_google_goes_on() {
    check_every_call(SandboxProvider::Brave, SandboxProvider::Google);
}

#[test]
fn commons_fails_at_every_call_and_google_goes_on() {
    check_every_call(SandboxProvider::Commons, SandboxProvider::Google);
}

#[test]
fn commons_fails_at_every_call_and_brave_goes_on() {
    check_every_call(SandboxProvider::Commons, SandboxProvider::Brave);
}

#[test]
fn two_of_three_fail_and_the_third_goes_on() {
    use SandboxProvider::{Brave, Google, SerpApi};
    let searches = searching(&[Google]).run().calls_of("google");
    let mut runs = 0;
    for of_google in ["closed", "server-error-500", "garbage", "quota-day"] {
        for of_brave in ["token-invalid-422", "rate-limited-429", "empty"] {
            for from in 1..=searches {
                let rows = [(Google, from, of_google), (Brave, 1, of_brave)];
                let run = failing(searching(&[Google, Brave, SerpApi]), &rows).run();
                let what = format!("google {of_google} from call {from}, brave {of_brave}");
                let ending = run.ending();
                assert!(!ending.starts_with("error"), "{what}: {ending}");
                assert_eq!(times_told(&run), 2, "{what}: each is told once");
                let calls = calls(&run, "search");
                for failing in ["google", "brave"] {
                    let mut failed = calls.iter();
                    let failed = failed.find(|call| {
                        let mut set_aside = call.set_aside.iter();
                        set_aside.any(|(name, _)| name == failing)
                    });
                    let failed = failed.unwrap();
                    let mut later = calls.iter().filter(|call| call.began_after(failed));
                    assert!(
                        !later.any(|call| call.is_of(failing)),
                        "{what}: {failing} again"
                    );
                }
                for call in &calls {
                    assert!(call.attempts <= 3, "{what}: {} attempts", call.attempts);
                }
                assert!(
                    calls.iter().any(|call| call.provider == "serpapi"),
                    "{what}"
                );
                runs += 1;
            }
        }
    }
    println!("two of three fail: {runs} runs");
}

#[test]
fn attempts_with_all_providers_never_pass_the_budget() {
    use SandboxProvider::{Brave, Google};
    let mut runs = 0;
    for kind in fault_kinds_of(Google) {
        for searches_max in 1..=3 {
            for from in 1..=searches_max {
                let mut scenario = failing(searching(&[Google, Brave]), &[(Google, from, kind)]);
                scenario.limits.searches_max = u32::try_from(searches_max).unwrap();
                let run = scenario.run();
                let what = format!("{kind} from call {from} of {searches_max}");
                // Throttled calls are not charged.
                let sent = run.calls_of("google") + run.calls_of("brave") - throttled(&run);
                assert!(sent <= searches_max, "{what}: {sent} sent");
                assert_eq!(run.last()["spent"]["searchCalls"], sent, "{what}");
                let ending = run.ending();
                assert!(!ending.starts_with("error"), "{what}: {ending}");
                runs += 1;
            }
        }
    }
    println!("small budgets: {runs} runs");
}

/// A provider that may recover is asked again after a pause; its failure is still reported once.
#[test]
fn a_failure_that_may_pass_is_given_its_time() {
    use SandboxProvider::{Brave, Google};
    let mut asked_again = 0;
    for kind in [
        "quota-minute",
        "server-error-500",
        "garbage",
        "empty",
        "hang",
    ] {
        for from in 1..=3 {
            let mut scenario = failing(searching(&[Google, Brave]), &[(Google, from, kind)]);
            scenario.limits.pace = Pace::Frugal;
            scenario.limits.runtime_ms_max = 900_000;
            scenario.options.latency = Latency {
                google_ms: 2_000,
                brave_ms: 2_000,
                image_ms: 1_500,
                rekognition_ms: 1_500,
                ..Latency::NONE
            };
            let run = scenario.run();
            let what = format!("{kind} from call {from}");
            assert!(!run.ending().starts_with("error"), "{what}");
            let mut until_ms = 0;
            for call in calls(&run, "search") {
                let is_google = call.provider == "google" || !call.set_aside.is_empty();
                if is_google {
                    let began_ms = call.not_before_ms;
                    assert!(began_ms >= until_ms, "{what}: {began_ms} before {until_ms}");
                    asked_again += usize::from(until_ms > 0);
                }
                if let [(_, until)] = &call.set_aside[..] {
                    until_ms = until.unwrap();
                }
            }
            assert_eq!(times_told(&run), 1, "{what}");
        }
    }
    println!("asked again after its time: {asked_again} calls");
    assert!(asked_again > 5);
}

#[test]
fn a_planner_fails_at_every_call_and_the_next_one_goes_on() {
    use SandboxProvider::{Gemini, OpenAi, WorkersAi};
    for (first, second) in [(Gemini, OpenAi), (WorkersAi, Gemini), (OpenAi, WorkersAi)] {
        let planned = || {
            let mut scenario = Scenario::new().with_planner();
            scenario
                .settings
                .push(("PLANNER", listed(&[first, second])));
            // Two people who are many photos apart for the one-sided plan.
            scenario.names = Some(("Elizabeth Bennet", "Andrew Stuart"));
            scenario.limits.plan = Plan::OneSided;
            scenario
        };
        let undisturbed = planned().run();
        let asked = undisturbed.calls_of(first.name());
        assert!(asked > 1, "{asked} calls");
        let mut runs = 0;
        for kind in fault_kinds_of(first) {
            for from in 1..=asked {
                let run = failing(planned(), &[(first, from, kind)]).run();
                let what = format!("{first} {kind} from call {from}, then {second}");
                assert_eq!(run.ending(), "final", "{what}");
                let calls = calls(&run, "plan");
                let is_handed_over = calls.iter().any(|call| !call.set_aside.is_empty());
                assert_eq!(times_told(&run), usize::from(is_handed_over), "{what}");
                let sent = run.calls_of(first.name()) + run.calls_of(second.name());
                let sent = sent - throttled(&run);
                assert_eq!(run.last()["spent"]["llmCalls"], sent, "{what}");
                assert!(sent <= 12, "{what}: {sent} sent");
                let failed = calls.iter().find(|call| !call.set_aside.is_empty());
                for call in &calls {
                    let is_later = failed.is_some_and(|failed| call.began_after(failed));
                    assert!(!is_later || !call.is_of(first.name()), "{what}");
                }
                runs += 1;
            }
        }
        println!("{first}, then {second}: {runs} runs at {asked} calls");
    }
}

/// Faults of one photo, after which the recogniser is asked for the next ones.
const OF_THE_PHOTO: [&str; 7] = [
    "image-too-large",
    "invalid-image-format",
    "invalid-parameter",
    "validation-too-large",
    "parameter-too-large",
    "too-large-413",
    "unreadable-photo-422",
];

#[test]
fn a_recogniser_fails_at_every_call_and_the_next_one_goes_on() {
    use SandboxProvider::{References, Rekognition};
    for (first, second) in [(Rekognition, References), (References, Rekognition)] {
        let both = || {
            let mut scenario = Scenario::new().set("RECOGNISER", listed(&[first, second]));
            scenario.limits.words = WordUse::HintsFirst;
            scenario
        };
        let undisturbed = both().run();
        let asked = undisturbed.calls_of(first.name());
        assert!(asked > 3, "{asked} calls");
        assert_eq!(undisturbed.calls_of(second.name()), 0);
        let mut runs = 0;
        for kind in fault_kinds_of(first) {
            for from in [1, asked / 2, asked] {
                let run = failing(both(), &[(first, from, kind)]).run();
                let what = format!("{first} {kind} from call {from}, then {second}");
                runs += 1;
                if OF_THE_PHOTO.contains(&kind) {
                    assert_eq!(run.ending(), "final", "{what}");
                    assert_eq!(times_told(&run), 0, "{what}");
                    assert!(run.calls_of(second.name()) > 0, "{what}");
                    continue;
                }
                let handed_over = HandedOver {
                    run: &run,
                    role: "recognise",
                    first,
                    second,
                    kind,
                    from,
                    what,
                };
                handed_over.check();
            }
        }
        println!("{first}, then {second}: {runs} runs at {asked} calls");
    }
}

#[test]
fn evidence_names_the_recogniser_that_answered() {
    use SandboxProvider::{References, Rekognition};
    let scenario = Scenario::new().set("RECOGNISER", listed(&[Rekognition, References]));
    let run = failing(scenario, &[(Rekognition, 6, "access-denied")]).run();
    assert_eq!(run.ending(), "final");
    let mut named = std::collections::BTreeSet::new();
    for edge in run.last()["edges"].as_array().unwrap() {
        for photo in edge["evidence"].as_array().unwrap() {
            let by = &photo["recognisedBy"];
            let is_own = by["recogniser"] == "references";
            named.insert(by["recogniser"].as_str().unwrap().to_owned());
            assert_eq!(by["model"].is_string(), is_own, "{by}");
            for face in photo["faces"].as_array().unwrap() {
                assert_eq!(face["portrait"].is_object(), is_own, "{face}");
            }
        }
    }
    assert!(named.contains("references"), "{named:?}");
}

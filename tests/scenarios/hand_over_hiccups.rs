//! Providers that fail while others are set aside: none gets fewer attempts than it would alone.

use std::collections::BTreeMap;

use sandbox::{FaultPlan, SandboxProvider};

use crate::observed::ObservedRun;

use super::scenario::{Scenario, listed};

/// Failures of a provider: at which calls, and how.
type Rows<'kinds> = &'kinds [(SandboxProvider, [usize; 2], &'kinds str)];

fn run(providers: &[SandboxProvider], rows: Rows) -> ObservedRun {
    let mut scenario = Scenario::new().set("IMAGE_SEARCH", listed(providers));
    let row = |(provider, [from, to], kind): &(SandboxProvider, [usize; 2], &str)| {
        format!(r#"{{"provider":"{provider}","from":{from},"to":{to},"kind":"{kind}"}}"#)
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    scenario.options.faults = FaultPlan::parse(&format!("[{}]", rows.join(","))).unwrap();
    scenario.run()
}

/// Checks that every search left without an answer because others had used its attempts is repeated successfully.
fn check_none_is_lost(run: &ObservedRun, what: &str) {
    let mut last = BTreeMap::new();
    for answer in run.entries("answer") {
        let Some(asked) = answer["asked"]["search"].as_object() else {
            continue;
        };
        let outcome = &answer["outcome"];
        let is_found = outcome["searched"]["ok"].is_array() || outcome["found"]["hits"].is_array();
        last.insert(asked["query"].as_str().unwrap(), is_found);
    }
    assert!(last.len() > 1, "{what}: {last:?}");
    assert!(last.values().all(|is_found| *is_found), "{what}: {last:?}");
}

#[test]
fn one_hiccup_of_the_second_ends_no_run() {
    use SandboxProvider::{Brave, Commons, Google};
    let mut runs = 0;
    for (second, of_second) in [
        (Brave, "rate-limited-429"),
        (Brave, "server-error-500"),
        // These request a pause of five seconds.
        (Commons, "throttled-429"),
        (Commons, "maxlag"),
    ] {
        for of_first in ["server-error-500", "quota-minute", "closed"] {
            for at in 1..=4 {
                let what = format!("google {of_first}, {second} {of_second} at {at}");
                let rows = [(Google, [1, 99], of_first), (second, [at, at], of_second)];
                let run = run(&[Google, second], &rows);
                assert_eq!(run.ending(), "final", "{what}");
                check_none_is_lost(&run, &what);
                runs += 1;
            }
        }
    }
    println!("one hiccup of the second: {runs} runs");
}

#[test]
fn the_search_at_which_two_of_three_fail_is_made_with_the_third() {
    use SandboxProvider::{Brave, Commons, Google};
    for of_google in ["server-error-500", "quota-minute", "closed"] {
        for of_brave in ["server-error-500", "rate-limited-429"] {
            for from in 1..=3 {
                let what = format!("google {of_google} from call {from}, brave {of_brave}");
                let rows = [(Google, [from, 99], of_google), (Brave, [1, 99], of_brave)];
                let run = run(&[Google, Brave, Commons], &rows);
                assert_eq!(run.ending(), "final", "{what}");
                check_none_is_lost(&run, &what);
            }
        }
    }
}

/// A correct end: no provider is left, and each was asked at least twice.
#[test]
fn where_all_stay_down_the_run_says_so_and_ends_soon() {
    use SandboxProvider::{Brave, Commons, Google};
    for providers in [&[Google, Brave][..], &[Google, Brave, Commons]] {
        let rows: Vec<_> = providers
            .iter()
            .map(|provider| match provider {
                Commons => (Commons, [1, 99], "unavailable-503"),
                other => (*other, [1, 99], "server-error-500"),
            })
            .collect();
        let run = run(providers, &rows);
        assert!(run.ending().starts_with("error provider_down"));
        let sent = providers
            .iter()
            .map(|provider| run.calls_of(provider.name()));
        let sent: Vec<usize> = sent.collect();
        assert!(sent.iter().all(|sent| (2..=6).contains(sent)), "{sent:?}");
        println!("all are down: {sent:?} calls");
    }
}

/// A provider that only fails because the run's time is up is neither blamed nor set aside.
#[test]
fn the_end_of_the_time_is_no_fault_of_a_provider() {
    use SandboxProvider::{Brave, Google};
    let mut scenario = Scenario::new().set("IMAGE_SEARCH", listed(&[Google, Brave]));
    let hang = r#"[{"provider":"google","from":2,"kind":"hang"}]"#;
    scenario.options.faults = FaultPlan::parse(hang).unwrap();
    scenario.limits.runtime_ms_max = 5_000;
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path runtime_budget");
    assert!(!run.says("is asked from now on"), "nobody is blamed");
    let mut answers = run.entries("answer");
    assert!(!answers.any(|answer| answer["setAside"].is_array()));
}

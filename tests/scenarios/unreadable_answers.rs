//! Unreadable answers: one provider's never end a run while another can be asked.

use SandboxProvider::{Brave, Commons, Gemini, Google, OpenAi, Openverse, SerpApi, WorkersAi};
use sandbox::{FaultPlan, Latency, SandboxProvider};

use crate::observed::ObservedRun;

use super::answered_calls::{calls, times_told};
use super::scenario::{Scenario, listed};

fn failing(mut scenario: Scenario, rows: &[(SandboxProvider, usize, &str)]) -> Scenario {
    let row = |(provider, from, kind): &(SandboxProvider, usize, &str)| {
        format!(r#"{{"provider":"{provider}","from":{from},"kind":"{kind}"}}"#)
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    scenario.options.faults = FaultPlan::parse(&format!("[{}]", rows.join(","))).unwrap();
    scenario
}

fn searching(providers: &[SandboxProvider]) -> Scenario {
    Scenario::new().set("IMAGE_SEARCH", listed(providers))
}

/// Returns the unreadable answers to searches.
fn unreadable(run: &ObservedRun) -> Vec<String> {
    let kinds = run.entries("answer").filter_map(|answer| {
        let kind = answer["outcome"]["searched"]["failed"]["kind"].as_str()?;
        kind.contains("malformed").then(|| kind.to_owned())
    });
    kinds.collect()
}

/// With slow answers two of Google's searches are in flight together; Brave's is the third.
#[test]
fn three_unreadable_answers_two_at_the_same_time_end_no_run_that_another_may_go_on_with() {
    let mut together_max = 0;
    for from in 1..=6 {
        let rows = [(Google, from, "garbage"), (Brave, 1, "garbage")];
        let mut scenario = failing(searching(&[Google, Brave, SerpApi]), &rows);
        scenario.limits.images_per_search = 1;
        scenario.limits.runtime_ms_max = 25_000;
        scenario.options.latency = Latency {
            google_ms: 2_000,
            brave_ms: 300,
            serpapi_ms: 300,
            ..Latency::NONE
        };
        let run = scenario.run();
        let ending = run.ending();
        assert!(!ending.starts_with("error"), "from call {from}: {ending}");
        assert!(run.calls_of("serpapi") > 0, "from call {from}");
        assert_eq!(times_told(&run), 2, "from call {from}");
        let kinds = unreadable(&run);
        let mut handed_over = kinds.iter();
        assert!(
            handed_over.all(|kind| kind == "malformed_handed_over"),
            "from call {from}: {kinds:?}"
        );
        together_max = together_max.max(kinds.len());
    }
    assert!(together_max >= 3, "{together_max} in a row");
}

#[test]
fn three_image_searches_that_give_nonsense_hand_over_to_the_fourth() {
    let garbage = [Google, Brave, Openverse].map(|provider| (provider, 1, "garbage"));
    let run = failing(searching(&[Google, Brave, Openverse, Commons]), &garbage).run();
    assert!(!run.ending().starts_with("error"), "{}", run.ending());
    assert!(run.calls_of("commons") > 2);
    assert_eq!(times_told(&run), 3, "each is told once");
    assert_eq!(unreadable(&run), ["malformed_handed_over"; 3]);
}

#[test]
fn where_all_image_searches_give_nonsense_the_last_one_ends_the_run() {
    let garbage = [Google, Brave].map(|provider| (provider, 1, "garbage"));
    let run = failing(searching(&[Google, Brave]), &garbage).run();
    assert!(
        run.ending().starts_with("error provider_down"),
        "{}",
        run.ending()
    );
    let mut expected = vec!["malformed_handed_over"];
    expected.extend(["malformed"; 3]);
    assert_eq!(unreadable(&run), expected);
    assert_eq!(times_told(&run), 2, "each is told once");
}

#[test]
fn two_planners_that_give_nonsense_hand_over_to_the_third() {
    let garbage = [Gemini, OpenAi].map(|provider| (provider, 1, "garbage"));
    let mut scenario = failing(Scenario::new().with_planner(), &garbage);
    let list = listed(&[Gemini, OpenAi, WorkersAi]);
    scenario.settings.push(("PLANNER", list));
    scenario.limits.images_per_search = 3;
    scenario.limits.threshold_percent = 88;
    let run = scenario.run();
    assert_eq!(run.ending(), "final");
    let asked: Vec<String> = (calls(&run, "plan").into_iter())
        .map(|call| call.provider)
        .collect();
    assert_eq!(asked[..2], ["gemini", "openai"]);
    assert!(asked.len() > 2 && asked[2..].iter().all(|provider| provider == "workers-ai"));
    assert!(run.says("chosen by the planner"));
}

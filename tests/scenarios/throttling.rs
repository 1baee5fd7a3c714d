//! Throttled runs end as they would without throttling, only later.

use std::collections::BTreeMap;
use std::path::Path;

use devtools::rehearsal::{ProcessEnd, Simulation};
use domain::{Limits, Plan};
use sandbox::{FaultPlan, Latency, SandboxProvider};
use serde_json::Value;

use crate::crash_points::{crash_at_every, crash_in_place};
use crate::observed::ObservedRun;

use super::scenario::{SHORT, Scenario};

const TABLE: &str = "tests/scenarios/throttling.txt";
const HEAD: &str = "\
Runs that are throttled, and how they end: one run, and ten at once in one isolate.

  PLAN RUNS PROVIDER form: how they end; throttled attempts; searches, photos, plans each; seconds to the last end

";

/// How a provider throttles.
#[derive(Clone, Copy)]
enum Form {
    /// From the second call on (a planner's first), each fails like this: those sent concurrently by all runs, and then
    /// three more.
    Spell(&'static str),
    /// It accepts this many calls per second, and our own limit is this many.
    PerSecond(u32, u32),
}

fn forms() -> Vec<(SandboxProvider, Form)> {
    use SandboxProvider::{
        Brave, Commons, Gemini, Google, Image, OpenAi, Openverse, Rekognition, Serper, WorkersAi,
    };
    let spells: [(SandboxProvider, &[&str]); 10] = [
        (Google, &["quota-minute"]),
        (Brave, &["rate-limited-429", "rate-limited-list-429"]),
        (
            Commons,
            &[
                "throttled-429",
                "throttled-bare",
                "ratelimited",
                "maxlag",
                "search-busy-error",
            ],
        ),
        (Openverse, &["throttled-429", "throttled-bare"]),
        (Serper, &["rate-limited-429"]),
        (Image, &["throttled-429"]),
        (
            Rekognition,
            &["throughput-exceeded", "throttling", "throttling-500"],
        ),
        (Gemini, &["quota-minute", "quota-bare"]),
        (
            WorkersAi,
            &["capacity-3040", "throttled-971", "thrown-3040"],
        ),
        (OpenAi, &["rate-limit", "slow-down-503"]),
    ];
    let mut forms = vec![
        (Rekognition, Form::PerSecond(5, 5)),
        (Rekognition, Form::PerSecond(5, 1_000)),
    ];
    for (provider, kinds) in spells {
        forms.extend(kinds.iter().map(|kind| (provider, Form::Spell(kind))));
    }
    forms
}

fn is_planner(provider: SandboxProvider) -> bool {
    use SandboxProvider::{Gemini, OpenAi, WorkersAi};
    matches!(provider, Gemini | OpenAi | WorkersAi)
}

/// Makes a run that uses this provider.
fn with(provider: SandboxProvider, plan: Plan) -> Scenario {
    use SandboxProvider::{Image, Rekognition};
    let mut scenario = Scenario::new();
    match provider {
        Rekognition => {}
        Image => scenario = scenario.set("IMAGE_SEARCH", "commons"),
        planner if is_planner(planner) => {
            scenario = scenario.with_planner().set("PLANNER", planner.name());
        }
        search => scenario = scenario.set("IMAGE_SEARCH", search.name()),
    }
    scenario.limits = Limits {
        plan,
        ..Limits::default()
    };
    // Like real services, so that runs send calls concurrently.
    scenario.options.latency = Latency {
        google_ms: 300,
        brave_ms: 300,
        commons_ms: 300,
        openverse_ms: 300,
        serper_ms: 300,
        image_ms: 400,
        rekognition_ms: 500,
        gemini_ms: 900,
        workers_ai_ms: 900,
        openai_ms: 900,
        ..Latency::NONE
    };
    scenario
}

fn throttled(mut scenario: Scenario, provider: SandboxProvider, form: Form, runs: u8) -> Scenario {
    match form {
        Form::Spell(kind) => {
            let from = if is_planner(provider) { 1 } else { 2 };
            let to = from + 1 + u32::from(runs);
            let plan =
                format!(r#"[{{"provider":"{provider}","from":{from},"to":{to},"kind":"{kind}"}}]"#);
            scenario.options.faults = FaultPlan::parse(&plan).unwrap();
            scenario
        }
        Form::PerSecond(allowed, ours) => {
            scenario.options.recognitions_per_second_max = Some(allowed);
            scenario.set("RECOGNITIONS_PER_SECOND", ours.to_string())
        }
    }
}

fn together(scenario: &Scenario, count: u8) -> Vec<ObservedRun> {
    let runs = scenario.simulations(count);
    Simulation::conduct_together(&runs).unwrap();
    runs.iter().map(ObservedRun::of).collect()
}

/// Returns how a run ends: its last event's kind, and the chain.
fn end(run: &ObservedRun) -> (String, Vec<String>) {
    let path = run.last()["path"].as_array().cloned().unwrap_or_default();
    let names = path.iter().map(|person| person["name"].to_string());
    (run.ending(), names.collect())
}

fn spent(run: &ObservedRun, name: &str) -> u64 {
    run.last()["spent"][name].as_u64().unwrap_or_default()
}

const CALLS: [&str; 3] = ["searchCalls", "rekognitionCalls", "llmCalls"];

/// Checks a throttled run against an undisturbed one.
fn check(run: &ObservedRun, calm: &ObservedRun, what: &str) {
    assert_eq!(end(run), end(calm), "{what}");
    for name in CALLS {
        let (now, then) = (spent(run, name), spent(calm, name));
        assert!(now <= then + 5, "{what}: {now} {name}, {then} without");
    }
    check_told_at_most_once(run, what);
}

fn check_told_at_most_once(run: &ObservedRun, what: &str) {
    let slower = "is asked too often at the moment; the search goes on more slowly.";
    let messages = run.events.iter();
    let messages = messages.filter_map(|event| event["message"].as_str());
    let told = messages.filter(|message| message.contains(slower)).count();
    assert!(told <= 1, "{what}: told {told} times");
}

fn row(plan: Plan, provider: SandboxProvider, form: Form, count: u8, calm: &ObservedRun) -> String {
    let runs = together(
        &throttled(with(provider, plan), provider, form, count),
        count,
    );
    let form = match form {
        Form::Spell(kind) => kind.to_owned(),
        Form::PerSecond(allowed, ours) => format!("{allowed} a second, asked at {ours}"),
    };
    let what = format!("{} {count} {provider} {form}", plan.as_str());
    for run in &runs {
        check(run, calm, &what);
    }
    let sum = |name: &str| runs.iter().map(|run| spent(run, name)).sum::<u64>();
    let each = CALLS.map(|name| {
        let mean = sum(name) as f64 / f64::from(count);
        format!("{mean:.1} ({})", spent(calm, name))
    });
    let seconds = |runs: &mut dyn Iterator<Item = &ObservedRun>| {
        let longest = runs.map(|run| spent(run, "runtimeMs")).max();
        longest.unwrap_or_default() as f64 / 1_000.0
    };
    format!(
        "{what}: {}; throttled {}; {}; {:.1} s ({:.1})\n",
        runs[0].ending(),
        sum("throttledCalls"),
        each.join(", "),
        seconds(&mut runs.iter()),
        seconds(&mut std::iter::once(calm)),
    )
}

#[test]
fn every_form_of_throttling_ends_as_without_it_only_later() {
    let mut table = HEAD.to_owned();
    let mut rows = 0;
    for plan in [Plan::BothEnds, Plan::OneSided] {
        let mut calm = BTreeMap::new();
        for count in [1, 10] {
            for (provider, form) in forms() {
                let calm = calm.entry(provider);
                let calm = calm.or_insert_with(|| with(provider, plan).run());
                table += &row(plan, provider, form, count, calm);
                rows += 1;
            }
        }
    }
    println!("{table}{rows} rows: every run ended as it does without throttling");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(table, expected, "{TABLE}");
}

/// A run that is throttled until its time is up says so, and has paid for nothing.
#[test]
fn endless_throttling_is_bounded_and_told() {
    let scenario = Scenario::new().fault(SandboxProvider::Rekognition, "throttling");
    let run = scenario.run();
    assert_eq!(run.ending(), "error provider_throttled rekognition");
    assert_eq!(spent(&run, "rekognitionCalls"), 0);
    let throttled = spent(&run, "throttledCalls");
    assert!((5..60).contains(&throttled), "{throttled}");
    assert_eq!(throttled, run.calls_of("rekognition") as u64);
    assert!(spent(&run, "runtimeMs") > 60_000);
    assert!(run.says("Amazon Rekognition is asked too often at the moment"));
}

/// A process dies at every point of a throttled run: the next one continues, and pays at most for calls in flight.
#[test]
fn a_throttled_run_goes_on_after_a_crash_at_every_place() {
    let small = || {
        let mut scenario = with(SandboxProvider::Rekognition, Plan::BothEnds);
        scenario.names = Some(SHORT);
        scenario.options.latency = Latency::NONE;
        let form = Form::Spell("throughput-exceeded");
        throttled(scenario, SandboxProvider::Rekognition, form, 2)
    };
    let with_fault = |fault| {
        let mut scenario = small();
        scenario.troubles = vec![fault];
        scenario.simulation()
    };
    let check = |number: usize, left: &Simulation| {
        let what = format!("crash {number}");
        assert_eq!(left.conduct_to_end(), Ok(ProcessEnd::Done), "{what}");
        let run = ObservedRun::of(left);
        assert_eq!(run.ending(), "final", "{what}");
        run.check_told_once(&what);
        check_told_at_most_once(&run, &what);
        let counted = spent(&run, "rekognitionCalls") + spent(&run, "throttledCalls");
        // A journaled call may not have been sent.
        assert!(run.calls_of("rekognition") as u64 <= counted, "{what}");
    };
    let operations = small().run().conducted.operations.len();
    crash_in_place(operations, with_fault, check);
    let crashes = crash_at_every(1, &small().simulation(), check);
    println!("{crashes} crashes");
    assert!(crashes > 100);
}

/// A small budget is only spent on answers.
#[test]
fn a_small_budget_is_not_eaten_by_throttles() {
    let small = || {
        let mut scenario = Scenario::new();
        scenario.limits.recognitions_max = 3;
        scenario
    };
    let calm = small().run();
    let scenario = throttled(
        small(),
        SandboxProvider::Rekognition,
        Form::Spell("throughput-exceeded"),
        7,
    );
    let run = scenario.run();
    assert_eq!(run.ending(), calm.ending());
    let looked = |run: &ObservedRun| run.last()["spent"]["photos"]["looked"].clone();
    assert_eq!(looked(&run), looked(&calm));
    assert_eq!(spent(&run, "rekognitionCalls"), 3);
    assert_eq!(spent(&run, "throttledCalls"), 9);
    assert_ne!(looked(&run), Value::Null);
}

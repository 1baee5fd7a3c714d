//! Whole runs: the conductor against the whole sandbox in memory, in virtual time.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use visual_degrees::domain::{Limits, Name, PhotoDigest, Plan};
use visual_degrees::investigation::Request;
use visual_degrees::rehearsal::{
    FaultKind, FaultTiming, InjectedFault, Operation, START_MS, SimulatedRun, Simulation,
};
use visual_degrees::sandbox::fault_kinds_of;
use visual_degrees::sandbox::{
    FaultPlan, Latency, Sandbox, SandboxOptions, SandboxProvider, own_world,
};
use visual_degrees::store::{Keys, WRITES_MAX, record};

struct Scenario {
    options: SandboxOptions,
    settings: Vec<(&'static str, &'static str)>,
    limits: Limits,
    names: Option<(&'static str, &'static str)>,
    troubles: Vec<InjectedFault>,
    stop_after_events: Option<usize>,
}

impl Scenario {
    /// The example pair with the default budgets and no planner.
    fn new() -> Self {
        Self {
            options: SandboxOptions::default(),
            settings: vec![("PLANNER", "none")],
            limits: Limits::default(),
            names: None,
            troubles: Vec::new(),
            stop_after_events: None,
        }
    }

    fn with_planner(mut self) -> Self {
        self.settings.clear();
        self
    }

    fn fault(mut self, provider: SandboxProvider, kind: &str) -> Self {
        let plan = format!(
            r#"[{{"provider":"{}","from":1,"kind":"{kind}"}}]"#,
            provider.name()
        );
        self.options.faults = FaultPlan::parse(&plan).unwrap_or_else(|error| panic!("{error}"));
        self
    }

    fn run(&self) -> Run {
        let world = own_world().unwrap();
        let example = world.example().unwrap();
        let (a, b) = match self.names {
            Some((a, b)) => (a.to_owned(), b.to_owned()),
            None => example,
        };
        let request = Request {
            person_a: Name::parse(&a).unwrap(),
            person_b: Name::parse(&b).unwrap(),
            avoid: Vec::new(),
            limits: self.limits.clone(),
        };
        let options = self.options.clone();
        let town = Simulation::new(Sandbox::new(world, options), &self.settings).unwrap();
        let mut town = town.with_faults(self.troubles.clone());
        if let Some(events) = self.stop_after_events {
            town = town.stopped_after(events);
        }
        town.open(request, None).unwrap();
        town.conduct_to_end().unwrap();
        let conducted = town.conducted();
        Run {
            events: parsed(&conducted),
            conducted,
        }
    }
}

struct Run {
    conducted: SimulatedRun,
    events: Vec<Value>,
}

impl Run {
    fn last(&self) -> &Value {
        self.events.last().unwrap()
    }

    /// `final`, `no_path search_budget`, `error provider_down rekognition`.
    fn ending(&self) -> String {
        let last = self.last();
        let more = ["reason", "code", "provider"].map(|name| last[name].as_str().unwrap_or(""));
        [&[last["type"].as_str().unwrap()], &more[..]]
            .concat()
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn says(&self, words: &str) -> bool {
        self.events
            .iter()
            .any(|event| event["message"].as_str().is_some_and(|m| m.contains(words)))
    }

    fn calls_of(&self, provider: &str) -> usize {
        self.conducted
            .calls
            .iter()
            .filter(|(name, _, _)| name == provider)
            .count()
    }
}

/// The events' JSON, after the laws of every stream were checked.
fn parsed(conducted: &SimulatedRun) -> Vec<Value> {
    let events: Vec<Value> = conducted
        .events
        .iter()
        .map(|event| serde_json::from_str(&event.json).unwrap())
        .collect();
    for (number, (event, json)) in (1u32..).zip(conducted.events.iter().zip(&events)) {
        assert_eq!(event.number, number, "numbers without gaps");
        assert_eq!(json["type"], event.kind);
        assert_eq!(
            event.is_last,
            number as usize == events.len(),
            "exactly one last event"
        );
        assert!(
            !event.json.contains('\n') && !event.json.contains("sandbox-"),
            "no key in an event"
        );
    }
    events
}

#[test]
fn the_example_is_found_with_every_hop_proven() {
    let run = Scenario::new().run();
    assert_eq!(run.ending(), "final");
    let last = run.last();
    assert_eq!(
        last["path"].as_array().unwrap().len() - 1,
        last["edges"].as_array().unwrap().len()
    );
    let spent = &last["spent"];
    assert_eq!(spent["searchCalls"], run.calls_of("google"));
    assert_eq!(spent["rekognitionCalls"], run.calls_of("rekognition"));
    let usd = run.calls_of("google") as f64 * 0.005 + run.calls_of("rekognition") as f64 * 0.001;
    assert!((spent["usd"].as_f64().unwrap() - usd).abs() < 1e-9);
    for edge in last["edges"].as_array().unwrap() {
        let told = run.events.iter().any(|event| {
            event["type"] == "evidence"
                && [&event["edge"]["from"], &event["edge"]["to"]].contains(&&edge["from"])
                && [&event["edge"]["from"], &event["edge"]["to"]].contains(&&edge["to"])
        });
        assert!(told, "the evidence of each edge of the path was sent");
    }
}

#[test]
fn the_planner_is_asked_and_its_words_are_told() {
    let run = Scenario::new().with_planner().run();
    assert_eq!(run.ending(), "final");
    assert!(run.calls_of("gemini") >= 1);
    assert_eq!(run.last()["spent"]["llmCalls"], run.calls_of("gemini"));
    assert!(run.says("chosen by the planner"));
}

#[test]
fn one_sided_goes_through_the_states_of_the_specification() {
    let limits = Limits {
        plan: Plan::OneSided,
        ..Limits::default()
    };
    let run = Scenario {
        limits,
        ..Scenario::new()
    }
    .run();
    let states: Vec<&str> = run
        .events
        .iter()
        .filter_map(|event| event["state"].as_str())
        .collect();
    for state in ["S0", "S1", "S2", "S3", "S4"] {
        assert!(states.contains(&state), "{state} in {states:?}");
    }
}

#[test]
fn every_failure_of_a_provider_ends_as_the_product_says() {
    // Every kind that the sandbox knows must be in this table or in the next.
    let google: &[(&str, &str)] = &[
        ("bad-key", "error misconfigured google"),
        ("bad-cx", "error provider_refused google"),
        ("closed", "error provider_closed google"),
        ("gone-410", "error provider_closed google"),
        ("invalid-value", "error provider_refused google"),
        ("disabled", "error misconfigured google"),
        ("daily-limit-403", "error provider_quota google"),
        ("quota-day", "error provider_quota google"),
        ("quota-minute", "error provider_throttled google"),
        ("server-error-500", "error provider_down google"),
        ("bad-gateway-html", "error provider_down google"),
        ("hang", "error provider_down google"),
        ("garbage", "error provider_down google"),
        ("empty", "error provider_down google"),
        ("not-found", "error provider_refused google"),
        ("truncated-body", "error provider_down google"),
        ("huge", "error provider_down google"),
        ("slow", "final"),
    ];
    let rekognition: &[(&str, &str)] = &[
        ("access-denied", "error misconfigured rekognition"),
        (
            "throughput-exceeded",
            "error provider_throttled rekognition",
        ),
        ("throttling", "error provider_throttled rekognition"),
        ("throttling-500", "error provider_down rekognition"),
        ("internal", "error provider_down rekognition"),
        ("signature-expired", "error misconfigured rekognition"),
        ("signature-mismatch", "error misconfigured rekognition"),
        ("unrecognized-client", "error misconfigured rekognition"),
        ("expired-token", "error misconfigured rekognition"),
        ("missing-token-403-xml", "error misconfigured rekognition"),
        ("serialization", "error provider_refused rekognition"),
        ("unknown-operation", "error provider_refused rekognition"),
        ("hang", "error provider_down rekognition"),
        ("garbage", "error provider_down rekognition"),
        ("empty", "error provider_down rekognition"),
        ("not-found", "error provider_refused rekognition"),
        ("truncated-body", "error provider_down rekognition"),
        ("huge", "error provider_down rekognition"),
        // A photo that the recogniser cannot read is one photo less, and no proof of anything.
        ("image-too-large", "no_path search_budget"),
        ("invalid-image-format", "no_path search_budget"),
        ("invalid-parameter", "no_path search_budget"),
        ("validation-too-large", "no_path search_budget"),
        ("slow", "final"),
    ];
    for (provider, table) in [
        (SandboxProvider::Google, google),
        (SandboxProvider::Rekognition, rekognition),
    ] {
        for kind in fault_kinds_of(provider) {
            let known = table.iter().find(|(name, _)| *name == kind);
            let (_, expected) =
                known.unwrap_or_else(|| panic!("{provider} {kind} is not in the table"));
            let run = Scenario::new().fault(provider, kind).run();
            let ending = run.ending();
            // Nobody is ever recognised here: which "no" it is depends on what runs out first.
            let is_photo_failure = expected.starts_with("no_path search");
            if is_photo_failure {
                assert!(ending.starts_with("no_path"), "{provider} {kind}: {ending}");
                assert_ne!(
                    ending, "no_path unknown_person",
                    "a failure is never “not there”"
                );
                assert!(
                    run.last()["spent"]["photos"]["unreadable"]
                        .as_u64()
                        .unwrap()
                        > 0
                );
            } else {
                assert_eq!(ending, *expected, "{provider} {kind}");
            }
            assert!(
                run.conducted.took_ms <= 140_000,
                "{provider} {kind}: never a hang"
            );
        }
    }
}

#[test]
fn the_planner_failing_never_ends_a_run() {
    for kind in fault_kinds_of(SandboxProvider::Gemini) {
        let run = Scenario::new()
            .with_planner()
            .fault(SandboxProvider::Gemini, kind)
            .run();
        assert_eq!(run.ending(), "final", "{kind}");
        let is_still_a_plan = matches!(kind, "slow" | "multi-part" | "thought-part");
        let is_told = run.says("the ranking decides");
        assert!(
            is_still_a_plan || is_told,
            "{kind}: the event says that the ranking decides"
        );
    }
}

#[test]
fn photos_that_cannot_be_had_are_counted_and_the_search_goes_on() {
    for kind in fault_kinds_of(SandboxProvider::Image) {
        let run = Scenario::new().fault(SandboxProvider::Image, kind).run();
        let photos = &run.last()["spent"]["photos"];
        let bad = photos["unfetchable"].as_u64().unwrap() + photos["unreadable"].as_u64().unwrap();
        // We send a user agent and no referrer, follow two redirects and wait for drops.
        let works = matches!(
            kind,
            "slow" | "slow-drip" | "redirect" | "forbidden-hotlink"
        );
        assert!(works || bad > 0, "{kind}: {photos}");
        assert_ne!(run.ending(), "no_path unknown_person", "{kind}");
        assert!(
            !run.ending().starts_with("error"),
            "{kind}: {}",
            run.ending()
        );
    }
}

#[test]
fn throttling_now_and_then_is_waited_out_and_every_attempt_counts() {
    let mut scenario = Scenario::new();
    scenario.options.faults = FaultPlan::parse(
        r#"[{"provider":"rekognition","every":3,"kind":"throttling"},
            {"provider":"google","every":4,"kind":"quota-minute"}]"#,
    )
    .unwrap();
    let run = scenario.run();
    assert_eq!(run.ending(), "final");
    assert_eq!(run.last()["spent"]["searchCalls"], run.calls_of("google"));
    assert_eq!(
        run.last()["spent"]["rekognitionCalls"],
        run.calls_of("rekognition")
    );
    assert!(
        run.conducted
            .calls
            .iter()
            .any(|(_, _, status)| *status == 400)
    );
}

#[test]
fn a_budget_is_never_passed_even_by_retries() {
    for (searches, recognitions) in [(1, 100), (2, 3), (7, 11), (20, 1)] {
        let mut scenario = Scenario::new();
        scenario.limits.searches_max = searches;
        scenario.limits.recognitions_max = recognitions;
        scenario.options.faults = FaultPlan::parse(
            r#"[{"provider":"rekognition","every":2,"kind":"throttling"},
                {"provider":"google","every":2,"kind":"server-error-500"}]"#,
        )
        .unwrap();
        let run = scenario.run();
        assert!(run.calls_of("google") <= searches as usize);
        assert!(run.calls_of("rekognition") <= recognitions as usize);
    }
}

#[test]
fn the_clock_ends_a_run_in_the_middle_of_a_slow_call() {
    let mut scenario = Scenario::new();
    scenario.limits.runtime_ms_max = 2_000;
    scenario.options.latency = Latency {
        google_ms: 900,
        image_ms: 900,
        ..Latency::default()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path runtime_budget");
    let end = run.last()["spent"]["runtimeMs"].as_u64().unwrap();
    assert!((2_000..2_100).contains(&end), "{end}");
}

#[test]
fn stop_ends_a_run_within_one_call_with_what_it_has() {
    let mut scenario = Scenario::new();
    scenario.stop_after_events = Some(12);
    scenario.options.latency = Latency {
        rekognition_ms: 3_000,
        ..Latency::default()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path stopped");
    assert!(run.events.len() <= 14);
}

#[test]
fn a_name_that_nobody_bears_is_told_early_with_the_nearest_ones() {
    let scenario = Scenario {
        names: Some(("Sherlok Homes", "Jean Valjean")),
        ..Scenario::new()
    };
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path unknown_person");
    assert_eq!(run.last()["unknown"], serde_json::json!(["a"]));
    assert!(run.last()["spent"]["searchCalls"].as_u64().unwrap() <= 8);
}

#[test]
fn namesakes_are_kept_apart_and_told() {
    let names = Some(("John Thornton", "Margaret Hale"));
    let mut scenario = Scenario {
        names,
        ..Scenario::new()
    };
    scenario.limits.images_per_search = 10;
    let run = scenario.run();
    assert!(run.says("A second person named John Thornton") || run.ending() == "final");
}

#[test]
fn a_name_that_nobody_has_is_told_after_three_searches_whatever_the_planner_wants() {
    let mut scenario = Scenario::new().with_planner();
    scenario.names = Some(("Elizabeth Benet", "Charlotte Lucas"));
    let run = scenario.run();
    assert_eq!(run.ending(), "no_path unknown_person");
    let naming = run.conducted.calls.iter();
    let naming = naming.filter(|(provider, key, _)| provider == "google" && key.contains("Benet"));
    assert_eq!(naming.count(), 3);
    assert!(
        run.calls_of("google") <= 6,
        "{} searches",
        run.calls_of("google")
    );
}

#[test]
fn kv_failing_is_said_and_the_run_goes_on() {
    for kind in [FaultKind::FailForever, FaultKind::HangForever] {
        let mut scenario = Scenario {
            troubles: vec![InjectedFault {
                at: Some(Operation::Put),
                number: 1,
                when: FaultTiming::Before,
                kind,
            }],
            ..Scenario::new()
        };
        scenario.options.latency.rekognition_ms = 9_000;
        let run = scenario.run();
        assert_eq!(run.ending(), "final");
        assert!(run.says("could not be written"));
    }
}

#[test]
fn documents_are_few_spaced_and_read_back_as_the_record() {
    let mut scenario = Scenario::new();
    scenario.options.latency = Latency {
        google_ms: 300,
        image_ms: 400,
        rekognition_ms: 500,
        gemini_ms: 900,
    };
    let run = scenario.run();
    let puts = &run.conducted.puts;
    assert!(puts.len() <= WRITES_MAX as usize, "{} writes", puts.len());
    for (position, put) in puts.iter().enumerate() {
        let again = puts
            .iter()
            .skip(position + 1)
            .find(|later| later.key == put.key);
        assert!(
            again.is_none_or(|later| later.at_ms - put.at_ms >= 1_000),
            "{}",
            put.key
        );
    }
    let record = record_after(&run, puts.len()).unwrap();
    assert_eq!(record["path"], run.last()["path"]);
    assert_eq!(record["edges"], run.last()["edges"]);
    assert_eq!(record["spent"], run.last()["spent"]);
    assert_eq!(record["meta"]["endedWith"], "final");
    assert!(!record["decisions"].as_array().unwrap().is_empty());
    assert!(!record["candidates"].as_array().unwrap().is_empty());
    assert!(!record["queries"].as_array().unwrap().is_empty());
}

/// What the record says once the first `count` documents have arrived.
fn record_after(run: &Run, count: usize) -> Option<Value> {
    let newest: std::collections::BTreeMap<String, String> = run.conducted.puts[..count]
        .iter()
        .map(|put| (put.key.clone(), put.document.clone()))
        .collect();
    let documents: Vec<(String, String)> = newest.into_iter().collect();
    let id = &run.conducted.events[0].run;
    let keys = Keys::new("s1", id.strip_prefix("s1.").unwrap());
    record(id, &keys, &documents)
}

#[test]
fn a_record_that_says_the_run_has_ended_is_whole() {
    for rekognition_ms in [0, 2_000] {
        let mut scenario = Scenario::new();
        scenario.options.latency.rekognition_ms = rekognition_ms;
        let run = scenario.run();
        let count = run.conducted.puts.len();
        let whole = record_after(&run, count).unwrap();
        let mut ended = 0;
        for count in 0..=count {
            let record = record_after(&run, count);
            if record.is_some_and(|record| record["meta"]["endedWith"] != Value::Null) {
                ended += 1;
                assert_eq!(
                    record_after(&run, count).unwrap(),
                    whole,
                    "after {count} puts"
                );
            }
        }
        assert!(ended > 0, "the record tells the end");
    }
}

#[test]
fn the_same_run_is_the_same_run() {
    let jsons = |run: Run| {
        run.conducted
            .events
            .into_iter()
            .map(|e| e.json)
            .collect::<Vec<_>>()
    };
    assert_eq!(jsons(Scenario::new().run()), jsons(Scenario::new().run()));
}

#[test]
fn the_address_of_the_evidence_gives_the_very_bytes_that_were_recognised() {
    let run = Scenario::new().run();
    let mut sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let (mut checked, mut thumbnails) = (0, 0);
    for event in run
        .events
        .iter()
        .filter(|event| event["type"] == "evidence")
    {
        for photo in event["edge"]["evidence"].as_array().unwrap() {
            let address = photo["imageUrl"].as_str().unwrap();
            let request = http::Request::get(address).header("user-agent", "a browser");
            let reply = sandbox.respond(request.body(Vec::new()).unwrap(), START_MS);
            if reply.response.status() != 200 {
                // A redirect leads to the same bytes; following it is the fetcher's own test.
                assert!(reply.response.status().is_redirection(), "{address}");
                continue;
            }
            let digest = Sha256::digest(reply.response.body().bytes());
            assert_eq!(
                photo["sha256"],
                PhotoDigest::new(digest.into()).as_str(),
                "{address}"
            );
            checked += 1;
            thumbnails += usize::from(address.contains("/thumbnails/"));
        }
    }
    assert!(
        checked > 5,
        "{checked} photos, {thumbnails} of them thumbnails"
    );
}

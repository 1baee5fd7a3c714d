//! Runs without failures.

use devtools::rehearsal::START_MS;
use domain::{Limits, Plan, Sha256Digest};
use sandbox::{Sandbox, SandboxOptions, own_world};
use sha2::{Digest as _, Sha256};

use crate::observed::ObservedRun;

use super::scenario::Scenario;

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
fn the_same_run_is_the_same_run() {
    let jsons = |run: ObservedRun| {
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
                // A redirect leads to the same bytes; following it has its own test.
                assert!(reply.response.status().is_redirection(), "{address}");
                continue;
            }
            let digest = Sha256::digest(reply.response.body().bytes());
            assert_eq!(
                photo["sha256"],
                Sha256Digest::new(digest.into()).as_str(),
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

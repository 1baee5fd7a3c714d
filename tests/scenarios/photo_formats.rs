//! Photos in formats that the recogniser does not accept.

use domain::{CallPrices, WordUse};
use engine::budget::Amount;
use sandbox::SandboxProvider;
use serde_json::Value;

use crate::observed::ObservedRun;

use super::scenario::Scenario;

fn run(webp: f64) -> ObservedRun {
    let mut scenario = Scenario::new();
    scenario.options.bad_images = false;
    scenario.options.webp = webp;
    scenario.limits.words = WordUse::Hints;
    scenario.run()
}

/// Returns the ids of the chain's people, and what the run examined.
fn chain(run: &ObservedRun) -> (Value, Value) {
    let last = run.last();
    (
        last["path"].clone(),
        last["spent"]["photos"]["looked"].clone(),
    )
}

#[test]
fn photos_in_webp_lead_to_the_same_chain() {
    let plain = run(0.0);
    assert_eq!(
        plain.last()["spent"]["photos"].get("unreadable"),
        Some(&Value::from(0))
    );
    for share in [1.0, 0.15] {
        let webp = run(share);
        assert_eq!(chain(&webp), chain(&plain), "{share}");
        let mut journal = webp.conducted.journal.iter();
        assert!(journal.any(|entry| entry.contains("sentSha256")), "{share}");
    }
}

/// Conducts a run with this fault of every photo, on a platform that converts photos.
fn converted(fault: &str, budget_nano_usd: Option<u64>) -> ObservedRun {
    let mut scenario = Scenario::new()
        .fault(SandboxProvider::Image, fault)
        .set("IMAGES", "bound");
    scenario.limits.converts_photos = true;
    scenario.limits.nano_usd_max = budget_nano_usd;
    scenario.limits.prices = CallPrices {
        search_nano_usd_max: 5_000_000,
        recognition_nano_usd_max: 1_500_000,
        conversion_nano_usd_max: 500_000,
        ..CallPrices::default()
    };
    scenario.run()
}

fn nano_usd(run: &ObservedRun) -> u64 {
    Amount::nano_usd_of(run.last()["spent"]["usd"].as_f64().unwrap())
}

#[test]
fn photos_over_5_mb_are_converted_for_their_price() {
    let run = converted("oversize-declared", None);
    let last = run.last();
    assert_eq!(last["type"], "final", "{last}");
    let spent = &last["spent"];
    let calls = |name: &str| spent[name].as_u64().unwrap();
    assert_eq!(spent["photos"]["unreadable"], 0);
    let bought = calls("searchCalls") * 5_000_000 + calls("rekognitionCalls") * 1_000_000;
    let converted = (nano_usd(&run) - bought) / 500_000;
    let looked = spent["photos"]["looked"].as_u64().unwrap();
    assert!(converted >= looked, "{converted} of {looked}: {spent}");
    let is_conversion = |intent: &&Value| intent["attempt"] == 2 && intent["nanoUsd"] == 500_000;
    let intents = run.entries("intent").filter(is_conversion).count();
    assert_eq!(
        intents as u64, converted,
        "each is in the journal before it is made"
    );
    let mut journal = run.conducted.journal.iter();
    assert!(journal.any(|entry| entry.contains("sentSha256")));
}

#[test]
fn what_comes_back_is_checked() {
    let run = converted("avif", None);
    assert_eq!(run.last()["spent"]["photos"]["looked"], 0);
    assert!(run.says("could not be read: it is neither JPEG, PNG nor WebP."));
}

#[test]
fn conversions_stay_within_the_runs_dollars() {
    for budget in [7_000_000, 20_000_000, 31_400_000, 60_000_000] {
        let run = converted("oversize-declared", Some(budget));
        assert!(nano_usd(&run) <= budget, "{} of {budget}", nano_usd(&run));
    }
}

#[test]
fn without_a_converter_they_are_passed_over() {
    let mut scenario = Scenario::new().fault(SandboxProvider::Image, "oversize-declared");
    scenario.limits.words = WordUse::Hints;
    let run = scenario.run();
    assert_eq!(run.last()["spent"]["photos"]["looked"], 0);
}

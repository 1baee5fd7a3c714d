//! Photos in formats that the recogniser does not take.

use serde_json::Value;

use crate::observed::ObservedRun;

use super::scenario::Scenario;

fn run(webp: f64) -> ObservedRun {
    let mut scenario = Scenario::new();
    scenario.options.bad_images = false;
    scenario.options.webp = webp;
    scenario.limits.reads_captions = true;
    scenario.run()
}

/// The ids of the chain's people, and what the run looked at.
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

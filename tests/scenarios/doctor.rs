//! The doctor against the sandbox: a line for each provider, and what mends those that fail.

use std::cell::RefCell;
use std::future::pending;

use futures::FutureExt as _;
use visual_degrees::providers::{WireRequest, WireResponse};
use visual_degrees::rehearsal::{START_MS, sandbox_settings};
use visual_degrees::sandbox::{Sandbox, SandboxOptions, own_world};
use visual_degrees::session::{Diagnosis, Network, TransportError, diagnose};

const ALL: [(&str, &str); 2] = [
    (
        "IMAGE_SEARCH",
        "brave,commons,google,openverse,serpapi,serper",
    ),
    ("PLANNER", "gemini,workers-ai,openai"),
];

/// The sandbox, which answers at once; or nobody, at these addresses.
struct SandboxNetwork {
    sandbox: RefCell<Sandbox>,
    unreachable: &'static str,
}

impl Network for SandboxNetwork {
    fn now_ms(&self) -> u64 {
        START_MS
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, _: u64) {
        pending::<()>().await;
    }

    async fn send(&self, request: WireRequest, _: usize) -> Result<WireResponse, TransportError> {
        if request.uri().host() == Some(self.unreachable) {
            return Err(TransportError::Broken);
        }
        let reply = self.sandbox.borrow_mut().respond(request, START_MS);
        Ok(reply.response.map(|body| body.bytes()))
    }
}

/// What the doctor says with all providers and these settings, and how many it asked.
fn examine(more: &[(&str, &str)], example: Option<&str>) -> (Vec<Diagnosis>, usize) {
    let options = SandboxOptions::default();
    let settings = sandbox_settings(&options, &[&ALL[..], more].concat());
    let sandbox = Sandbox::new(own_world().unwrap(), options);
    let example = example.map_or_else(|| sandbox.example().unwrap().0.clone(), str::to_owned);
    let network = SandboxNetwork {
        sandbox: RefCell::new(sandbox),
        unreachable: "rekognition.xx-none-1.amazonaws.com",
    };
    let providers = settings.providers.unwrap();
    let asking = diagnose(&network, &providers, settings.people.as_ref(), &example);
    let checks = asking.now_or_never().expect("the sandbox answers at once");
    let asked = network.sandbox.borrow().calls().count();
    (checks, asked)
}

#[track_caller]
fn check_of(checks: &[Diagnosis], provider: &str) -> Diagnosis {
    let found = checks.iter().find(|check| check.provider == provider);
    found.unwrap().clone()
}

#[test]
fn every_provider_is_asked_once_and_works() {
    let (checks, asked) = examine(&[], None);
    let failing: Vec<_> = checks.iter().filter(|check| !check.works).collect();
    assert_eq!((checks.len(), asked), (11, 11));
    assert!(failing.is_empty(), "{failing:?}");
    let people = check_of(&checks, "wikidata");
    assert_eq!(
        (people.role, &*people.message),
        ("people", "Wikidata works.")
    );
}

#[test]
fn wikidata_is_asked_only_where_it_suggests_people() {
    let (checks, asked) = examine(&[("PEOPLE", "none")], None);
    assert_eq!((checks.len(), asked), (10, 10));
}

#[test]
fn a_name_that_nobody_bears_is_told() {
    let (checks, _) = examine(&[], Some("Sherlok Homes"));
    let people = check_of(&checks, "wikidata");
    assert!(people.works);
    assert_eq!(
        people.message,
        "Wikidata answers, but knows nobody named Sherlok Homes."
    );
}

#[test]
fn a_region_without_the_recogniser_is_named() {
    let elsewhere = [("AWS_REGION", "xx-none-1"), ("REKOGNITION_ENDPOINT", "")];
    let (checks, _) = examine(&elsewhere, None);
    let recogniser = check_of(&checks, "rekognition");
    assert!(!recogniser.works);
    assert!(
        recogniser.message.contains("look at AWS_REGION"),
        "{}",
        recogniser.message
    );
}

#[test]
fn a_key_that_is_not_known_is_named_with_all_that_may_be_wrong() {
    let (checks, _) = examine(&[("AWS_ACCESS_KEY_ID", "NOBODY")], None);
    let recogniser = check_of(&checks, "rekognition");
    assert!(!recogniser.works);
    for word in ["AWS_ACCESS_KEY_ID", "activated for Rekognition"] {
        assert!(recogniser.message.contains(word), "{}", recogniser.message);
    }
}

//! Providers that fail, each in every way that the sandbox supports.

use sandbox::{FaultPlan, SandboxProvider, fault_kinds_of};

use super::scenario::Scenario;

/// How a run ends, such as `error misconfigured google`, by the fault of a provider from the first call on. All of the
/// sandbox's faults must be listed.
type Endings = [(&'static str, &'static str)];

const GOOGLE_FAILING: &Endings = &[
    ("bad-key", "error misconfigured google"),
    ("bad-cx", "error provider_refused google"),
    ("closed", "error provider_closed google"),
    ("gone-410", "error provider_closed google"),
    ("invalid-value", "error provider_refused google"),
    ("disabled", "error misconfigured google"),
    ("image-search-off", "error misconfigured google"),
    ("key-service-blocked-403", "error misconfigured google"),
    ("key-referrer-blocked-403", "error misconfigured google"),
    ("key-address-blocked-403", "error misconfigured google"),
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

const REKOGNITION_FAILING: &Endings = &[
    ("access-denied", "error misconfigured rekognition"),
    ("access-denied-bare", "error misconfigured rekognition"),
    ("subscription-required", "error misconfigured rekognition"),
    ("opt-in-required", "error misconfigured rekognition"),
    ("invalid-s3-object", "error provider_refused rekognition"),
    (
        "throughput-exceeded",
        "error provider_throttled rekognition",
    ),
    ("throttling", "error provider_throttled rekognition"),
    ("throttling-500", "error provider_throttled rekognition"),
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
    // An unreadable photo is one photo less, and proves nothing.
    ("image-too-large", "no_path search_budget"),
    ("invalid-image-format", "no_path search_budget"),
    ("invalid-parameter", "no_path search_budget"),
    ("validation-too-large", "no_path search_budget"),
    ("parameter-too-large", "no_path search_budget"),
    ("slow", "final"),
];

fn check_endings(provider: SandboxProvider, table: &Endings) {
    for kind in fault_kinds_of(provider) {
        let known = table.iter().find(|(name, _)| *name == kind);
        let (_, expected) =
            known.unwrap_or_else(|| panic!("{provider} {kind} is not in the table"));
        let run = Scenario::new().fault(provider, kind).run();
        let ending = run.ending();
        // Nobody is ever recognised here: the reason depends on which budget is used up first.
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

#[test]
fn every_failure_of_the_search_engine_ends_as_the_product_says() {
    check_endings(SandboxProvider::Google, GOOGLE_FAILING);
}

#[test]
fn every_failure_of_the_recogniser_ends_as_the_product_says() {
    check_endings(SandboxProvider::Rekognition, REKOGNITION_FAILING);
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
        // We send a user agent and no referrer, follow two redirects, wait for slow pieces and read WebP.
        let works = matches!(
            kind,
            "slow" | "slow-drip" | "redirect" | "forbidden-hotlink" | "webp"
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
fn throttling_now_and_then_is_waited_out_and_is_no_attempt() {
    let mut scenario = Scenario::new();
    scenario.options.faults = FaultPlan::parse(
        r#"[{"provider":"rekognition","every":3,"kind":"throttling"},
            {"provider":"google","every":4,"kind":"quota-minute"}]"#,
    )
    .unwrap();
    let run = scenario.run();
    assert_eq!(run.ending(), "final");
    let count = |name: &str| run.last()["spent"][name].as_u64().unwrap_or_default();
    let throttled = count("throttledCalls");
    assert!(throttled > 3, "{throttled}");
    let sent = run.calls_of("google") + run.calls_of("rekognition");
    let charged = count("searchCalls") + count("rekognitionCalls");
    assert_eq!(charged + throttled, sent as u64);
}

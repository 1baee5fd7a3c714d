//! Tests of faults and of bad images.

use super::*;
use crate::providers::images::image_fault;

/// Returns the status that a kind of fault should have; 200 for kinds that are not listed.
fn expected_status(provider: SandboxProvider, kind: &str) -> u16 {
    match (provider, kind) {
        (SandboxProvider::WorkersAi | SandboxProvider::OpenAi, _) => expected_planner_status(kind),
        (SandboxProvider::References, kind) => expected_search_status(kind),
        (
            SandboxProvider::Commons
            | SandboxProvider::Brave
            | SandboxProvider::Openverse
            | SandboxProvider::SerpApi
            | SandboxProvider::Serper
            | SandboxProvider::Wikidata,
            _,
        ) => expected_search_status(kind),
        (_, kind) if kind.ends_with("-403") => 403,
        (SandboxProvider::Google, "closed" | "disabled")
        | (SandboxProvider::Gemini, "permission-denied")
        | (SandboxProvider::Rekognition, "missing-token-403-xml")
        | (SandboxProvider::Image, "forbidden") => 403,
        (_, "quota-day" | "quota-minute" | "quota-bare" | "throttled-429") => 429,
        (_, "bad-gateway-html") => 502,
        (_, "gone-410") => 410,
        (_, "not-found" | "model-gone-404") | (SandboxProvider::Image, "raw-link") => 404,
        (_, "server-error-500" | "internal" | "throttling-500" | "internal-500") => 500,
        (_, "credit-gone-402") => 402,
        (_, "cancelled-499") => 499,
        (_, "overloaded-503") => 503,
        (_, "deadline-504") => 504,
        (_, "redirect" | "redirect-maze" | "redirect-html") => 302,
        (_, "thumb-step-400") => 400,
        (_, "hang" | "slow" | "garbage" | "empty" | "truncated-body" | "huge")
        | (SandboxProvider::Image, _)
        | (
            SandboxProvider::Gemini,
            "fenced" | "multi-part" | "thought-part" | "max-tokens-empty" | "safety"
            | "blocked-prompt" | "extra-text" | "not-json" | "unknown-name",
        ) => 200,
        _ => 400,
    }
}

fn expected_planner_status(kind: &str) -> u16 {
    match kind {
        "bad-token" | "bad-key" => 401,
        "country-403"
        | "model-agreement-5016"
        | "private-model-5018"
        | "private-model-3041"
        | "account-blocked-3023"
        | "paid-plan-5035" => 403,
        "no-route-7003" | "invalid-model-3042" | "not-found" | "model-gone-404"
        | "ollama-model-404" | "vllm-model-404" => 404,
        "no-lora-5005" | "old-sdk-5019" => 405,
        "timeout-3007" | "aborted-3008" | "timeout-3046" => 408,
        "too-large-3006" => 413,
        "neurons-day-3036" | "neurons-day-4006" | "capacity-3040" | "throttled-971" | "quota"
        | "credit-gone" | "rate-limit" => 429,
        "internal-500" | "thrown-3040" => 500,
        "bad-gateway-html" => 502,
        "slow-down-503" | "overloaded-503" => 503,
        "no-such-model-5007"
        | "bad-input-5006"
        | "invalid-data-5004"
        | "incomplete-3003"
        | "no-json-mode-5025"
        | "json-mode-failed"
        | "context-length"
        | "unsupported-parameter"
        | "vllm-bad-request" => 400,
        _ => 200,
    }
}

/// Returns the status with which a search other than Google's should respond to a kind of fault. Most kinds end with
/// their status. It is 200 if MediaWiki's API refuses, and if only the thumbnails are refused.
fn expected_search_status(kind: &str) -> u16 {
    match kind {
        "throttled-bare" | "throttled-day" => 429,
        "bad-gateway-html" => 502,
        "not-found" => 404,
        "thumb-step-400" => 200,
        _ => kind
            .rsplit('-')
            .next()
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(200),
    }
}

/// Makes a sandbox in which every second call to a provider fails, with a different fault each time.
fn failing_every_other(provider: SandboxProvider) -> Sandbox {
    let row = |(number, kind): (usize, &'static str)| json!({"provider": provider.name(), "call": 2 * number + 1, "kind": kind});
    let rows: Vec<Value> = fault_kinds_of(provider)
        .into_iter()
        .enumerate()
        .map(row)
        .collect();
    let faults = FaultPlan::parse(&json!(rows).to_string()).unwrap();
    sandbox(SandboxOptions {
        bad_images: false,
        faults,
        ..SandboxOptions::default()
    })
}

#[test]
fn every_fault_kind_yields_its_status_once() {
    for provider in SandboxProvider::ALL {
        let mut sandbox = failing_every_other(provider);
        for kind in fault_kinds_of(provider) {
            let reply = ask_any(&mut sandbox, provider);
            assert_eq!(
                status(&reply),
                expected_status(provider, kind),
                "{provider} {kind}"
            );
            assert_eq!(
                reply.latency_ms >= 600_000,
                kind == "hang",
                "{provider} {kind}"
            );
            assert_eq!(
                status(&ask_any(&mut sandbox, provider)),
                200,
                "{provider} after {kind}"
            );
        }
    }
}

#[test]
fn faults_have_the_details_that_clients_look_for() {
    let minute = ask_any(
        &mut faulty(SandboxProvider::Google, "quota-minute"),
        SandboxProvider::Google,
    );
    assert_eq!(minute.response.headers()[RETRY_AFTER], "1");
    let bare = ask_any(
        &mut faulty(SandboxProvider::Gemini, "quota-bare"),
        SandboxProvider::Gemini,
    );
    assert!(body(&bare)["error"].get("details").is_none());
    let later = ask_any(
        &mut faulty(SandboxProvider::Gemini, "quota-minute"),
        SandboxProvider::Gemini,
    );
    assert_eq!(body(&later)["error"]["details"][2]["retryDelay"], "1s");
    let internal = ask_any(
        &mut faulty(SandboxProvider::Rekognition, "internal"),
        SandboxProvider::Rekognition,
    );
    assert!(body(&internal).get("__type").is_none());
    let cut = ask_any(
        &mut faulty(SandboxProvider::Google, "truncated-body"),
        SandboxProvider::Google,
    );
    assert!(cut.is_short());
    let huge = ask_any(
        &mut faulty(SandboxProvider::Gemini, "huge"),
        SandboxProvider::Gemini,
    );
    assert!(huge.response.body().bytes().len() > 8_000_000);
}

#[test]
fn ugly_images_are_ugly_in_their_own_way() {
    let image = |kind: &str| {
        ask_any(
            &mut faulty(SandboxProvider::Image, kind),
            SandboxProvider::Image,
        )
    };
    let starts = |kind: &str, start: &[u8]| {
        assert!(
            image(kind).response.body().bytes().starts_with(start),
            "{kind}"
        );
    };
    starts("webp", b"RIFF");
    starts("gif", b"GIF8");
    starts("avif", b"\0\0\0\x20ftypavif");
    starts("html", b"<!DOCTYPE");
    let oversize = image("oversize");
    assert!(oversize.response.headers().get(CONTENT_LENGTH).is_none());
    assert_eq!(oversize.response.body().bytes().len(), 6_000_000);
    let truncated = image("truncated").response.into_body().bytes();
    assert!(crate::picture::inspect(&truncated).is_err());
    assert!(image("slow-drip").response.body().pauses_ms() > 10_000);
    assert_eq!(image("zero-bytes").response.body().bytes(), b"");
    assert!(matches!(
        image("truncated-body").response.body(),
        ReplyBody::Pieces {
            ending: BodyEnding::BrokenOff,
            ..
        }
    ));
}

fn hops(kind: &str) -> (usize, u16) {
    let mut sandbox = faulty(SandboxProvider::Image, kind);
    let mut reply = ask_any(&mut sandbox, SandboxProvider::Image);
    let mut count = 0;
    while let Some(next) = reply.response.headers().get(LOCATION) {
        count += 1;
        let next = next.to_str().unwrap().to_owned();
        reply = get(
            &mut sandbox,
            next.strip_prefix("http://127.0.0.1:8788").unwrap_or(&next),
        );
    }
    (count, status(&reply))
}

#[test]
fn redirects_lead_somewhere() {
    assert_eq!(hops("redirect"), (2, 200));
    assert_eq!(hops("redirect-maze"), (25, 200));
    assert_eq!(hops("redirect-html"), (1, 200));
}

#[test]
fn a_picky_host_wants_an_agent_and_no_referer() {
    let ask = |headers: &[(&str, &str)]| {
        let mut sandbox = faulty(SandboxProvider::Image, "forbidden-hotlink");
        let mut request = Request::get("/photos/1.jpg");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        status(&sandbox.respond(request.body(Vec::new()).unwrap(), NOW_MS))
    };
    assert_eq!(ask(&[]), 403);
    assert_eq!(ask(&[("user-agent", "a/1")]), 200);
    assert_eq!(ask(&[("user-agent", "a/1"), ("referer", "https://b")]), 403);
}

#[test]
fn about_one_photo_in_twelve_is_ugly() {
    let options = SandboxOptions::default();
    let ugly = (0..2_400)
        .filter(|photo| image_fault(options.bad_images, *photo).is_some())
        .count();
    assert!((140..260).contains(&ugly), "{ugly} of 2400");
    let off = SandboxOptions {
        bad_images: false,
        ..options
    };
    assert!((0..2_400).all(|photo| image_fault(off.bad_images, photo).is_none()));
}

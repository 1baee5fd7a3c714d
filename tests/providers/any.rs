//! What holds for every provider: bad settings, secrets in failures, and garbage.

use std::fmt::Debug;

use domain::{Failure, FailureKind, Wording};
use platform::{WireRequest, WireResponse};
use providers::{
    ImageSearch as _, Planner as _, Recogniser as _, gemini, google, wikidata, workers_ai,
};
use serde_json::{Value, json};

use crate::random::SplitMix64;

use super::gemini::{gemini_settings, plan_of, question, read_plan};
use super::google::google_settings;
use super::openai::openai_settings;
use super::rekognition::{NOW_MS, faces, rekognition_settings};
use super::search_table::SEARCHES;
use super::shared::{answered, check_malformed, check_no_secret, check_row, named, ok, search_for};
use super::workers_ai::workers_ai_settings;

#[test]
fn settings_that_make_no_request_are_named_and_never_told() {
    #[track_caller]
    fn check(outcome: Result<WireRequest, Failure>) {
        let failure = outcome.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Misconfigured);
        check_no_secret(failure.detail());
    }
    let search = search_for(&[named("Jane Eyre")], Wording::Names);
    for base in ["", "SECRETKEY", "mailto:SECRETKEY", "https://", "/relative"] {
        let settings = google_settings();
        let settings = google::GoogleSettings {
            base: base.into(),
            ..settings
        };
        check(settings.request(&search, 5, 0));
        for other in SEARCHES {
            check((other.request)(base, "key", &search, (5, 0)));
        }
        let settings = gemini_settings();
        let settings = gemini::GeminiSettings {
            base: base.into(),
            ..settings
        };
        check(settings.request(&question()));
        let mut settings = workers_ai_settings();
        if let workers_ai::Access::Rest { base: old, .. } = &mut settings.access {
            *old = base.into();
        }
        check(settings.request(&question()));
        check(settings.probe());
        let mut settings = openai_settings();
        settings.base = base.into();
        check(settings.request(&question()));
        check(settings.probe());
    }
    let mut settings = rekognition_settings();
    settings.endpoint = "https://SECRET KEY".into();
    check(settings.request(b"photo", &[], NOW_MS));
    for key in ["SECRETKEY\n", "SECRETKEY\u{0}"] {
        let mut settings = google_settings();
        settings.key = key.into();
        check(settings.request(&search, 5, 0));
        // SerpApi's key is part of the address, which can hold any character.
        for other in SEARCHES
            .iter()
            .filter(|other| other.has_key && other.name != "serpapi")
        {
            check((other.request)(other.base, key, &search, (5, 0)));
        }
        let mut settings = gemini_settings();
        settings.key = key.into();
        check(settings.request(&question()));
        let mut settings = workers_ai_settings();
        if let workers_ai::Access::Rest { token, .. } = &mut settings.access {
            *token = key.into();
        }
        check(settings.request(&question()));
        let mut settings = openai_settings();
        settings.key = Some(key.into());
        check(settings.request(&question()));
        let mut settings = rekognition_settings();
        settings.signer.credentials.session_token = Some(key.into());
        let made = std::panic::catch_unwind(|| settings.request(b"photo", &[], NOW_MS));
        check(made.expect("a token with a control character panicked"));
    }
}

#[test]
fn daily_quotas_and_closed_products_are_not_retried_and_throttling_is() {
    use FailureKind as Kind;
    for kind in [Kind::Throttled, Kind::Down] {
        assert!(kind.is_transient(), "{kind:?}");
    }
    for kind in [
        Kind::Quota,
        Kind::Closed,
        Kind::Refused,
        Kind::Misconfigured,
        Kind::Malformed,
        Kind::TooLarge,
        Kind::BadImage,
    ] {
        assert!(!kind.is_transient(), "{kind:?}");
    }
}

/// Every provider's failure with this text in place of each code.
fn failures_with_codes(code: &str) -> Vec<Failure> {
    let google = json!({"error": {"status": code, "message": code,
        "errors": [{"reason": code}], "details": [{"reason": code}]}});
    let errors_only = json!({"error": {"errors": [{"reason": code}]}});
    let aws = json!({"__type": code, "message": code});
    let blocked = json!({"promptFeedback": {"blockReason": code}});
    let ended = json!({"candidates": [{"finishReason": code}]});
    let coded = json!({"error": {"code": code, "detail": code}, "message": code, "detail": code});
    let mut failures = Vec::new();
    for status in [400, 403, 429, 503] {
        let reply = |body: &Value| answered(status, &[], body.to_string());
        failures.extend(super::google::read(&reply(&google)).err());
        failures.extend(super::google::read(&reply(&errors_only)).err());
        failures.extend(SEARCHES.map(|search| (search.read)(&reply(&coded)).unwrap_err()));
        failures.extend(read_plan(&reply(&google)).err());
        failures.extend(super::rekognition::read(&reply(&aws)).err());
        let cloudflare = json!({"errors": [{"code": code, "message": code}]});
        failures.extend(workers_ai_settings().read(&reply(&cloudflare)).0.err());
        let openai = json!({"error": {"code": code, "type": code, "message": code}});
        failures.extend(openai_settings().read(&reply(&openai)).0.err());
        let vllm = json!({"object": "error", "type": code, "message": code});
        failures.extend(openai_settings().read(&reply(&vllm)).0.err());
        let header = answered(status, &[("x-amzn-errortype", code)], "");
        failures.extend(super::rekognition::read(&header).err());
        let own = json!({"error": {"code": code, "message": code}});
        failures.extend(super::references::read(&reply(&own)).err());
    }
    failures.extend(read_plan(&ok(blocked.to_string())).err());
    failures.extend(read_plan(&ok(ended.to_string())).err());
    assert_eq!(failures.len(), 62);
    failures
}

#[test]
fn a_sentence_in_the_place_of_a_code_is_not_passed_on() {
    for code in [
        "the key SECRETKEY is not valid",
        "https://x.example/?key=SECRETKEY",
        "SECRETKEY@x.example",
        &format!("SECRETKEY{}", "x".repeat(64)),
    ] {
        for failure in failures_with_codes(code) {
            check_no_secret(failure.detail());
        }
    }
}

#[test]
fn a_key_in_the_place_of_a_code_is_not_passed_on() {
    let google_key = format!("AIza{}", "Sy0d-_7".repeat(5));
    for key in [google_key.as_str(), "AKIAIOSFODNN7EXAMPLE"] {
        for failure in failures_with_codes(key) {
            let detail = failure.detail();
            assert!(!detail.contains(key), "{detail:?} tells a key");
        }
    }
}

#[test]
fn random_bytes_are_malformed() {
    let mut random = SplitMix64(7);
    for number in 0..300 {
        let bytes = random.bytes(400);
        let what = format!("random bytes {number}: {bytes:?}");
        check_malformed(&what, super::google::read(&ok(bytes.clone())));
        for search in SEARCHES {
            check_malformed(&what, (search.read)(&ok(bytes.clone())));
        }
        check_malformed(&what, super::rekognition::read(&ok(bytes.clone())));
        check_malformed(&what, super::references::read(&ok(bytes.clone())));
        check_malformed(&what, read_plan(&ok(bytes.clone())));
        check_malformed(&what, workers_ai_settings().read(&ok(bytes.clone())).0);
        check_malformed(&what, openai_settings().read(&ok(bytes.clone())).0);
        for status in [400, 403, 429, 500] {
            let reply = answered(status, &[], bytes.clone());
            for search in SEARCHES {
                check_no_secret((search.read)(&reply).unwrap_err().detail());
            }
            for failure in [
                super::google::read(&reply).err(),
                super::rekognition::read(&reply).err(),
                super::references::read(&reply).err(),
                read_plan(&reply).err(),
                workers_ai_settings().read(&reply).0.err(),
                openai_settings().read(&reply).0.err(),
            ] {
                check_no_secret(failure.unwrap().detail());
            }
        }
    }
}

#[test]
fn a_reply_cut_anywhere_is_malformed() {
    fn check<T: Debug>(reply: &str, read: impl Fn(&WireResponse) -> Result<T, Failure>) {
        let reply = reply.trim_end().as_bytes();
        for length in 0..reply.len() {
            let what = format!("the first {length} bytes");
            check_malformed(&what, read(&ok(&reply[..length])));
        }
        assert!(read(&ok(reply)).is_ok());
    }
    check(super::google::REPLY, super::google::read);
    for search in SEARCHES {
        check(search.reply, search.read);
    }
    check(super::wikidata::FOUND, wikidata::read_numbers);
    check(super::wikidata::NAMES, super::wikidata::read_people);
    check(super::rekognition::REPLY, super::rekognition::read);
    check(super::references::REPLY, super::references::read);
    check(super::gemini::REPLY, read_plan);
    check(super::workers_ai::REPLY, |reply| {
        workers_ai_settings().read(reply).0
    });
    check(super::openai::REPLY, |reply| {
        openai_settings().read(reply).0
    });
}

#[test]
fn an_array_in_the_place_of_the_whole_answer_is_malformed() {
    for body in ["[]", "[[]]", "[[],{},{}]"] {
        check_malformed(body, super::google::read(&ok(body)));
        for search in SEARCHES {
            check_malformed(search.name, (search.read)(&ok(body)));
        }
        check_malformed(body, super::rekognition::read(&ok(body)));
        check_malformed(body, read_plan(&ok(body)));
        check_malformed(body, workers_ai_settings().read(&ok(body)).0);
        check_malformed(body, openai_settings().read(&ok(body)).0);
    }
    let plan = json!([{"text": r#"[["Mallory"],[],""]"#}]);
    check_malformed("a plan by position", read_plan(&plan_of(&plan)));
}

#[test]
fn an_array_in_the_place_of_a_hit_or_a_face_is_none() {
    let items = json!({"items": [["https://photos.example/mallory.jpg", "Mallory", null]]});
    assert_eq!(
        super::google::read(&ok(items.to_string())).unwrap().hits,
        []
    );
    let face = json!([["1", "Mallory", [], 99.9, {}]]);
    assert_eq!(faces(&face), Ok(Vec::new()));
}

#[test]
fn nesting_without_end_is_no_answer_and_no_panic() {
    for (open, close) in [("[", "]"), ("{\"items\":", "}"), ("{\"error\":[", "]}")] {
        let body = format!("{}1{}", open.repeat(1_000), close.repeat(1_000));
        // An ignored member may nest to any depth.
        assert!(
            super::google::read(&ok(body.clone()))
                .unwrap_or_default()
                .hits
                .is_empty()
        );
        check_malformed(open, super::rekognition::read(&ok(body.clone())));
        check_malformed(open, read_plan(&ok(body.clone())));
        check_malformed(open, workers_ai_settings().read(&ok(body.clone())).0);
        check_malformed(open, openai_settings().read(&ok(body.clone())).0);
        let row = json!({"kind": "Down", "status": 503, "body": body});
        check_row(super::google::read, &row);
        for search in SEARCHES {
            check_malformed(search.name, (search.read)(&ok(body.clone())));
            check_row(search.read, &row);
        }
        check_row(super::rekognition::read, &row);
        check_row(read_plan, &row);
        check_row(|reply| workers_ai_settings().read(reply).0, &row);
        check_row(|reply| openai_settings().read(reply).0, &row);
    }
}

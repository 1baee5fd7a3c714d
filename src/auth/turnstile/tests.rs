

use std::cell::{Cell, RefCell};

use futures::FutureExt as _;
use platform::TransportError;
use serde_json::Value;

use crate::auth::turnstile::*;

/// A fake Siteverify that answers with these bodies in turn. `None` stands for a broken connection.
struct Siteverify {
    answers: RefCell<Vec<Option<Value>>>,
    asked: RefCell<Vec<Value>>,
    now_ms: Cell<u64>,
    answer_ms: u64,
}

impl Network for Siteverify {
    type Body = Vec<u8>;

    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        if ms <= self.answer_ms {
            return;
        }
        futures::future::pending::<()>().await;
    }

    async fn open(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        assert_eq!(request.uri(), "https://t.example/turnstile/v0/siteverify");
        let body = serde_json::from_slice(request.body()).unwrap();
        self.asked.borrow_mut().push(body);
        self.now_ms.set(self.now_ms.get() + self.answer_ms);
        if self.answer_ms >= CHECK_MS_MAX {
            futures::future::pending::<()>().await;
        }
        let answer = self.answers.borrow_mut().remove(0);
        let body = answer.ok_or(TransportError::Broken)?.to_string();
        Ok(http::Response::new(body.into_bytes()))
    }
}

fn settings(secret: &str) -> TurnstileSettings {
    TurnstileSettings {
        site_key: "site".into(),
        secret_key: secret.to_owned().into(),
        base: "https://t.example".into(),
    }
}

const VISITOR: Visitor<'static> = Visitor {
    token: Some("token"),
    address: Some("192.0.2.1"),
    host: "degrees.example",
    attempt: "key",
};

fn good() -> Value {
    json!({"success": true, "hostname": "degrees.example", "action": "start-run", "error-codes": []})
}

fn failed(code: &str) -> Value {
    json!({"success": false, "error-codes": [code]})
}

/// Returns the status of the refusal, or 0 if the visitor was admitted. Also returns the requests sent to Siteverify.
fn check(
    secret: &str,
    visitor: Visitor<'_>,
    answers: &[Option<Value>],
    answer_ms: u64,
) -> (u16, Vec<Value>) {
    let network = Siteverify {
        answers: RefCell::new(answers.to_vec()),
        asked: RefCell::default(),
        now_ms: Cell::new(1_000),
        answer_ms,
    };
    let settings = settings(secret);
    let checked = check_visitor(&network, &settings, &visitor).now_or_never();
    let status = checked
        .unwrap()
        .map_or_else(|problem| problem.status(), |()| 0);
    (status, network.asked.into_inner())
}

#[test]
fn a_good_token_passes_and_is_asked_about_with_all_that_is_known() {
    let (status, asked) = check("secret", VISITOR, &[Some(good())], 10);
    assert_eq!((status, asked.len()), (0, 1));
    let uuid = asked[0]["idempotency_key"].as_str().unwrap();
    let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(parts, [8, 4, 4, 4, 12]);
    let expected = json!({"secret": "secret", "response": "token", "remoteip": "192.0.2.1", "idempotency_key": uuid});
    assert_eq!(asked[0], expected);
    let other = Visitor {
        attempt: "other",
        ..VISITOR
    };
    let (_, again) = check("secret", VISITOR, &[Some(good())], 10);
    let (_, else_) = check("secret", other, &[Some(good())], 10);
    assert_eq!(again[0], asked[0]);
    assert_ne!(else_[0]["idempotency_key"], asked[0]["idempotency_key"]);
}

#[test]
fn without_a_token_nobody_is_asked() {
    let long = "x".repeat(2_049);
    for token in [None, Some(" "), Some(long.as_str())] {
        let visitor = Visitor { token, ..VISITOR };
        assert_eq!(check("secret", visitor, &[], 10), (403, Vec::new()));
    }
}

#[test]
fn a_token_of_another_page_or_for_something_else_is_refused() {
    for (member, value) in [
        ("hostname", "other.example"),
        ("action", "log-in"),
        ("action", ""),
    ] {
        let mut verdict = good();
        verdict[member] = value.into();
        assert_eq!(
            check("secret", VISITOR, &[Some(verdict)], 10).0,
            403,
            "{member}"
        );
    }
}

#[test]
fn each_failure_says_whose_it_is() {
    for (code, expected) in [
        ("timeout-or-duplicate", 403),
        ("invalid-input-response", 403),
        ("invalid-input-secret", 503),
        ("internal-error", 503),
    ] {
        assert_eq!(
            check("secret", VISITOR, &[Some(failed(code))], 10).0,
            expected,
            "{code}"
        );
    }
    assert_eq!(
        check("secret", VISITOR, &[Some(json!("no verdict"))], 10).0,
        503
    );
}

#[test]
fn a_broken_connection_is_tried_once_more_and_a_slow_answer_is_not_waited_for() {
    let (status, asked) = check("secret", VISITOR, &[None, Some(good())], 10);
    assert_eq!((status, asked.len()), (0, 2));
    assert_eq!(asked[0], asked[1]);
    assert_eq!(check("secret", VISITOR, &[None, None], 10).0, 503);
    let (status, asked) = check("secret", VISITOR, &[Some(good())], 5_000);
    assert_eq!((status, asked.len()), (503, 1));
}

#[test]
fn the_documented_test_secrets_name_no_real_page() {
    let verdict = json!({"success": true, "hostname": "example.com", "error-codes": []});
    assert_eq!(
        check(TEST_SECRETS[0], VISITOR, &[Some(verdict.clone())], 10).0,
        0
    );
    assert_eq!(check("secret", VISITOR, &[Some(verdict)], 10).0, 403);
    let spent = failed("timeout-or-duplicate");
    assert_eq!(check(TEST_SECRETS[2], VISITOR, &[Some(spent)], 10).0, 403);
}


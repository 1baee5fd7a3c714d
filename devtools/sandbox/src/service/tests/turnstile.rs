//! Tests of Turnstile as a Worker sees it.

use super::*;

const KEY: &str = "0a1b2c3d-0000-4000-8000-0123456789ab";
const OTHER_KEY: &str = "ffffffff-0000-4000-8000-0123456789ab";

fn token(sandbox: &mut Sandbox) -> String {
    let reply = get(
        sandbox,
        "/turnstile/token?hostname=h.example&action=start-run",
    );
    body(&reply)["token"].as_str().unwrap().to_owned()
}

fn verify(sandbox: &mut Sandbox, form: &Value, now_ms: u64) -> Value {
    let request =
        Request::post("/turnstile/v0/siteverify").header(CONTENT_TYPE, "application/json");
    let request = request.body(form.to_string().into_bytes()).unwrap();
    body(&sandbox.respond(request, now_ms))
}

#[track_caller]
fn check(sandbox: &mut Sandbox, form: &Value, now_ms: u64, error: Option<&str>) {
    let verdict = verify(sandbox, form, now_ms);
    assert_eq!(verdict["success"], error.is_none(), "{verdict}");
    let errors: Vec<&str> = error.into_iter().collect();
    assert_eq!(verdict["error-codes"], json!(errors));
}

#[test]
fn a_token_is_good_once_and_for_five_minutes() {
    let mut sandbox = plain();
    let secret = "sandbox-turnstile-secret";
    let form = |response: &str, key: &str| json!({"secret": secret, "response": response, "idempotency_key": key});
    let first = token(&mut sandbox);
    let verdict = verify(&mut sandbox, &form(&first, KEY), NOW_MS);
    assert_eq!(
        (&verdict["hostname"], &verdict["action"]),
        (&json!("h.example"), &json!("start-run"))
    );
    check(&mut sandbox, &form(&first, KEY), NOW_MS, None);
    let spent = Some("timeout-or-duplicate");
    check(&mut sandbox, &form(&first, OTHER_KEY), NOW_MS, spent);
    check(
        &mut sandbox,
        &json!({"secret": secret, "response": first}),
        NOW_MS,
        spent,
    );
    let second = token(&mut sandbox);
    check(&mut sandbox, &form(&second, KEY), NOW_MS + 300_001, spent);
    check(&mut sandbox, &form(&second, KEY), NOW_MS + 300_000, None);
    check(
        &mut sandbox,
        &form("made up", KEY),
        NOW_MS,
        Some("invalid-input-response"),
    );
    check(
        &mut sandbox,
        &form(&second, "no uuid"),
        NOW_MS,
        Some("bad-request"),
    );
}

#[test]
fn secrets_are_told_apart() {
    let mut sandbox = plain();
    let good = token(&mut sandbox);
    for (secret, response, error) in [
        ("", good.as_str(), Some("missing-input-secret")),
        ("wrong", &good, Some("invalid-input-secret")),
        (
            "sandbox-turnstile-secret",
            "",
            Some("missing-input-response"),
        ),
        (
            "sandbox-turnstile-secret",
            "XXXX.DUMMY.TOKEN.XXXX",
            Some("invalid-input-response"),
        ),
        (
            "1x0000000000000000000000000000000AA",
            "XXXX.DUMMY.TOKEN.XXXX",
            None,
        ),
        (
            "2x0000000000000000000000000000000AA",
            &good,
            Some("invalid-input-response"),
        ),
        (
            "3x0000000000000000000000000000000AA",
            &good,
            Some("timeout-or-duplicate"),
        ),
    ] {
        let form = json!({"secret": secret, "response": response});
        check(&mut sandbox, &form, NOW_MS, error);
    }
    let request = Request::post("/turnstile/v0/siteverify").body(b"{}".to_vec());
    assert_eq!(status(&sandbox.respond(request.unwrap(), NOW_MS)), 400);
}

//! Tests of the recogniser by portraits.

use super::*;
use crate::providers::rekognition::sigv4::sha256_hex;

pub const TOKEN: &str = "Bearer sandbox-references-token";

pub fn ask(sandbox: &mut Sandbox, token: &str, body: &Value) -> Reply {
    let request = Request::post("/references/recognise")
        .header("authorization", token)
        .body(body.to_string().into_bytes())
        .unwrap();
    sandbox.respond(request, NOW_MS)
}

fn matches(reply: &Reply) -> Vec<String> {
    let body = body(reply);
    let faces = body["faces"].as_array().unwrap().iter();
    faces
        .filter_map(|face| face["match"]["name"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn only_candidates_are_recognised_by_number_or_name() {
    let mut sandbox = plain();
    let number = crowded(&sandbox);
    let photo = STANDARD.encode(drawn(&sandbox, number));
    let mut named = |candidates: Vec<Value>| {
        let body = json!({"photo": photo, "candidates": candidates});
        matches(&ask(&mut sandbox, TOKEN, &body))
    };
    assert!(named(Vec::new()).is_empty());
    let people = plain().world.people;
    let everybody: Vec<Value> = people.iter().map(|one| json!({"name": one.name})).collect();
    let shown = named(everybody);
    assert!(shown.len() >= 2, "{shown:?}");
    for name in shown {
        let person = people.iter().find(|one| one.name == name).unwrap();
        let upper = person.name.to_uppercase();
        for candidate in [
            json!({"name": upper}),
            json!({"number": person.wikidata_number}),
        ] {
            let candidates = vec![candidate, json!({"name": "Nobody Else"})];
            assert_eq!(named(candidates), [name.as_str()]);
        }
    }
}

#[test]
fn it_is_strict() {
    #[track_caller]
    fn check(token: &str, body: &Value, status: u16, code: &str) {
        let reply = ask(&mut plain(), token, body);
        let told = super::body(&reply);
        assert_eq!(
            (reply.response.status().as_u16(), &told["error"]["code"]),
            (status, &json!(code)),
            "{body}"
        );
    }
    let photo = STANDARD.encode(b"no photo");
    let asked = |candidates: Value| json!({"photo": photo, "candidates": candidates});
    check("Bearer other", &asked(json!([])), 401, "unauthorized");
    check(TOKEN, &json!([]), 400, "bad_request");
    check(
        TOKEN,
        &json!({"photo": "", "candidates": []}),
        400,
        "bad_request",
    );
    check(TOKEN, &json!({"photo": photo}), 400, "bad_request");
    check(TOKEN, &asked(json!([{}])), 400, "bad_request");
    check(
        TOKEN,
        &asked(json!([{"number": "P18"}])),
        400,
        "bad_request",
    );
    check(
        TOKEN,
        &asked(json!([{"name": "x".repeat(101)}])),
        400,
        "bad_request",
    );
    check(
        TOKEN,
        &asked(json!(vec![json!({"name": "x"}); 201])),
        400,
        "bad_request",
    );
    check(TOKEN, &asked(json!([])), 422, "unreadable_photo");
}

#[test]
fn each_fault_has_its_status_and_code() {
    for kind in fault_kinds_of(SandboxProvider::References) {
        let Some((code, status)) = kind.rsplit_once('-') else {
            continue;
        };
        let Ok(status) = status.parse::<u16>() else {
            continue;
        };
        let mut sandbox = faulty(SandboxProvider::References, kind);
        let reply = ask(&mut sandbox, TOKEN, &json!({}));
        let told: Value =
            serde_json::from_slice(&reply.response.body().bytes()).unwrap_or_default();
        if told["error"]["code"].is_string() {
            assert_eq!(told["error"]["code"], code.replace('-', "_"), "{kind}");
            assert_eq!(reply.response.status(), status, "{kind}");
        }
    }
    let busy = ask(
        &mut faulty(SandboxProvider::References, "busy-429"),
        TOKEN,
        &json!({}),
    );
    assert_eq!(busy.response.headers()[RETRY_AFTER], "2");
}

#[test]
fn a_match_has_the_portrait_that_is_served_under_its_address() {
    let mut sandbox = plain();
    let number = crowded(&sandbox);
    let photo = STANDARD.encode(drawn(&sandbox, number));
    let people = plain().world.people;
    let everybody: Vec<Value> = people.iter().map(|one| json!({"name": one.name})).collect();
    let told = body(&ask(
        &mut sandbox,
        TOKEN,
        &json!({"photo": photo, "candidates": everybody}),
    ));
    assert_eq!(told["model"], "drawn faces 1");
    let faces = told["faces"].as_array().unwrap().iter();
    let mut digests = Vec::new();
    for portrait in faces.filter_map(|face| face["match"].get("portrait")) {
        let url = portrait["url"].as_str().unwrap();
        let path = url.find("/portraits/").map(|at| &url[at..]).unwrap();
        let reply = get(&mut sandbox, path);
        let file = reply.response.body().bytes().clone();
        assert_eq!(reply.response.headers()["content-type"], "image/jpeg");
        assert_eq!(portrait["sha256"], sha256_hex(&file));
        // As a photo, it shows nobody.
        let again = json!({"photo": STANDARD.encode(&file), "candidates": everybody});
        assert_eq!(body(&ask(&mut sandbox, TOKEN, &again))["faces"], json!([]));
        digests.push(portrait["sha256"].clone());
    }
    assert!(digests.len() >= 2, "{told}");
    digests.dedup();
    assert!(digests.len() >= 2, "everybody has another one");
    assert_eq!(
        get(&mut sandbox, "/portraits/Q0.jpg").response.status(),
        404
    );
}

#[test]
fn its_health_says_what_it_is_and_has() {
    let told = body(&get(&mut plain(), "/references/health"));
    assert_eq!(
        (&told["status"], &told["wikimedia"]),
        (&json!("ok"), &json!("ok"))
    );
    assert!(told["people"].as_u64() > Some(10), "{told}");
}

//! Tests of the sandbox as a client sees it.

mod automaton_models;
mod chat_tools;
mod commons;
mod failures;
mod gemini;
mod gemini_tools;
mod literal;
mod mcp_faults;
mod mcp_legacy;
mod mcp_modern;
mod model_play;
mod planners;
mod providers;
mod references;
mod site;
mod site_hostile;
mod site_variants;
mod turnstile;
mod wikidata;
mod word_searches;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, Request};
use serde_json::{Value, json};

use crate::picture;
use crate::providers::rekognition::sigv4::{
    SignedRequest, SigningKey, canonical_request, signature, stamp_of,
};
use crate::{
    BodyEnding, FaultPlan, Reply, ReplyBody, Rules, Sandbox, SandboxOptions, SandboxProvider,
    World, fault_kinds_of,
};

const NOW_MS: u64 = 1_800_000_000_000;
const AGENT: &str = "test/1 (test@example.org)";
const HOST: &str = "127.0.0.1:8788";

fn sandbox(options: SandboxOptions) -> Sandbox {
    Sandbox::new(World::generate(8, 30, 80), options)
}

fn plain() -> Sandbox {
    sandbox(SandboxOptions {
        bad_images: false,
        ..SandboxOptions::default()
    })
}

fn faulty(provider: SandboxProvider, kind: &str) -> Sandbox {
    let plan = json!([{"provider": provider.name(), "call": 1, "kind": kind}]).to_string();
    let faults = FaultPlan::parse(&plan).unwrap();
    sandbox(SandboxOptions {
        bad_images: false,
        faults,
        ..SandboxOptions::default()
    })
}

fn get(sandbox: &mut Sandbox, address: &str) -> Reply {
    let request = Request::get(address)
        .header("host", HOST)
        .header("user-agent", AGENT);
    sandbox.respond(request.body(Vec::new()).unwrap(), NOW_MS)
}

fn search(sandbox: &mut Sandbox, rest: &str) -> Reply {
    let keys = "/customsearch/v1?key=sandbox-google-key&cx=sandbox-engine&searchType=image";
    get(sandbox, &format!("{keys}&{rest}"))
}

fn status(reply: &Reply) -> u16 {
    reply.response.status().as_u16()
}

fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.response.body().bytes()).unwrap()
}

fn famous(sandbox: &Sandbox) -> String {
    sandbox.example().unwrap().0.replace(' ', "+")
}

/// Returns the number of a photo with at least three people.
fn crowded(sandbox: &Sandbox) -> usize {
    (0..240)
        .find(|photo| sandbox.world().people_in(*photo).len() >= 3)
        .unwrap()
}

fn drawn(sandbox: &Sandbox, photo: usize) -> Vec<u8> {
    let rules = sandbox.options().rules;
    let drawn = picture::photo(sandbox.world(), photo, rules, 1);
    drawn.unwrap().file.clone()
}

fn picture(sandbox: &mut Sandbox, photo: usize) -> Vec<u8> {
    get(sandbox, &format!("/photos/{photo}.jpg"))
        .response
        .into_body()
        .bytes()
}

fn signed_request(sandbox: &Sandbox, body: Vec<u8>, now_ms: u64) -> Request<Vec<u8>> {
    let keys = &sandbox.options().credentials;
    let stamp = stamp_of(i64::try_from(now_ms / 1_000).unwrap());
    let mut headers = HeaderMap::new();
    headers.insert(
        "content-type",
        "application/x-amz-json-1.1".parse().unwrap(),
    );
    headers.insert("host", HOST.parse().unwrap());
    headers.insert("x-amz-date", stamp.parse().unwrap());
    headers.insert(
        "x-amz-target",
        "RekognitionService.RecognizeCelebrities".parse().unwrap(),
    );
    let mut names = ["content-type", "host", "x-amz-date", "x-amz-target"]
        .map(str::to_owned)
        .to_vec();
    if let Some(token) = &keys.aws_session_token {
        headers.insert("x-amz-security-token", token.parse().unwrap());
        names.insert(3, "x-amz-security-token".to_owned());
    }
    let signed = SignedRequest {
        method: "POST",
        path: "/",
        query: "",
        headers: &headers,
        host: HOST,
        body: &body,
    };
    let owner = SigningKey {
        access_key_id: &keys.aws_access_key_id,
        secret_access_key: &keys.aws_secret_access_key,
        session_token: keys.aws_session_token.as_deref(),
        region: &keys.aws_region,
        service: "rekognition",
    };
    let canonical = canonical_request(signed, &names);
    let signature = signature(owner, &stamp, &stamp[..8], &canonical);
    let (key, day, names) = (&keys.aws_access_key_id, &stamp[..8], names.join(";"));
    let region = &keys.aws_region;
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={key}/{day}/{region}/rekognition/aws4_request, SignedHeaders={names}, Signature={signature}"
    );
    headers.insert("authorization", authorization.parse().unwrap());
    let mut request = Request::post("/").body(body).unwrap();
    *request.headers_mut() = headers;
    request
}

fn recognise(sandbox: &mut Sandbox, image: &[u8]) -> Reply {
    let body = json!({"Image": {"Bytes": STANDARD.encode(image)}})
        .to_string()
        .into_bytes();
    let request = signed_request(sandbox, body, NOW_MS);
    sandbox.respond(request, NOW_MS)
}

fn plan_request(key: &str, model: &str, body: &Value) -> Request<Vec<u8>> {
    Request::post(format!("/v1beta/models/{model}:generateContent"))
        .header("x-goog-api-key", key)
        .body(body.to_string().into_bytes())
        .unwrap()
}

fn plan(sandbox: &mut Sandbox, body: &Value) -> Reply {
    let request = plan_request("sandbox-gemini-key", "gemini-3.5-flash-lite", body);
    sandbox.respond(request, NOW_MS)
}

fn prompt(sandbox: &Sandbox) -> Value {
    let world = sandbox.world();
    let (a, b) = sandbox.example().unwrap();
    let rows: Vec<Value> = world.people[..6]
        .iter()
        .enumerate()
        .map(|(number, person)| {
            json!({"number": number + 1, "name": person.name, "count": 2, "bestConfidence": 97.1, "side": "a"})
        })
        .collect();
    let table = json!({"personA": a, "personB": b, "frontier": a, "candidates": rows});
    json!({
        "contents": [{"role": "user", "parts": [{"text": format!("<data>\n{table}\n</data>\n")}]}],
        "generationConfig": {
            "responseMimeType": "application/json", "maxOutputTokens": 2048,
            "thinkingConfig": {"thinkingLevel": "low"},
            "responseJsonSchema": {"type": "object",
                "required": ["nextCandidates", "searchQueries", "narration"],
                "properties": {
                    "nextCandidates": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                    "searchQueries": {"type": "array", "items": {"type": "string"}},
                    "narration": {"type": "string"}}}},
    })
}

fn ask_any(sandbox: &mut Sandbox, provider: SandboxProvider) -> Reply {
    let photo = crowded(sandbox);
    match provider {
        SandboxProvider::Google => {
            let name = famous(sandbox);
            search(sandbox, &format!("q={name}&num=5"))
        }
        SandboxProvider::Image => get(sandbox, &format!("/photos/{photo}.jpg")),
        SandboxProvider::Rekognition => {
            let image = drawn(sandbox, photo);
            recognise(sandbox, &image)
        }
        SandboxProvider::Gemini => {
            let prompt = prompt(sandbox);
            plan(sandbox, &prompt)
        }
        SandboxProvider::WorkersAi => {
            let inputs = planners::inputs(sandbox);
            planners::run_model(sandbox, &inputs)
        }
        SandboxProvider::OpenAi => {
            let body = planners::chat(sandbox);
            planners::complete(sandbox, &body)
        }
        SandboxProvider::Commons => {
            let name = famous(sandbox);
            commons::search(sandbox, &name)
        }
        SandboxProvider::Wikidata => {
            let name = famous(sandbox);
            wikidata::search(sandbox, &name)
        }
        SandboxProvider::References => {
            let photo = STANDARD.encode(drawn(sandbox, photo));
            let candidates = json!([{"name": famous(sandbox)}]);
            let body = json!({"photo": photo, "candidates": candidates});
            references::ask(sandbox, references::TOKEN, &body)
        }
        other => {
            let name = famous(sandbox);
            word_searches::search(sandbox, other, &name)
        }
    }
}

#[test]
fn calls_are_listed_and_emptied() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    search(&mut sandbox, &format!("q={name}&num=1"));
    search(&mut sandbox, &format!("q={name}&num=0"));
    get(&mut sandbox, "/photos/1.jpg");
    get(&mut sandbox, "/health");
    let rows = body(&get(&mut sandbox, "/calls"));
    assert_eq!(rows.as_array().unwrap().len(), 3);
    assert_eq!(rows[0]["charged"], true);
    assert_eq!(
        (rows[1]["attempt"].clone(), rows[1]["charged"].clone()),
        (json!(2), json!(false))
    );
    assert_eq!(rows[2]["key"], "/photos/1.jpg");
    let delete = Request::delete("/calls").body(Vec::new()).unwrap();
    assert_eq!(status(&sandbox.respond(delete, NOW_MS)), 200);
    assert_eq!(body(&get(&mut sandbox, "/calls")), json!([]));
}

#[test]
fn health_pages_and_unknown_addresses() {
    let mut sandbox = plain();
    let health = body(&get(&mut sandbox, "/health"));
    assert_eq!(health["status"], "ok");
    assert_eq!(health["people"], 30);
    assert!(health["example"]["a"].is_string());
    assert_eq!(status(&get(&mut sandbox, "/nothing")), 404);
    assert_eq!(status(&get(&mut sandbox, "/photos/999.jpg")), 404);
    assert_eq!(status(&get(&mut sandbox, "/pages/999")), 404);
    let page = get(&mut sandbox, "/pages/0").response.into_body().bytes();
    assert!(
        String::from_utf8(page)
            .unwrap()
            .contains("<img src=\"/photos/0.")
    );
}

#[test]
fn the_same_requests_get_the_same_replies() {
    let run = || {
        let mut sandbox = sandbox(SandboxOptions::default());
        let name = famous(&sandbox);
        let found = search(&mut sandbox, &format!("q={name}&num=3"))
            .response
            .into_body()
            .bytes();
        let photo = picture(&mut sandbox, 5);
        (found, photo)
    };
    assert_eq!(run(), run());
}

//! AWS's own suite, step by step.

use std::path::Path;

use serde_json::Value;
use visual_degrees::providers::{Credentials, Signer, WireRequest};
use visual_degrees::sandbox::providers::rekognition::sigv4::{self, canonical_request, sha256_hex};

use super::signer::{NOW_MS, authorization, known, names, seen};

/// One folder of the suite.
struct Case {
    name: String,
    context: Value,
    request: String,
    canonical: String,
    to_sign: String,
    signature: String,
    signed_request: String,
}

fn cases(suite: &Path) -> Vec<Case> {
    let mut folders: Vec<_> = std::fs::read_dir(suite)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
        .iter()
        .map(|folder| {
            let text = |file: &str| {
                let text = std::fs::read_to_string(folder.join(file)).unwrap();
                text.replace("\r\n", "\n")
            };
            Case {
                name: folder.file_name().unwrap().to_string_lossy().into_owned(),
                context: serde_json::from_str(&text("context.json")).unwrap(),
                request: text("request.txt"),
                canonical: text("header-canonical-request.txt"),
                to_sign: text("header-string-to-sign.txt"),
                signature: text("header-signature.txt"),
                signed_request: text("header-signed-request.txt"),
            }
        })
        .collect()
}

/// Reads the text of a request: its line, its headers, an empty line, its body.
fn parse(text: &str) -> (WireRequest, String) {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let mut line = lines.next().unwrap().split(' ');
    let (method, target) = (line.next().unwrap(), line.next().unwrap());
    let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let is_host = |name: &str| name.eq_ignore_ascii_case("host");
    let host = headers.iter().find(|(name, _)| is_host(name)).unwrap().1;
    let address = format!("https://{host}{target}");
    let mut request = http::Request::builder().method(method).uri(address);
    for (name, value) in headers.iter().filter(|(name, _)| !is_host(name)) {
        request = request.header(*name, *value);
    }
    let request = request.body(body.as_bytes().to_vec()).unwrap();
    (request, host.to_owned())
}

fn signer_of(context: &Value) -> Signer {
    let text = |pointer: &str| context.pointer(pointer).and_then(Value::as_str);
    let needed = |pointer: &str| text(pointer).unwrap().to_owned();
    Signer {
        credentials: Credentials {
            access_key_id: needed("/credentials/access_key_id"),
            secret_access_key: needed("/credentials/secret_access_key"),
            session_token: text("/credentials/token").map(str::to_owned),
        },
        region: needed("/region"),
        service: needed("/service"),
    }
}

/// Each step apart, by the verifier, from the request as it was sent.
fn check_steps(case: &Case) {
    let name = &case.name;
    let (request, host) = parse(&case.signed_request);
    let list = authorization(&request)
        .split(", ")
        .find_map(|part| part.strip_prefix("SignedHeaders="))
        .unwrap();
    let canonical = canonical_request(seen(&request, &host), &names(list));
    assert_eq!(canonical, case.canonical, "{name}: canonical request");
    let signer = signer_of(&case.context);
    let stamp = request.headers()["x-amz-date"].to_str().unwrap();
    let day = &stamp[..8];
    let to_sign = format!(
        "AWS4-HMAC-SHA256\n{stamp}\n{day}/{}/{}/aws4_request\n{}",
        signer.region,
        signer.service,
        sha256_hex(canonical.as_bytes())
    );
    assert_eq!(to_sign, case.to_sign, "{name}: string to sign");
    let signature = sigv4::signature(known(&signer), stamp, day, &canonical);
    assert_eq!(signature, case.signature, "{name}: signature");
}

/// The whole header by our signer, from the request before it was signed.
fn check_signer(case: &Case) {
    let name = &case.name;
    let (mut request, _) = parse(&case.request);
    if case.context["sign_body"] == true {
        // To our signer a header like any other.
        let digest = sha256_hex(request.body()).parse().unwrap();
        request.headers_mut().insert("x-amz-content-sha256", digest);
    }
    assert_eq!(case.context["timestamp"], "2015-08-30T12:36:00Z", "{name}");
    signer_of(&case.context).sign(&mut request, NOW_MS).unwrap();
    let (expected, _) = parse(&case.signed_request);
    assert_eq!(authorization(&request), authorization(&expected), "{name}");
    let mut left: Vec<_> = request.headers().iter().collect();
    let mut right: Vec<_> = expected.headers().iter().collect();
    left.sort_by_key(|(name, _)| name.as_str());
    right.sort_by_key(|(name, _)| name.as_str());
    assert_eq!(left, right, "{name}: headers");
}

#[test]
fn the_suite_agrees_step_by_step() {
    let suite = Path::new("../shared/sigv4-suite");
    if !suite.is_dir() {
        println!("skipped: ../shared/sigv4-suite is not here");
        return;
    }
    let (mut verified, mut signed) = (0, 0);
    for case in cases(suite) {
        let name = &case.name;
        let has_token = case.context.pointer("/credentials/token").is_some();
        if !case.request.starts_with("POST ") && !has_token {
            println!("skipped: {name}: neither POST nor with a token; nothing like it is sent");
            continue;
        }
        check_steps(&case);
        verified += 1;
        if case.context["omit_session_token"] == true {
            println!("skipped by the signer: {name}: leaves the token unsigned; ours signs it");
            continue;
        }
        check_signer(&case);
        signed += 1;
    }
    println!("{verified} cases verified step by step, {signed} of them signed");
    assert_eq!((verified, signed), (11, 10), "the suite has changed");
}

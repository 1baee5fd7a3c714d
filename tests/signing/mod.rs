//! Our signatures against known answers, AWS's own suite, and a verifier that shares no code.

use std::fmt::Debug;
use std::path::Path;

use serde_json::Value;
use visual_degrees::domain::PlanQuestion;
use visual_degrees::providers::{
    Credentials, Signer, WireRequest, WireResponse, gemini, google, rekognition,
};
use visual_degrees::sandbox::providers::rekognition::sigv4::{
    self, Refusal, SignedRequest, canonical_request, sha256_hex, verify,
};
use visual_degrees::session::{Access, Settings};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const REGION: &str = "us-east-1";
const HOST: &str = "rekognition.us-east-1.amazonaws.com";
/// 20150830T123600Z.
const NOW_MS: u64 = 1_440_938_160_000;
const STAMP: &str = "20150830T123600Z";

fn signer(token: Option<&str>) -> Signer {
    Signer {
        credentials: Credentials {
            access_key_id: "AKIDEXAMPLE".into(),
            secret_access_key: SECRET.into(),
            session_token: token.map(str::to_owned),
        },
        region: REGION.into(),
        service: rekognition::SERVICE.into(),
    }
}

/// The same key as the verifier knows it.
fn known(signer: &Signer) -> sigv4::SigningKey<'_> {
    sigv4::SigningKey {
        access_key_id: &signer.credentials.access_key_id,
        secret_access_key: &signer.credentials.secret_access_key,
        session_token: signer.credentials.session_token.as_deref(),
        region: &signer.region,
        service: &signer.service,
    }
}

/// A request as a server sees it.
fn seen<'a>(request: &'a WireRequest, host: &'a str) -> SignedRequest<'a> {
    SignedRequest {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query().unwrap_or_default(),
        headers: request.headers(),
        host,
        body: request.body(),
    }
}

fn unsigned(body: &[u8]) -> WireRequest {
    http::Request::post(format!("https://{HOST}/"))
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", "RekognitionService.RecognizeCelebrities")
        .body(body.to_vec())
        .unwrap()
}

fn signed(signer: &Signer, body: &[u8], now_ms: u64) -> WireRequest {
    let mut request = unsigned(body);
    signer.sign(&mut request, now_ms).unwrap();
    request
}

fn authorization(request: &WireRequest) -> &str {
    request.headers()["authorization"].to_str().unwrap()
}

fn names(list: &str) -> Vec<String> {
    list.split(';').map(str::to_owned).collect()
}

// Known answers

#[track_caller]
fn check_known(token: Option<&str>, signed_names: &str, canonical_sha256: &str, signature: &str) {
    let signer = signer(token);
    let request = signed(&signer, b"{}", NOW_MS);
    let expected = format!(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/rekognition/aws4_request, \
         SignedHeaders={signed_names}, Signature={signature}"
    );
    assert_eq!(authorization(&request), expected);
    assert_eq!(request.headers()["x-amz-date"], STAMP);
    let sent = request.headers().get("x-amz-security-token");
    assert_eq!(sent.map(|token| token.to_str().unwrap()), token);
    let canonical = canonical_request(seen(&request, HOST), &names(signed_names));
    assert_eq!(sha256_hex(canonical.as_bytes()), canonical_sha256);
    assert_eq!(
        sigv4::signature(known(&signer), STAMP, "20150830", &canonical),
        signature
    );
}

#[test]
fn a_request_without_token_has_the_known_signature() {
    check_known(
        None,
        "content-type;host;x-amz-date;x-amz-target",
        "f1e8ce625076fbdc2ee6b52e1899eec6cf992d15c812adb5f875882b2ecffc78",
        "82d3e0e06d9e51e5c906cf6fb5e22b1152b5de800192c21af6b0eedc4c4c7ea5",
    );
}

#[test]
fn a_request_with_token_has_the_known_signature() {
    check_known(
        Some("TOK"),
        "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
        "106d5f2c6ed78f0f8d40e851a66f86867d8602c1523d17b507cb8554344ce50c",
        "376340a1d655953e25a36de3743a9f2b816829aa8223cd49829154d002cde978",
    );
}

// The suite

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

// What a server accepts

fn random_request(random: &mut fastrand::Rng) -> (Signer, Vec<u8>, u64) {
    let token = random.bool().then(|| {
        let length = random.usize(1..200);
        (0..length)
            .map(|_| random.alphanumeric())
            .collect::<String>()
    });
    let length = random.usize(1..3_000);
    let body = (0..length).map(|_| random.u8(..)).collect();
    // 1970-01-02 to 2105, with milliseconds.
    let now_ms = random.u64(86_400_000..4_260_000_000_000);
    (signer(token.as_deref()), body, now_ms)
}

#[test]
fn what_we_sign_is_accepted_within_five_minutes() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..200 {
        let (signer, body, now_ms) = random_request(&mut random);
        let request = signed(&signer, &body, now_ms);
        let at = |now_ms| verify(seen(&request, HOST), known(&signer), now_ms);
        assert_eq!(at(now_ms), Ok(()));
        assert_eq!(at(now_ms + 299_000), Ok(()));
        assert_eq!(at(now_ms - 299_000), Ok(()));
        assert!(matches!(at(now_ms + 360_000), Err(Refusal::Clock(_))));
        assert!(matches!(at(now_ms - 360_000), Err(Refusal::Clock(_))));
    }
}

#[test]
fn one_flipped_bit_is_refused() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let (signer, body, now_ms) = random_request(&mut random);
        let good = signed(&signer, &body, now_ms);
        let outcome = |request: &WireRequest| verify(seen(request, HOST), known(&signer), now_ms);

        let mut other_body = good.clone();
        other_body.body_mut()[random.usize(..body.len())] ^= 1 << random.u8(..8);
        assert_eq!(outcome(&other_body), Err(Refusal::Mismatch));

        let mut other_target = good.clone();
        let mut target = good.headers()["x-amz-target"].as_bytes().to_vec();
        let place = random.usize(..target.len());
        target[place] ^= 1;
        let target = http::HeaderValue::from_bytes(&target).unwrap();
        other_target.headers_mut().insert("x-amz-target", target);
        assert_eq!(outcome(&other_target), Err(Refusal::Mismatch));

        let mut without_target = good.clone();
        without_target.headers_mut().remove("x-amz-target");
        assert_eq!(outcome(&without_target), Err(Refusal::Mismatch));
    }
}

#[test]
fn a_request_to_the_recogniser_is_accepted_at_any_address_and_signed_anew_each_time() {
    for token in [None, Some("TOK/+==")] {
        let mut settings = rekognition::RekognitionSettings {
            endpoint: format!("https://{HOST}"),
            signer: signer(token),
        };
        let first = rekognition::request(&settings, b"photo", NOW_MS).unwrap();
        let later = rekognition::request(&settings, b"photo", NOW_MS + 1_000).unwrap();
        assert_ne!(authorization(&first), authorization(&later));
        let key = known(&settings.signer);
        assert_eq!(verify(seen(&first, HOST), key, NOW_MS), Ok(()));
        assert_eq!(verify(seen(&later, HOST), key, NOW_MS), Ok(()));
        settings.endpoint = "http://127.0.0.1:9001".into();
        let local = rekognition::request(&settings, b"photo", NOW_MS).unwrap();
        let key = known(&settings.signer);
        assert_eq!(verify(seen(&local, "127.0.0.1:9001"), key, NOW_MS), Ok(()));
        let elsewhere = verify(seen(&local, HOST), key, NOW_MS);
        assert_eq!(elsewhere, Err(Refusal::Mismatch));
    }
}

// What is shown

#[track_caller]
fn check_shows_no_secret(what: &impl Debug) {
    for shown in [format!("{what:?}"), format!("{what:#?}")] {
        assert!(!shown.contains("SECRET"), "{shown}");
    }
}

fn secret_signer() -> Signer {
    Signer {
        credentials: Credentials {
            access_key_id: "AKIDEXAMPLE".into(),
            secret_access_key: "SECRET1".into(),
            session_token: Some("SECRET2".into()),
        },
        region: REGION.into(),
        service: rekognition::SERVICE.into(),
    }
}

#[test]
fn debug_of_the_signer_shows_the_key_id_and_no_secret() {
    let signer = secret_signer();
    check_shows_no_secret(&signer);
    check_shows_no_secret(&signer.credentials);
    assert!(format!("{signer:?}").contains("AKIDEXAMPLE"));
    let settings = rekognition::RekognitionSettings {
        endpoint: rekognition::endpoint_default(REGION),
        signer,
    };
    check_shows_no_secret(&settings);
    let request = rekognition::request(&settings, b"photo", NOW_MS).unwrap();
    check_shows_no_secret(&request);
    let response: WireResponse = http::Response::new(b"SECRET".to_vec());
    check_shows_no_secret(&rekognition::read(&response));
}

fn search_settings() -> google::GoogleSettings {
    google::GoogleSettings {
        base: google::BASE_DEFAULT.into(),
        key: "SECRET".into(),
        engine: "engine".into(),
    }
}

fn planner_settings() -> gemini::GeminiSettings {
    gemini::GeminiSettings {
        base: gemini::BASE_DEFAULT.into(),
        key: "SECRET".into(),
        model: gemini::MODEL_DEFAULT.into(),
    }
}

#[test]
fn debug_of_the_search_settings_shows_no_key() {
    check_shows_no_secret(&search_settings());
}

#[test]
fn debug_of_the_planner_settings_shows_no_key() {
    check_shows_no_secret(&planner_settings());
}

#[test]
fn debug_of_a_request_shows_no_key() {
    check_shows_no_secret(&google::request(&search_settings(), "x", 5).unwrap());
    let question = PlanQuestion {
        person_a: "Fantine".into(),
        person_b: "Javert".into(),
        frontier: "Fantine".into(),
        candidates: Vec::new(),
        allowed_queries: Vec::new(),
        hops_left: 1,
        searches_left: 1,
        recognitions_left: 1,
        may_guess: false,
    };
    check_shows_no_secret(&gemini::request(&planner_settings(), &question).unwrap());
}

#[test]
fn debug_of_who_may_start_shows_no_token() {
    check_shows_no_secret(&Access::Token("SECRET".into()));
}

#[test]
fn debug_of_all_settings_shows_no_secret() {
    let secrets = [
        "GOOGLE_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "GEMINI_API_KEY",
        "OPERATOR_TOKEN",
    ];
    let settings = Settings::read(|name| match name {
        "GOOGLE_CX" | "AWS_ACCESS_KEY_ID" => Some("id".into()),
        _ if secrets.contains(&name) => Some("SECRET".into()),
        _ => None,
    });
    assert!(settings.providers.is_ok());
    check_shows_no_secret(&settings);
}

//! AWS's own suite, step by step.

use std::path::Path;

use domain::Sha256Digest;
use http::{HeaderMap, HeaderName};
use platform::WireRequest;
use providers::{Credentials, Signer};
use sandbox::providers::rekognition::sigv4::{self, SignedRequest, canonical_request, sha256_hex};
use serde_json::Value;

use super::signer::{NOW_MS, authorization, known, names};

/// A folder of the suite.
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

/// A request as written in the suite, which not every HTTP library can represent.
struct Written {
    method: String,
    path: String,
    query: String,
    host: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Written {
    /// Parses its request line, its headers (a line that begins with a space continues the one before), an empty line
    /// and its body.
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let head = head.replace("\n ", "  ");
        let mut lines = head.lines();
        let line = lines.next().unwrap().strip_suffix(" HTTP/1.1").unwrap();
        let (method, target) = line.split_once(' ').unwrap();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        let (host, headers): (Vec<_>, Vec<_>) = headers.partition(|(name, _)| name == "host");
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            host: host[0].1.clone(),
            headers,
            body: body.to_owned(),
        }
    }

    /// Returns the request for our signer; `None` if no request can have such an address.
    fn request(&self) -> Option<WireRequest> {
        let mut address = format!("https://{}{}", self.host, self.path);
        if !self.query.is_empty() {
            address = format!("{address}?{}", self.query);
        }
        let mut request = http::Request::builder()
            .method(self.method.as_str())
            .uri(address);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.body(self.body.clone().into_bytes()).ok()
    }

    fn header_map(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, value.parse().unwrap());
        }
        headers
    }
}

/// Returns a path without empty, `.` and `..` segments, as services other than S3 normalise it.
fn normalized(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            name => kept.push(name),
        }
    }
    let is_folder = !kept.is_empty() && path.ends_with('/');
    format!("/{}{}", kept.join("/"), if is_folder { "/" } else { "" })
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

/// Checks each step separately with the verifier, on the request as sent.
fn check_steps(case: &Case) {
    let name = &case.name;
    let written = Written::parse(&case.signed_request);
    let headers = written.header_map();
    let text = |name: &str| headers[name].to_str().unwrap();
    let list = text("authorization").split(", ");
    let list = list.filter_map(|part| part.strip_prefix("SignedHeaders="));
    let list: Vec<&str> = list.collect();
    let path = if case.context["normalize"] == true {
        normalized(&written.path)
    } else {
        written.path.clone()
    };
    let seen = SignedRequest {
        method: &written.method,
        path: &path,
        query: &written.query,
        headers: &headers,
        host: &written.host,
        body: written.body.as_bytes(),
    };
    let canonical = canonical_request(seen, &names(list[0]));
    assert_eq!(canonical, case.canonical, "{name}: canonical request");
    let signer = signer_of(&case.context);
    let stamp = text("x-amz-date");
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

/// Returns why our signer does not sign such a request, if so. It only supports what the recogniser needs.
fn unsigned_by_us(case: &Case) -> Option<&'static str> {
    let written = Written::parse(&case.request);
    if case.context["omit_session_token"] == true {
        return Some("leaves the token unsigned; ours signs it");
    }
    if case.context["normalize"] == false && normalized(&written.path) != written.path {
        return Some("keeps a path that ours normalizes");
    }
    if written.request().is_none() {
        return Some("no request can have a space in its path");
    }
    None
}

/// Checks the whole header by our signer, on the request before signing.
fn check_signer(case: &Case) {
    let name = &case.name;
    let mut request = Written::parse(&case.request).request().unwrap();
    if case.context["sign_body"] == true {
        // An ordinary header for our signer.
        let digest = sha256_hex(request.body()).parse().unwrap();
        request.headers_mut().insert("x-amz-content-sha256", digest);
    }
    assert_eq!(case.context["timestamp"], "2015-08-30T12:36:00Z", "{name}");
    let digest = Sha256Digest::of(request.body());
    let signer = signer_of(&case.context);
    signer.sign(&mut request, &digest, NOW_MS).unwrap();
    let expected = Written::parse(&case.signed_request).header_map();
    assert_eq!(authorization(&request), expected["authorization"], "{name}");
    let sorted = |headers: &HeaderMap| {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| (name.to_string(), value.clone()));
        let mut headers: Vec<_> = headers.collect();
        headers.sort_by(|(one, _), (other, _)| one.cmp(other));
        headers
    };
    assert_eq!(sorted(request.headers()), sorted(&expected), "{name}");
}

/// The cases that our signer does not sign.
const UNSIGNED: [&str; 9] = [
    "get-relative-relative-unnormalized",
    "get-relative-unnormalized",
    "get-slash-dot-slash-unnormalized",
    "get-slash-pointless-dot-unnormalized",
    "get-slash-unnormalized",
    "get-slashes-unnormalized",
    "get-space-normalized",
    "get-space-unnormalized",
    "post-sts-header-after",
];

#[test]
fn the_suite_agrees_step_by_step() {
    let suite = Path::new("../shared/sigv4-suite");
    if !suite.is_dir() {
        println!("skipped: ../shared/sigv4-suite is not here");
        return;
    }
    let cases = cases(suite);
    let mut unsigned = Vec::new();
    for case in &cases {
        check_steps(case);
        match unsigned_by_us(case) {
            None => check_signer(case),
            Some(why) => {
                println!("not signed: {}: {why}", case.name);
                unsigned.push(case.name.as_str());
            }
        }
    }
    let signed = cases.len() - unsigned.len();
    println!(
        "{} cases verified step by step, {signed} of them signed",
        cases.len()
    );
    assert_eq!(unsigned, UNSIGNED);
    assert_eq!((cases.len(), signed), (38, 29), "the suite has changed");
}

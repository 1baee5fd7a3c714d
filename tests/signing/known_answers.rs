//! Two requests with their known signatures.

use sandbox::providers::rekognition::sigv4::{self, canonical_request, sha256_hex};

use super::signer::{HOST, NOW_MS, authorization, known, names, seen, signed, signer};

const STAMP: &str = "20150830T123600Z";

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

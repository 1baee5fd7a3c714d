//! Tests with the specification's known answers, and with everything that must be refused.

use super::*;

const SIGNER: SigningKey<'static> = SigningKey {
    access_key_id: "AKIDEXAMPLE",
    secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    session_token: None,
    region: "us-east-1",
    service: "rekognition",
};
const NOW_MS: u64 = 1_440_938_160_000;
const SIGNATURE_A: &str = "82d3e0e06d9e51e5c906cf6fb5e22b1152b5de800192c21af6b0eedc4c4c7ea5";
const SIGNATURE_B: &str = "376340a1d655953e25a36de3743a9f2b816829aa8223cd49829154d002cde978";

fn headers(names: &str, signature: &str, token: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(
        "content-type",
        "application/x-amz-json-1.1".parse().unwrap(),
    );
    headers.insert(
        "host",
        "rekognition.us-east-1.amazonaws.com".parse().unwrap(),
    );
    headers.insert("x-amz-date", "20150830T123600Z".parse().unwrap());
    headers.insert(
        "x-amz-target",
        "RekognitionService.RecognizeCelebrities".parse().unwrap(),
    );
    if let Some(token) = token {
        headers.insert("x-amz-security-token", token.parse().unwrap());
    }
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/rekognition/aws4_request, SignedHeaders={names}, Signature={signature}"
    );
    headers.insert("authorization", authorization.parse().unwrap());
    headers
}

fn signed(headers: &HeaderMap) -> SignedRequest<'_> {
    SignedRequest {
        method: "POST",
        path: "/",
        query: "",
        headers,
        host: "",
        body: b"{}",
    }
}

const NAMES_A: &str = "content-type;host;x-amz-date;x-amz-target";
const NAMES_B: &str = "content-type;host;x-amz-date;x-amz-security-token;x-amz-target";

fn names(list: &str) -> Vec<String> {
    list.split(';').map(str::to_owned).collect()
}

#[test]
fn the_canonical_requests_match_the_known_digests() {
    let plain = headers(NAMES_A, SIGNATURE_A, None);
    let canonical = canonical_request(signed(&plain), &names(NAMES_A));
    assert_eq!(
        sha256_hex(canonical.as_bytes()),
        "f1e8ce625076fbdc2ee6b52e1899eec6cf992d15c812adb5f875882b2ecffc78"
    );
    let with_token = headers(NAMES_B, SIGNATURE_B, Some("TOK"));
    let canonical = canonical_request(signed(&with_token), &names(NAMES_B));
    assert_eq!(
        sha256_hex(canonical.as_bytes()),
        "106d5f2c6ed78f0f8d40e851a66f86867d8602c1523d17b507cb8554344ce50c"
    );
}

#[test]
fn the_known_signatures_are_accepted() {
    let plain = headers(NAMES_A, SIGNATURE_A, None);
    assert_eq!(verify(signed(&plain), SIGNER, NOW_MS), Ok(()));
    let with_token = headers(NAMES_B, SIGNATURE_B, Some("TOK"));
    let signer = SigningKey {
        session_token: Some("TOK"),
        ..SIGNER
    };
    assert_eq!(verify(signed(&with_token), signer, NOW_MS), Ok(()));
}

#[test]
fn anything_changed_is_a_mismatch() {
    let good = headers(NAMES_A, SIGNATURE_A, None);
    let other_body = SignedRequest {
        body: b"{ }",
        ..signed(&good)
    };
    assert_eq!(verify(other_body, SIGNER, NOW_MS), Err(Refusal::Mismatch));
    let other_secret = SigningKey {
        secret_access_key: "x",
        ..SIGNER
    };
    assert_eq!(
        verify(signed(&good), other_secret, NOW_MS),
        Err(Refusal::Mismatch)
    );
    let mut other_host = good.clone();
    other_host.insert("host", "elsewhere".parse().unwrap());
    assert_eq!(
        verify(signed(&other_host), SIGNER, NOW_MS),
        Err(Refusal::Mismatch)
    );
}

#[test]
fn keys_tokens_and_scopes_are_checked() {
    let good = headers(NAMES_A, SIGNATURE_A, None);
    let refused = |signer: SigningKey<'_>| verify(signed(&good), signer, NOW_MS).unwrap_err();
    assert_eq!(
        refused(SigningKey {
            access_key_id: "OTHER",
            ..SIGNER
        }),
        Refusal::UnknownKey
    );
    assert_eq!(
        refused(SigningKey {
            session_token: Some("TOK"),
            ..SIGNER
        }),
        Refusal::UnknownKey
    );
    assert!(matches!(
        refused(SigningKey {
            region: "eu-west-1",
            ..SIGNER
        }),
        Refusal::Scope(_)
    ));
    assert!(matches!(
        refused(SigningKey {
            service: "s3",
            ..SIGNER
        }),
        Refusal::Scope(_)
    ));
}

#[test]
fn the_clock_may_be_off_by_five_minutes_either_way() {
    let good = headers(NAMES_A, SIGNATURE_A, None);
    let at = |now_ms: u64| verify(signed(&good), SIGNER, now_ms);
    assert_eq!(at(NOW_MS + 300_000), Ok(()));
    assert_eq!(at(NOW_MS - 300_000), Ok(()));
    assert_eq!(
        at(NOW_MS + 301_000),
        Err(Refusal::Clock(
            "Signature expired: 20150830T123600Z is now earlier than 20150830T123601Z (20150830T124101Z - 5 min.)".into()
        ))
    );
    assert!(matches!(at(NOW_MS - 301_000), Err(Refusal::Clock(_))));
}

#[test]
fn what_must_be_signed_is_signed() {
    let check = |names: &str, remove: &str, expect: fn(&Refusal) -> bool| {
        let mut headers = headers(names, SIGNATURE_A, None);
        headers.remove(remove);
        let refusal = verify(signed(&headers), SIGNER, NOW_MS).unwrap_err();
        assert!(expect(&refusal), "{names} without {remove}: {refusal:?}");
    };
    check("content-type;host;x-amz-date", "none", |it| {
        matches!(it, Refusal::Incomplete(_))
    });
    check("x-amz-date;x-amz-target", "none", |it| {
        matches!(it, Refusal::Incomplete(_))
    });
    check(NAMES_A, "x-amz-date", |it| {
        matches!(it, Refusal::Incomplete(_))
    });
    check(NAMES_A, "authorization", |it| *it == Refusal::Missing);
    check(NAMES_A, "content-type", |it| *it == Refusal::Mismatch);
}

//! What a server accepts, according to a verifier that shares no code with our signer.

use domain::Sha256Digest;
use platform::WireRequest;
use providers::{Credentials, Recogniser as _, Signer, rekognition};
use sandbox::providers::rekognition::sigv4::{Refusal, verify};

use super::signer::{HOST, NOW_MS, authorization, known, seen, signed, signer};

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
        let first = settings.request(b"photo", &[], NOW_MS).unwrap();
        let later = settings.request(b"photo", &[], NOW_MS + 1_000).unwrap();
        assert_ne!(authorization(&first), authorization(&later));
        let key = known(&settings.signer);
        assert_eq!(verify(seen(&first, HOST), key, NOW_MS), Ok(()));
        assert_eq!(verify(seen(&later, HOST), key, NOW_MS), Ok(()));
        settings.endpoint = "http://127.0.0.1:9001".into();
        let local = settings.request(b"photo", &[], NOW_MS).unwrap();
        let key = known(&settings.signer);
        assert_eq!(verify(seen(&local, "127.0.0.1:9001"), key, NOW_MS), Ok(()));
        let elsewhere = verify(seen(&local, HOST), key, NOW_MS);
        assert_eq!(elsewhere, Err(Refusal::Mismatch));
    }
}

/// Returns letters, digits and characters that headers may have in between, including inner spaces.
fn random_text(random: &mut fastrand::Rng, length: usize) -> String {
    const OTHERS: &[u8] = b" -_./:;,=+*()\"'~%&@";
    let text = (0..length).map(|_| match random.u8(..4) {
        0 => char::from(OTHERS[random.usize(..OTHERS.len())]),
        _ => random.alphanumeric(),
    });
    text.collect()
}

fn random_signer(random: &mut fastrand::Rng) -> Signer {
    let mut key = |length| -> String { (0..length).map(|_| random.alphanumeric()).collect() };
    let (access_key_id, secret_access_key, session_token) = (key(20), key(40), key(300));
    let region = [
        "us-east-1",
        "eu-central-1",
        "ap-southeast-7",
        "us-gov-west-1",
    ];
    let token_length = random.usize(1..session_token.len());
    Signer {
        credentials: Credentials {
            access_key_id,
            secret_access_key,
            session_token: random
                .bool()
                .then(|| session_token[..token_length].to_owned()),
        },
        region: region[random.usize(..region.len())].to_owned(),
        service: rekognition::SERVICE.into(),
    }
}

fn random_unsigned(random: &mut fastrand::Rng, host: &str) -> WireRequest {
    let mut request = http::Request::post(format!("https://{host}/"));
    for number in 0..random.usize(..8) {
        let prefix = ["x-amz-", "x-", "content-", ""][random.usize(..4)];
        let suffix = random.alphabetic().to_ascii_lowercase();
        let length = random.usize(..40);
        let value = random_text(random, length);
        request = request.header(format!("{prefix}{suffix}{number}"), value);
    }
    let length = random.usize(..1_500);
    request
        .body((0..length).map(|_| random.u8(..)).collect())
        .unwrap()
}

#[test]
fn ten_thousand_random_requests_are_signed_as_the_verifier_signs_them() {
    const REQUESTS: usize = 10_000;
    let mut random = fastrand::Rng::with_seed(6);
    let (mut headers, mut tokens, mut refused) = (0, 0, 0);
    for number in 0..REQUESTS {
        let signer = random_signer(&mut random);
        let host = format!("rekognition.{}.amazonaws.com", signer.region);
        let mut request = random_unsigned(&mut random, &host);
        let now_ms = random.u64(86_400_000..4_260_000_000_000);
        headers += request.headers().len();
        tokens += usize::from(signer.credentials.session_token.is_some());
        let digest = Sha256Digest::of(request.body());
        signer.sign(&mut request, &digest, now_ms).unwrap();
        let outcome = verify(seen(&request, &host), known(&signer), now_ms);
        assert_eq!(outcome, Ok(()), "request {number}: {:?}", request.headers());
        // A verifier that accepts everything proves nothing.
        request.body_mut().push(0);
        let changed = verify(seen(&request, &host), known(&signer), now_ms);
        refused += usize::from(changed == Err(Refusal::Mismatch));
    }
    println!("{REQUESTS} requests, {headers} headers and {tokens} tokens signed alike");
    assert_eq!(refused, REQUESTS);
}

//! Sends one request, once: without a retry or a pause. Some providers repeat the key that they were
//! sent; here it is taken out of their answers, before anybody reads them.

use http::{HeaderName, HeaderValue};
use url::form_urlencoded;

use domain::{Failure, FailureKind};
use platform::{Network, TransportError, WireRequest, WireResponse, timeout};

use crate::JSON_BYTES_MAX;

/// The text before the key in an address, where SerpApi wants it.
const KEY_IN_ADDRESS: &str = "api_key=";
/// The shortest key that is taken out. Shorter keys belong to one's own machine, and may be any
/// word.
const KEY_BYTES_MIN: usize = 8;

/// Sends a request whose answer may have so many bytes and take so many milliseconds.
pub(super) async fn send_once<N: Network>(
    network: &N,
    request: WireRequest,
    bytes_max: usize,
    answer_ms_max: u64,
) -> Result<WireResponse, Failure> {
    let keys = keys_in(&request);
    let sent = network.send(request, bytes_max);
    match timeout(network, answer_ms_max, sent).await {
        Some(sent) => {
            let mut response = sent.map_err(transport_failure)?;
            for key in &keys {
                blot_out(key, response.body_mut());
            }
            Ok(response)
        }
        None => Err(Failure::new(FailureKind::Down, "no answer in time")),
    }
}

/// Asks one question outside of any run, for an answer in JSON.
pub async fn ask_once<N: Network>(
    network: &N,
    answer_ms_max: u64,
    request: Result<WireRequest, Failure>,
) -> Result<WireResponse, Failure> {
    send_once(network, request?, JSON_BYTES_MAX, answer_ms_max).await
}

/// Returns the keys that a request sends, as they may come back. A text that is shorter is a word,
/// not a key.
fn keys_in(request: &WireRequest) -> Vec<Vec<u8>> {
    let headers = request.headers().iter();
    let headers = headers.filter(|(name, value)| is_key(name, value));
    // The header's value may be `Bearer KEY`.
    let sent =
        headers.filter_map(|(_, value)| value.as_bytes().rsplit(|byte| *byte == b' ').next());
    let mut keys: Vec<Vec<u8>> = sent.map(<[u8]>::to_vec).collect();
    for part in request.uri().query().unwrap_or_default().split('&') {
        if let Some(encoded) = part.strip_prefix(KEY_IN_ADDRESS) {
            keys.push(encoded.as_bytes().to_vec());
            let pairs = form_urlencoded::parse(part.as_bytes());
            keys.extend(pairs.map(|(_, key)| key.into_owned().into_bytes()));
        }
    }
    keys.retain(|key| key.len() >= KEY_BYTES_MIN);
    keys
}

fn is_key(name: &HeaderName, value: &HeaderValue) -> bool {
    value.is_sensitive() || matches!(name.as_str(), "authorization" | "x-amz-security-token")
}

/// Puts stars in the place of a key, so that JSON stays JSON.
fn blot_out(key: &[u8], text: &mut [u8]) {
    let mut from = 0;
    while let Some(rest) = text.get_mut(from..) {
        let Some(at) = rest.windows(key.len()).position(|part| part == key) else {
            return;
        };
        let until = at.saturating_add(key.len());
        if let Some(found) = rest.get_mut(at..until) {
            found.fill(b'*');
        }
        from = from.saturating_add(until);
    }
}

fn transport_failure(error: TransportError) -> Failure {
    match error {
        TransportError::TooLarge => {
            Failure::new(FailureKind::Malformed, "an answer that is far too long")
        }
        TransportError::Broken => Failure::new(FailureKind::Down, "no connection"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: http::request::Builder, keys: &[&str]) {
        let request = request.body(Vec::new()).unwrap();
        let found = keys_in(&request);
        let found: Vec<_> = found
            .iter()
            .map(|key| std::str::from_utf8(key).unwrap())
            .collect();
        assert_eq!(found, keys);
    }

    #[test]
    fn keys_are_known_wherever_they_are_sent() {
        let mut key = HeaderValue::from_static("key-of-the-header");
        key.set_sensitive(true);
        let request = http::Request::get("https://a.example/?q=long-enough&api_key=a%2Fb-and-more");
        let request = request
            .header("x-api-key", key)
            .header("accept", "application/json");
        check(
            request,
            &["key-of-the-header", "a%2Fb-and-more", "a/b-and-more"],
        );
        let request = http::Request::get("https://a.example/");
        let request = request.header("authorization", "Bearer some-token");
        check(
            request.header("x-amz-security-token", "session-token"),
            &["some-token", "session-token"],
        );
        let request = http::Request::get("https://a.example/");
        check(request.header("authorization", "Bearer ollama"), &[]);
    }

    #[test]
    fn a_key_is_blotted_out_everywhere_in_an_answer() {
        let mut text = br#"{"code":"KEY-12345","message":"KEY-12345KEY-12345 KEY-1234"}"#.to_vec();
        blot_out(b"KEY-12345", &mut text);
        let stars = br#"{"code":"*********","message":"****************** KEY-1234"}"#;
        assert_eq!(text, stars);
    }
}

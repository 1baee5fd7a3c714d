//! A signer with a known key, and requests signed by it.

use domain::Sha256Digest;
use platform::WireRequest;
use providers::{Credentials, Signer, rekognition};
use sandbox::providers::rekognition::sigv4::{self, SignedRequest};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
pub const REGION: &str = "us-east-1";
pub const HOST: &str = "rekognition.us-east-1.amazonaws.com";
/// 20150830T123600Z.
pub const NOW_MS: u64 = 1_440_938_160_000;

pub fn signer(token: Option<&str>) -> Signer {
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

/// Returns the signer's key for the verifier.
pub fn known(signer: &Signer) -> sigv4::SigningKey<'_> {
    sigv4::SigningKey {
        access_key_id: &signer.credentials.access_key_id,
        secret_access_key: &signer.credentials.secret_access_key,
        session_token: signer.credentials.session_token.as_deref(),
        region: &signer.region,
        service: &signer.service,
    }
}

/// Returns a request as a server sees it.
pub fn seen<'a>(request: &'a WireRequest, host: &'a str) -> SignedRequest<'a> {
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

pub fn signed(signer: &Signer, body: &[u8], now_ms: u64) -> WireRequest {
    let mut request = unsigned(body);
    let digest = Sha256Digest::of(request.body());
    signer.sign(&mut request, &digest, now_ms).unwrap();
    request
}

pub fn authorization(request: &WireRequest) -> &str {
    request.headers()["authorization"].to_str().unwrap()
}

pub fn names(list: &str) -> Vec<String> {
    list.split(';').map(str::to_owned).collect()
}

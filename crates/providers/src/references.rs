//! The recogniser of one's own, a service that compares faces with the portraits of people on Wikidata. It looks only for
//! the candidates that it is told.
//!
//! Source: `docs/recogniser.md`.

use serde_json::{Value, json};

use domain::{
    Candidate, Face, FaceBox, Failure, FailureKind, Secret, Sha256Digest, WikidataNumber,
};
use platform::{WireRequest, WireResponse};

use crate::recogniser::{Recogniser, confidence, photo_in_base64};
use crate::response::{
    RECOGNITION_BYTES_MAX, detail, error_body, kind_of_status, line_at, object_within,
    retry_after_ms, text_at, unbuildable, unexpected,
};

/// The address of the service on the operator's own machine.
pub const BASE_DEFAULT: &str = "http://127.0.0.1:8790";
/// The longest name that the service accepts, and the longest that is read from its answers, in characters.
const NAME_CHARS_MAX: usize = 100;
/// The most faces that are read from one answer, which is the service's own limit.
const FACES_MAX: usize = 64;

/// How the service is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencesSettings {
    /// Scheme, host and port.
    pub base: String,
    /// The token that the service expects; `None` if it expects none.
    pub token: Option<Secret>,
}

impl Recogniser for ReferencesSettings {
    fn id(&self) -> &'static str {
        "references"
    }

    fn name(&self) -> &'static str {
        "The recogniser by portraits"
    }

    fn needs_candidates(&self) -> bool {
        true
    }

    /// Returns the request's body: `{"candidates":[{"number":"Q42"},{"name":"..."}],"photo":"..."}`. Candidates with a
    /// number are sent by it, the others by name.
    fn body(&self, photo: &[u8], candidates: &[Candidate]) -> Vec<u8> {
        let sent = candidates.iter().map(|one| match &one.number {
            Some(number) => json!({"number": number.as_str()}),
            None => json!({"name": one.name.chars().take(NAME_CHARS_MAX).collect::<String>()}),
        });
        let sent = Value::Array(sent.collect());
        photo_in_base64(
            &format!(r#"{{"candidates":{sent},"photo":""#),
            photo,
            r#""}"#,
        )
    }

    fn request_with(
        &self,
        body: Vec<u8>,
        _digest: &Sha256Digest,
        _now_ms: u64,
    ) -> Result<WireRequest, Failure> {
        let address = format!("{}/recognise", self.base.trim_end_matches('/'));
        let mut request = http::Request::post(address).header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {}", token.reveal()));
        }
        request.body(body).map_err(unbuildable)
    }

    /// Reads the faces that match a candidate.
    fn read(&self, response: &WireResponse) -> Result<Vec<Face>, Failure> {
        if response.status() != 200 {
            return Err(failure_of(response));
        }
        let body = object_within(response, RECOGNITION_BYTES_MAX)?;
        let Some(Value::Array(faces)) = body.get("faces") else {
            return Err(unexpected());
        };
        Ok(faces.iter().take(FACES_MAX).filter_map(face).collect())
    }
}

/// Returns a face that matches somebody; `None` if it matches nobody.
fn face(told: &Value) -> Option<Face> {
    let number = WikidataNumber::parse(text_at(told, "/match/number"))?;
    let name = line_at(told, "/match/name", NAME_CHARS_MAX)?;
    let side = |pointer: &str| told.pointer(pointer).and_then(Value::as_f64);
    let bound = |name: &str| side(&format!("/box/{name}")).unwrap_or_default();
    Some(Face {
        id: number.to_string(),
        name,
        confidence: confidence(side("/match/confidence").unwrap_or_default()),
        face_box: FaceBox::of_sides(["left", "top", "width", "height"].map(bound)),
        urls: vec![format!("www.wikidata.org/wiki/{number}")],
    })
}

/// Returns the failure for an error response. Its code decides, and its status if the code is unknown.
fn failure_of(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let code = text_at(&body, "/error/code");
    let kind = match code {
        "unauthorized" => FailureKind::Misconfigured,
        "too_large" => FailureKind::TooLarge,
        "unreadable_photo" => FailureKind::BadImage,
        "busy" => FailureKind::Throttled,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, code)).after(retry_after_ms(response))
}

//! The recogniser of one's own, a service that compares faces with the portraits of people on Wikidata. It looks only for
//! the candidates that it is told.
//!
//! Source: `docs/recogniser.md`.

use serde_json::{Value, json};

use domain::{
    Candidate, Credit, Face, FaceBox, Failure, FailureKind, Portrait, Secret, Sha256Digest,
    WikidataNumber,
};
use platform::{WireRequest, WireResponse};

use crate::plain_text::one_line;
use crate::recogniser::{Recogniser, Recognition, confidence, photo_in_base64};
use crate::response::{
    RECOGNITION_BYTES_MAX, detail, error_body, json_object, kind_of_status, line_at, number_at,
    object_within, page_address_at, retry_after_ms, text_at, unbuildable, unexpected,
};

/// The address of the service on the operator's own machine.
pub const BASE_DEFAULT: &str = "http://127.0.0.1:8790";
/// The longest name that the service accepts, and the longest that is read from its answers, in characters.
const NAME_CHARS_MAX: usize = 100;
/// The longest name of a model, and the longest author or licence of a portrait, in characters.
const MODEL_CHARS_MAX: usize = 100;
const CREDIT_CHARS_MAX: usize = 200;
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

impl ReferencesSettings {
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.trim_end_matches('/'))
    }
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
        let address = self.address("/recognise");
        let mut request = http::Request::post(address).header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {}", token.reveal()));
        }
        request.body(body).map_err(unbuildable)
    }

    fn status_request(&self) -> Option<Result<WireRequest, Failure>> {
        let request = http::Request::get(self.address("/health"));
        Some(request.body(Vec::new()).map_err(unbuildable))
    }

    /// Reads the answer to `GET /health`: the model, the number of people, and whether Wikimedia answers.
    fn read_status(&self, response: &WireResponse) -> Result<String, Failure> {
        if response.status() != 200 {
            return Err(failure_of(response));
        }
        let body = json_object(response)?;
        let model = line_at(&body, "/model", MODEL_CHARS_MAX).ok_or_else(unexpected)?;
        let [people, gallery] = ["/people", "/gallery"].map(|at| number_at(&body, at).unwrap_or(0));
        let wikimedia = match text_at(&body, "/wikimedia") {
            "ok" => String::new(),
            why => format!(" It lacks Wikimedia: {}.", one_line(why, CREDIT_CHARS_MAX)),
        };
        Ok(format!(
            "Its model is {model}. It has the portraits of {people} people, and {gallery} people in its gallery; \
             others are fetched when they are asked for.{wikimedia}"
        ))
    }

    /// Reads the faces that match a candidate.
    fn read(&self, response: &WireResponse) -> Result<Recognition, Failure> {
        if response.status() != 200 {
            return Err(failure_of(response));
        }
        let body = object_within(response, RECOGNITION_BYTES_MAX)?;
        let Some(Value::Array(faces)) = body.get("faces") else {
            return Err(unexpected());
        };
        Ok(Recognition {
            faces: faces.iter().take(FACES_MAX).filter_map(face).collect(),
            model: line_at(&body, "/model", MODEL_CHARS_MAX),
            is_whole: body.get("unready").and_then(Value::as_u64).unwrap_or(0) == 0,
        })
    }
}

/// Returns a face that matches somebody; `None` if it matches nobody.
fn face(told: &Value) -> Option<Face> {
    let number = WikidataNumber::parse(text_at(told, "/match/number"))?;
    let name = line_at(told, "/match/name", NAME_CHARS_MAX)?;
    let percent = told.pointer("/match/confidence").and_then(Value::as_f64);
    Some(Face {
        id: number.to_string(),
        name,
        confidence: confidence(percent.unwrap_or_default()),
        face_box: face_box(told),
        urls: vec![format!("www.wikidata.org/wiki/{number}")],
        portrait: told
            .pointer("/match/portrait")
            .and_then(portrait)
            .map(Box::new),
    })
}

/// Returns the place of a face; one without extent if it is not told.
fn face_box(told: &Value) -> FaceBox {
    let side = |name: &str| {
        told.pointer(&format!("/box/{name}"))
            .and_then(Value::as_f64)
    };
    let sides = ["left", "top", "width", "height"];
    FaceBox::of_sides(sides.map(|name| side(name).unwrap_or_default()))
}

/// Returns the portrait that a face was compared with; `None` without an address or digest.
fn portrait(told: &Value) -> Option<Portrait> {
    let text = |pointer| line_at(told, pointer, CREDIT_CHARS_MAX);
    Some(Portrait {
        image_url: page_address_at(told, "/url")?,
        context_url: page_address_at(told, "/page"),
        digest: Sha256Digest::parse(text_at(told, "/sha256"))?,
        face_box: Some(face_box(told)).filter(|place| place.is_known()),
        credit: Credit {
            author: text("/author"),
            license: text("/license"),
            license_url: page_address_at(told, "/licenseUrl"),
        },
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
        "busy" | "unready" => FailureKind::Throttled,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, code)).after(retry_after_ms(response))
}

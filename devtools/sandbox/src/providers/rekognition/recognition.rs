//! Recognises people: checks a request like AWS, and answers with the faces in the label of its image.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::hash::hash;
use crate::picture::{Label, inspect, is_feminine};

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::reply as reply_with;
use super::errors::{TOO_LARGE, auth_error, missing_token, service_error, unknown_client};
use super::faults::{RekognitionFault, reply};
use super::features::Features;
use super::rate_limit::RateLimit;
use super::sigv4::{Refusal, SignedRequest, SigningKey, sha256_hex, verify};

/// The largest decoded image, in bytes.
const IMAGE_BYTES_MAX: usize = 5_242_880;
const SIDE_PX_MIN: u32 = 80;
const FACES_MAX: usize = 64;
const TARGET: &str = "RekognitionService.RecognizeCelebrities";

pub(crate) fn answer(
    context: ProviderContext<'_>,
    limit: Option<&mut RateLimit>,
    request: &ParsedRequest,
    now_ms: u64,
) -> Reply {
    let id = request_id(request, now_ms);
    match recognise(context, limit, request, now_ms, &id) {
        Ok(seen) => reply_with(200, &seen, &id),
        Err(refusal) => *refusal,
    }
}

/// Responds to a request. The checks are in the order of the real service: address, signature, limit, body, image.
fn recognise(
    context: ProviderContext<'_>,
    limit: Option<&mut RateLimit>,
    request: &ParsedRequest,
    now_ms: u64,
    id: &str,
) -> Result<Value, Box<Reply>> {
    if request.path != "/" || request.header("content-type") != Some("application/x-amz-json-1.1") {
        return Err(Box::new(missing_token(id)));
    }
    if request.header("x-amz-target") != Some(TARGET) {
        return Err(Box::new(reply(RekognitionFault::UnknownOperation, id)));
    }
    check_signature(context, request, now_ms, id)?;
    if limit.is_some_and(|limit| !limit.admits(now_ms)) {
        return Err(Box::new(reply(RekognitionFault::ThroughputExceeded, id)));
    }
    let image = image_bytes(&request.body).map_err(|refusal| Box::new(refused(refusal, id)))?;
    let seen =
        inspect(&image).map_err(|_| Box::new(reply(RekognitionFault::InvalidImageFormat, id)))?;
    if seen.width_px.min(seen.height_px) < SIDE_PX_MIN {
        return Err(Box::new(reply(RekognitionFault::InvalidParameter, id)));
    }
    let label = seen.label.or_else(|| context.marked_label(&image));
    Ok(faces(context, label.as_ref()))
}

fn check_signature(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    now_ms: u64,
    id: &str,
) -> Result<(), Box<Reply>> {
    let credentials = context.credentials;
    let signed = SignedRequest {
        method: request.method.as_str(),
        path: &request.path,
        query: request.query.as_deref().unwrap_or_default(),
        headers: &request.headers,
        host: &request.host,
        body: &request.body,
    };
    let owner = SigningKey {
        access_key_id: &credentials.aws_access_key_id,
        secret_access_key: &credentials.aws_secret_access_key,
        session_token: credentials.aws_session_token.as_deref(),
        region: &credentials.aws_region,
        service: "rekognition",
    };
    verify(signed, owner, now_ms).map_err(|refusal| {
        Box::new(match refusal {
            Refusal::Missing => missing_token(id),
            Refusal::Incomplete(message) => {
                auth_error("IncompleteSignatureException", &message, id)
            }
            Refusal::Scope(message) | Refusal::Clock(message) => {
                auth_error("InvalidSignatureException", &message, id)
            }
            Refusal::UnknownKey => unknown_client(id),
            Refusal::Mismatch => reply(RekognitionFault::SignatureMismatch, id),
        })
    })
}

/// Why the body of a request is refused.
#[derive(Clone, Copy)]
enum BadBody {
    NotJson,
    NoImage,
    Stored,
    NotBase64,
    DataUrl,
    Nothing,
    TooLarge(usize),
}

fn image_bytes(body: &[u8]) -> Result<Vec<u8>, BadBody> {
    let body: Value = serde_json::from_slice(body).map_err(|_| BadBody::NotJson)?;
    let image = body.get("Image").ok_or(BadBody::NoImage)?;
    if image.get("S3Object").is_some() {
        return Err(BadBody::Stored);
    }
    let bytes = image.get("Bytes").ok_or(BadBody::NoImage)?;
    let text = bytes.as_str().ok_or(BadBody::NotJson)?;
    if text.starts_with("data:") {
        return Err(BadBody::DataUrl);
    }
    let image = STANDARD.decode(text).map_err(|_| BadBody::NotBase64)?;
    match image.len() {
        0 => Err(BadBody::Nothing),
        length if length > IMAGE_BYTES_MAX => Err(BadBody::TooLarge(length)),
        _ => Ok(image),
    }
}

fn refused(refusal: BadBody, id: &str) -> Reply {
    match refusal {
        BadBody::NotJson | BadBody::NotBase64 => reply(RekognitionFault::Serialization, id),
        BadBody::NoImage => reply(RekognitionFault::InvalidParameter, id),
        BadBody::DataUrl => reply(RekognitionFault::InvalidImageFormat, id),
        BadBody::Stored => service_error(
            "InvalidS3ObjectException",
            "Unable to get object metadata from S3. Check object key, region and/or access permissions.",
            id,
        ),
        BadBody::Nothing => auth_error(
            "ValidationException",
            "1 validation error detected: Value 'java.nio.HeapByteBuffer[pos=0 lim=0 cap=0]' at 'image.bytes' failed to satisfy constraint: Member must have length greater than or equal to 1",
            id,
        ),
        BadBody::TooLarge(length) => auth_error(
            "ValidationException",
            &TOO_LARGE.replace("5357237", &length.to_string()),
            id,
        ),
    }
}

/// Returns the SHA-256 of the image in a body, or of the whole body if it has no image.
pub(crate) fn image_digest(request: &ParsedRequest) -> String {
    match image_bytes(&request.body) {
        Ok(image) => sha256_hex(&image),
        Err(_) => sha256_hex(&request.body),
    }
}

/// Returns a UUID for a request. It only repeats if signature, body length and millisecond are equal.
pub(crate) fn request_id(request: &ParsedRequest, now_ms: u64) -> String {
    let signature = request.header("authorization").unwrap_or_default();
    let high = hash(&[
        "request".into(),
        now_ms.into(),
        signature.into(),
        request.body.len().into(),
    ]);
    let low = hash(&["request id".into(), high.into()]);
    let (first, second, third) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
    let (fourth, fifth) = (0x8000 | (low >> 50), low & 0xffff_ffff_ffff);
    format!("{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{fifth:012x}")
}

/// Returns the answer for a picture with this label. A picture from another world only shows strangers.
fn faces(context: ProviderContext<'_>, label: Option<&Label>) -> Value {
    let (world, rules) = (context.world, context.rules);
    let mut known: Vec<(f64, Value)> = Vec::new();
    let mut strangers: Vec<Value> = Vec::new();
    for face in label
        .map_or(&[][..], |label| label.faces.as_slice())
        .iter()
        .take(FACES_MAX)
    {
        let Some(label) = label else { continue };
        let ours = label.world == world.fingerprint();
        let seen = ours
            .then(|| world.see(label.photo, face.person, rules))
            .flatten();
        let person = seen.and_then(|seen| world.people.get(seen.person));
        let features = Features::new(label, face);
        match (seen, person) {
            (Some(seen), Some(person)) if !seen.missed => {
                let gender = if is_feminine(person) {
                    "Female"
                } else {
                    "Male"
                };
                let smile = features.smile();
                let mut whole = features.compared();
                if let Some(members) = whole.as_object_mut() {
                    members.insert("Emotions".to_owned(), features.emotions());
                    members.insert("Smile".to_owned(), smile);
                }
                known.push((
                    face.width * face.height,
                    json!({
                        "Urls": person.urls(), "Name": person.name, "Id": person.id, "Face": whole,
                        "MatchConfidence": seen.match_confidence, "KnownGender": {"Type": gender},
                    }),
                ));
            }
            _ => strangers.push(features.compared()),
        }
    }
    // The real service lists the largest face first.
    known.sort_by(|one, other| other.0.total_cmp(&one.0));
    let known: Vec<Value> = known.into_iter().map(|(_, face)| face).collect();
    json!({"CelebrityFaces": known, "UnrecognizedFaces": strangers})
}

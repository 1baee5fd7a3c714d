//! The recogniser: AWS Rekognition's `RecognizeCelebrities`, signature and all.
//!
//! It looks at nothing but the bytes it is sent: who is in a picture stands in the picture.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::ask::Ask;
use super::recogniser_faults::{
    RekognitionFault, TOO_LARGE, answer as reply_with, auth_error, missing_token, reply,
    service_error, unknown_client,
};
use super::reply::Reply;
use super::sandbox::Sandbox;
use super::sigv4::{Refusal, Signed, Signer, sha256_hex, verify};
use crate::sandbox::hash::{HashPart, hash, unit};
use crate::sandbox::picture::{Face, Label, inspect, is_feminine};

/// The most that an image may weigh, decoded.
pub(super) const IMAGE_BYTES_MAX: usize = 5_242_880;
const SIDE_PX_MIN: u32 = 80;
const FACES_MAX: usize = 64;
const TARGET: &str = "RekognitionService.RecognizeCelebrities";

pub(super) fn answer(sandbox: &mut Sandbox, ask: &Ask, now_ms: u64) -> Reply {
    let id = request_id(ask, now_ms);
    match recognise(sandbox, ask, now_ms, &id) {
        Ok(seen) => reply_with(200, &seen, &id),
        Err(refusal) => *refusal,
    }
}

/// The steps in the order of the real one: address, signature, limit, body, image.
fn recognise(sandbox: &mut Sandbox, ask: &Ask, now_ms: u64, id: &str) -> Result<Value, Box<Reply>> {
    if ask.path != "/" || ask.header("content-type") != Some("application/x-amz-json-1.1") {
        return Err(Box::new(missing_token(id)));
    }
    if ask.header("x-amz-target") != Some(TARGET) {
        return Err(Box::new(reply(RekognitionFault::UnknownOperation, id)));
    }
    check_signature(sandbox, ask, now_ms, id)?;
    if !sandbox.admit(now_ms) {
        return Err(Box::new(reply(RekognitionFault::ThroughputExceeded, id)));
    }
    let image = image_bytes(&ask.body).map_err(|refusal| Box::new(refused(refusal, id)))?;
    let seen =
        inspect(&image).map_err(|_| Box::new(reply(RekognitionFault::InvalidImageFormat, id)))?;
    if seen.width_px.min(seen.height_px) < SIDE_PX_MIN {
        return Err(Box::new(reply(RekognitionFault::InvalidParameter, id)));
    }
    Ok(faces(sandbox, seen.label.as_ref()))
}

fn check_signature(sandbox: &Sandbox, ask: &Ask, now_ms: u64, id: &str) -> Result<(), Box<Reply>> {
    let credentials = &sandbox.options().credentials;
    let signed = Signed {
        method: ask.method.as_str(),
        path: &ask.path,
        query: ask.query.as_deref().unwrap_or_default(),
        headers: &ask.headers,
        host: &ask.host,
        body: &ask.body,
    };
    let owner = Signer {
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

/// Why a body holds no image.
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

/// The SHA-256 of the image in a body; of the whole body where there is none.
pub(super) fn image_digest(ask: &Ask) -> String {
    match image_bytes(&ask.body) {
        Ok(image) => sha256_hex(&image),
        Err(_) => sha256_hex(&ask.body),
    }
}

/// A UUID that only repeats when the same body comes in the same millisecond.
pub(super) fn request_id(ask: &Ask, now_ms: u64) -> String {
    let high = hash(&["request".into(), now_ms.into(), HashPart::Bytes(&ask.body)]);
    let low = hash(&["request id".into(), high.into()]);
    let (first, second, third) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
    let (fourth, fifth) = (0x8000 | (low >> 50), low & 0xffff_ffff_ffff);
    format!("{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{fifth:012x}")
}

/// The answer about a picture; a picture of another world shows strangers.
fn faces(sandbox: &Sandbox, label: Option<&Label>) -> Value {
    let (world, rules) = (sandbox.world(), sandbox.options().rules);
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
    // The largest face first, as the real one lists them.
    known.sort_by(|one, other| other.0.total_cmp(&one.0));
    let known: Vec<Value> = known.into_iter().map(|(_, face)| face).collect();
    json!({"CelebrityFaces": known, "UnrecognizedFaces": strangers})
}

/// The numbers around one face: drawn from photo and person, with as many digits as real ones.
struct Features<'a> {
    face: &'a Face,
    seed: u64,
}

const EMOTIONS: [&str; 8] = [
    "HAPPY",
    "CALM",
    "SURPRISED",
    "CONFUSED",
    "DISGUSTED",
    "ANGRY",
    "FEAR",
    "SAD",
];
/// Where each mark of a face is in its box.
const LANDMARKS: [(&str, f64, f64); 5] = [
    ("eyeLeft", 0.3, 0.49),
    ("eyeRight", 0.7, 0.49),
    ("mouthLeft", 0.36, 0.78),
    ("mouthRight", 0.64, 0.78),
    ("nose", 0.5, 0.65),
];

impl<'a> Features<'a> {
    fn new(label: &Label, face: &'a Face) -> Self {
        Self {
            face,
            seed: hash(&["face".into(), label.photo.into(), face.person.into()]),
        }
    }

    fn draw(&self, what: &str, low: f64, high: f64) -> f64 {
        low + (high - low) * unit(hash(&[what.into(), self.seed.into()]))
    }

    /// A `ComparedFace`.
    fn compared(&self) -> Value {
        let face = self.face;
        let landmarks: Vec<Value> = LANDMARKS
            .iter()
            .map(|(kind, x, y)| {
                let jitter = self.draw(kind, -0.01, 0.01);
                json!({"Type": kind, "X": face.left + face.width * (x + jitter),
                    "Y": face.top + face.height * (y - jitter)})
            })
            .collect();
        json!({
            "BoundingBox": {
                "Width": face.width + self.draw("width", 0.0, 1e-6),
                "Height": face.height + self.draw("height", 0.0, 1e-6),
                "Left": face.left + self.draw("left", 0.0, 1e-6),
                "Top": face.top + self.draw("top", 0.0, 1e-6),
            },
            "Confidence": self.draw("confidence", 99.5, 100.0),
            "Landmarks": landmarks,
            "Pose": {"Roll": self.draw("roll", -9.0, 9.0), "Yaw": self.draw("yaw", -30.0, 30.0),
                "Pitch": self.draw("pitch", -12.0, 12.0)},
            "Quality": {"Brightness": self.draw("brightness", 55.0, 95.0),
                "Sharpness": self.draw("sharpness", 26.0, 99.0)},
        })
    }

    fn emotions(&self) -> Value {
        let happy = self.draw("happy", 60.0, 99.0);
        let mut rest = 100.0 - happy;
        let list = EMOTIONS.iter().enumerate().map(|(number, kind)| {
            let confidence = if number == 0 {
                happy
            } else {
                rest * self.draw(kind, 0.1, 0.6)
            };
            rest -= if number == 0 { 0.0 } else { confidence };
            json!({"Type": kind, "Confidence": confidence})
        });
        list.collect()
    }

    fn smile(&self) -> Value {
        json!({"Value": true, "Confidence": self.draw("smile", 75.0, 99.9)})
    }
}

//! The role of the recogniser, which says who is in a photo.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use domain::{Candidate, Confidence, Face, Failure, Sha256Digest};
use platform::{WireRequest, WireResponse};

use crate::response::unexpected;

/// A recogniser of public figures in photos.
pub trait Recogniser: fmt::Debug {
    /// Returns the recogniser's id in settings, storage and metering, for example `rekognition`.
    fn id(&self) -> &'static str;

    /// Returns the recogniser's name for viewers.
    fn name(&self) -> &'static str;

    /// Returns whether the recogniser looks only for the candidates that it is told. Its answer for a photo then does not
    /// hold where other people are looked for.
    fn needs_candidates(&self) -> bool {
        false
    }

    /// Makes a request to recognise people in a photo (JPEG or PNG), signed for `now_ms`, in milliseconds since 1970.
    fn request(
        &self,
        photo: &[u8],
        candidates: &[Candidate],
        now_ms: u64,
    ) -> Result<WireRequest, Failure> {
        let body = self.body(photo, candidates);
        let digest = Sha256Digest::of(&body);
        self.request_with(body, &digest, now_ms)
    }

    /// Returns the request's body for a photo (JPEG or PNG, at most 5,242,880 bytes) and whom it may show.
    fn body(&self, photo: &[u8], candidates: &[Candidate]) -> Vec<u8>;

    /// Makes the request with this body and its digest, signed for `now_ms`, in milliseconds since 1970.
    fn request_with(
        &self,
        body: Vec<u8>,
        digest: &Sha256Digest,
        now_ms: u64,
    ) -> Result<WireRequest, Failure>;

    /// Makes a request for what the recogniser has and lacks; `None` if it does not tell.
    fn status_request(&self) -> Option<Result<WireRequest, Failure>> {
        None
    }

    /// Reads what the recogniser has and lacks, as sentences for the operator.
    fn read_status(&self, _response: &WireResponse) -> Result<String, Failure> {
        Err(unexpected())
    }

    /// Reads the recognised faces, whatever their confidence. The machine applies the threshold.
    fn read(&self, response: &WireResponse) -> Result<Recognition, Failure>;
}

/// A recogniser's answer for a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognition {
    /// The faces that the recogniser named, in its order.
    pub faces: Vec<Face>,
    /// The model and its version, if the recogniser tells them.
    pub model: Option<String>,
    /// Whether everybody whom the recogniser was told was looked for.
    pub is_whole: bool,
}

/// Returns a photo in base64 between two pieces of JSON. It is written into one buffer, since a photo has up to 7 MB in
/// base64 and a JSON serializer would copy it.
pub(crate) fn photo_in_base64(before: &str, photo: &[u8], after: &str) -> Vec<u8> {
    let encoded_bytes = photo.len().div_ceil(3) * 4;
    let mut text = String::with_capacity(before.len() + encoded_bytes + after.len());
    text.push_str(before);
    STANDARD.encode_string(photo, &mut text);
    text.push_str(after);
    text.into_bytes()
}

/// Returns a percentage as a confidence; 0 if it is out of range.
pub(crate) fn confidence(percent: f64) -> Confidence {
    if (0.0..=100.0).contains(&percent) {
        Confidence::clamped(percent)
    } else {
        Confidence::ZERO
    }
}

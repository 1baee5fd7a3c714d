//! The role of the recogniser, and the providers that play it.

use std::fmt;

use domain::{Face, Failure, Sha256Digest};
use platform::{WireRequest, WireResponse};

use crate::rekognition::{self, RekognitionSettings};

/// A recogniser of public figures in photos.
pub trait Recogniser: fmt::Debug {
    /// Returns the id under which the provider is set, stored and metered: `rekognition`.
    fn id(&self) -> &'static str;

    /// Returns the name under which people know the provider.
    fn name(&self) -> &'static str;

    /// Asks who is in a photo (JPEG or PNG), signed for `now_ms` since 1970.
    fn request(&self, photo: &[u8], now_ms: u64) -> Result<WireRequest, Failure> {
        let body = self.body(photo);
        let digest = Sha256Digest::of(&body);
        self.request_with(body, &digest, now_ms)
    }

    /// Returns the body that asks who is in a photo (JPEG or PNG, at most 5,242,880 bytes).
    fn body(&self, photo: &[u8]) -> Vec<u8>;

    /// Makes the request with that body, of which this is the digest, signed for `now_ms` since
    /// 1970.
    fn request_with(
        &self,
        body: Vec<u8>,
        digest: &Sha256Digest,
        now_ms: u64,
    ) -> Result<WireRequest, Failure>;

    /// Reads the recognised faces; the threshold is the machine's to apply.
    fn read(&self, response: &WireResponse) -> Result<Vec<Face>, Failure>;
}

impl Recogniser for RekognitionSettings {
    fn id(&self) -> &'static str {
        "rekognition"
    }

    fn name(&self) -> &'static str {
        "Amazon Rekognition"
    }

    fn body(&self, photo: &[u8]) -> Vec<u8> {
        rekognition::body(photo)
    }

    fn request_with(
        &self,
        body: Vec<u8>,
        digest: &Sha256Digest,
        now_ms: u64,
    ) -> Result<WireRequest, Failure> {
        rekognition::request(self, body, digest, now_ms)
    }

    fn read(&self, response: &WireResponse) -> Result<Vec<Face>, Failure> {
        rekognition::read(response)
    }
}

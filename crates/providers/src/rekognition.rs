//! Amazon Rekognition with `RecognizeCelebrities`. Requests are signed by AWS Signature Version 4 with `aws-sigv4`, for a
//! time that the caller passes.
//!
//! Source: botocore `rekognition/2016-06-27/service-2.json`, protocol JSON 1.1.

use std::time::{Duration, UNIX_EPOCH};

use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use serde_json::Value;

use domain::{Candidate, Face, FaceBox, Failure, FailureKind, Sha256Digest, fold};
use platform::{WireRequest, WireResponse};

use crate::recogniser::{Recogniser, Recognition, confidence, photo_in_base64};
use crate::response::{
    RECOGNITION_BYTES_MAX, detail, error_body, kind_of_status, list_at, object_within,
    retry_after_ms, text_at, unbuildable, unexpected,
};

/// The service's name in a signature's scope.
pub const SERVICE: &str = "rekognition";
/// The most memory of a parsed answer, in bytes. It is generous, enough for a hundred faces with all landmarks, because
/// an answer that was paid for should not be refused.
const WEIGHT_MAX: usize = 2 * RECOGNITION_BYTES_MAX;
/// The most faces that are read from one answer, which is the service's own limit.
const FACES_MAX: usize = 64;
/// The longest stored name or page address, in characters.
const TEXT_CHARS_MAX: usize = 256;
/// The most page addresses that are read for one person.
const URLS_MAX: usize = 4;

/// The endpoint and the credentials with which it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RekognitionSettings {
    /// Scheme, host and port.
    pub endpoint: String,
    /// Signs requests with the operator's key for the region.
    pub signer: Signer,
}

impl Recogniser for RekognitionSettings {
    fn id(&self) -> &'static str {
        "rekognition"
    }

    fn name(&self) -> &'static str {
        "Amazon Rekognition"
    }

    /// Returns the request's body for a photo (JPEG or PNG, at most 5,242,880 bytes): `{"Image":{"Bytes":"..."}}`. The
    /// service knows whom to look for, so the candidates are not sent.
    fn body(&self, photo: &[u8], _candidates: &[Candidate]) -> Vec<u8> {
        photo_in_base64(r#"{"Image":{"Bytes":""#, photo, r#""}}"#)
    }

    fn request_with(
        &self,
        body: Vec<u8>,
        digest: &Sha256Digest,
        now_ms: u64,
    ) -> Result<WireRequest, Failure> {
        let endpoint = format!("{}/", self.endpoint.trim_end_matches('/'));
        let mut request = http::Request::post(endpoint)
            .header("content-type", "application/x-amz-json-1.1")
            .header("x-amz-target", "RekognitionService.RecognizeCelebrities")
            .body(body)
            .map_err(unbuildable)?;
        self.signer.sign(&mut request, digest, now_ms)?;
        Ok(request)
    }

    /// Reads the recognised faces, whatever their confidence. The machine applies the threshold. Every member is
    /// optional in the service's model. An invalid one counts as absent, since the answer is paid for.
    fn read(&self, response: &WireResponse) -> Result<Recognition, Failure> {
        if response.status() != 200 {
            return Err(failure_of(response));
        }
        let body = object_within(response, WEIGHT_MAX)?;
        // An answer without this list is not a recognition.
        let Some(Value::Array(celebrities)) = body.get("CelebrityFaces") else {
            return Err(unexpected());
        };
        let faces = celebrities
            .iter()
            .filter(|face| face.is_object())
            .take(FACES_MAX)
            .map(face);
        // A face with neither id nor name identifies nobody.
        Ok(Recognition {
            faces: faces
                .filter(|face| !face.id.is_empty() || !fold(&face.name).is_empty())
                .collect(),
            model: None,
            is_whole: true,
        })
    }
}

/// Returns the address at which AWS serves the API in a region.
#[must_use]
pub fn endpoint_default(region: &str) -> String {
    format!("https://rekognition.{region}.amazonaws.com")
}

fn face(celebrity: &Value) -> Face {
    let cut = |text: &str| text.chars().take(TEXT_CHARS_MAX).collect::<String>();
    let number = |place: &str| celebrity.pointer(place).and_then(Value::as_f64);
    let bound = |side: &str| number(&format!("/Face/BoundingBox/{side}")).unwrap_or_default();
    let urls = list_at(celebrity, "/Urls").iter().filter_map(Value::as_str);
    Face {
        id: cut(text_at(celebrity, "/Id")),
        name: cut(text_at(celebrity, "/Name")),
        // The confidence that counts is `MatchConfidence`; `Confidence` is that of the face's box.
        confidence: confidence(number("/MatchConfidence").unwrap_or_default()),
        face_box: FaceBox {
            left: bound("Left"),
            top: bound("Top"),
            width: bound("Width"),
            height: bound("Height"),
        },
        urls: urls.take(URLS_MAX).map(cut).collect(),
        portrait: None,
    }
}

/// Returns the failure for an error response. The error's name decides before the status, since throttling has status
/// 400 here. The message decides if the name has two meanings, and the status if the name is missing or unknown.
fn failure_of(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let header = response
        .headers()
        .get("x-amzn-errortype")
        .and_then(|value| value.to_str().ok());
    let codes = [
        header.unwrap_or_default(),
        text_at(&body, "/code"),
        text_at(&body, "/Code"),
        text_at(&body, "/__type"),
    ];
    let code = codes
        .into_iter()
        .find(|code| !code.is_empty())
        .unwrap_or_default();
    let name = bare_name(code);
    let messages = ["/message", "/Message", "/errorMessage"];
    // The message is "1 validation error detected: Value at 'image.bytes' failed to satisfy constraint: Member must
    // have length less than or equal to 5242880".
    let is_about_the_size = messages
        .iter()
        .any(|pointer| text_at(&body, pointer).contains("image.bytes"));
    let kind = match name {
        "ThrottlingException"
        | "ProvisionedThroughputExceededException"
        // `ThrottlingException` may come with status 500 and the message "Service Unavailable". Nothing was then
        // recognised or charged.
        | "LimitExceededException" => FailureKind::Throttled,
        "InternalServerError" | "ServiceUnavailableException" => FailureKind::Down,
        "ValidationException" | "InvalidParameterException" if is_about_the_size => {
            FailureKind::TooLarge
        }
        "InvalidImageFormatException" | "InvalidParameterException" => FailureKind::BadImage,
        "ImageTooLargeException" => FailureKind::TooLarge,
        "AccessDeniedException"
        | "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "IncompleteSignatureException"
        | "MissingAuthenticationTokenException"
        | "ExpiredTokenException"
        // The account is not activated for the service, or not in this region.
        | "SubscriptionRequiredException"
        | "OptInRequired" => FailureKind::Misconfigured,
        // An XML answer without a name was observed for a wrong path or content type.
        "" if status == 403 => FailureKind::Misconfigured,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, name)).after(retry_after_ms(response))
}

/// Returns an error's name without prefix and suffix, for example `ThrottlingException` for
/// `com.amazonaws#ThrottlingException:http://...`.
fn bare_name(name: &str) -> &str {
    let before_colon = name.split(':').next().unwrap_or_default();
    before_colon.rsplit('#').next().unwrap_or_default().trim()
}

/// An access key. `Debug` shows only its id.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The public part, which is named in signatures.
    pub access_key_id: String,
    /// The secret part, which is never logged.
    pub secret_access_key: String,
    /// The session token; `None` if the credentials are permanent.
    pub session_token: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Credentials")
            .field("access_key_id", &self.access_key_id)
            .finish_non_exhaustive()
    }
}

/// A signer of requests to one service in one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// The access key.
    pub credentials: Credentials,
    /// The region, for example `us-east-1`.
    pub region: String,
    /// The service's name in signatures, for example `rekognition`.
    pub service: String,
}

impl Signer {
    /// Adds the headers `x-amz-date`, `authorization` and, with temporary credentials, `x-amz-security-token`. A
    /// signature is valid for five minutes, so each attempt needs a new one.
    ///
    /// `body` is the digest of the request's body, which a caller may be able to compute faster than this program.
    /// `now_ms` is in milliseconds since 1970.
    pub fn sign(
        &self,
        request: &mut WireRequest,
        body: &Sha256Digest,
        now_ms: u64,
    ) -> Result<(), Failure> {
        let refused = || {
            Failure::new(
                FailureKind::Misconfigured,
                "the request could not be signed",
            )
        };
        let identity = aws_credential_types::Credentials::new(
            &self.credentials.access_key_id,
            &self.credentials.secret_access_key,
            self.credentials.session_token.clone(),
            None,
            "settings",
        )
        .into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(&self.service)
            .time(UNIX_EPOCH + Duration::from_millis(now_ms))
            .settings(SigningSettings::default())
            .build()
            .map_err(|_| refused())?
            .into();
        let address = request.uri().to_string();
        let mut headers = Vec::new();
        for (name, value) in request.headers() {
            headers.push((name.as_str(), value.to_str().map_err(|_| refused())?));
        }
        let signable = SignableRequest::new(
            request.method().as_str(),
            address,
            headers.into_iter(),
            SignableBody::Precomputed(body.to_string()),
        )
        .map_err(|_| refused())?;
        let (instructions, _) = sign(signable, &parameters)
            .map_err(|_| refused())?
            .into_parts();
        instructions.apply_to_request_http1x(request);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_standard_base64_in_json() {
        let recogniser = RekognitionSettings {
            endpoint: String::new(),
            signer: Signer {
                credentials: Credentials {
                    access_key_id: String::new(),
                    secret_access_key: String::new(),
                    session_token: None,
                },
                region: String::new(),
                service: SERVICE.into(),
            },
        };
        assert_eq!(
            recogniser.body(&[0xFF, 0xD8, 0xFF, 0xE0], &[]),
            br#"{"Image":{"Bytes":"/9j/4A=="}}"#
        );
        let long = recogniser.body(&vec![7; 1_000], &[]);
        assert_eq!(long.capacity(), long.len());
        assert!(serde_json::from_slice::<serde_json::Value>(&long).is_ok());
    }

    #[test]
    fn error_names_are_stripped() {
        assert_eq!(
            bare_name("com.amazonaws.rekognition#ThrottlingException:http://x/"),
            "ThrottlingException"
        );
        assert_eq!(bare_name("AccessDeniedException"), "AccessDeniedException");
    }
}

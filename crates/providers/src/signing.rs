//! Signs by AWS Signature Version 4 with `aws-sigv4`, with the time handed in.

use std::time::{Duration, UNIX_EPOCH};

use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;

use domain::{Failure, FailureKind, Sha256Digest};
use platform::WireRequest;

/// An access key, of which `Debug` shows the id only.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The public part, which a signature names.
    pub access_key_id: String,
    /// The secret part, which is never logged.
    pub secret_access_key: String,
    /// The session token, which is sent along where the credentials are temporary.
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
    /// The key that signs.
    pub credentials: Credentials,
    /// The region, for example `us-east-1`.
    pub region: String,
    /// The signing name, for example `rekognition`.
    pub service: String,
}

impl Signer {
    /// Adds `x-amz-date`, `authorization` and, with temporary credentials,
    /// `x-amz-security-token`. A signature holds for five minutes: sign anew for each attempt.
    ///
    /// `body` is the digest of the request's body, which the caller may have made by a faster way
    /// than this program's own; `now_ms` are milliseconds since 1970.
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

//! The keys of a sandbox.

/// What a caller must know. None of it opens anything but a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxCredentials {
    /// Sent as `x-goog-api-key` or `key`.
    pub google_key: String,
    /// Sent as `cx`.
    pub google_cx: String,
    /// The key id in the signature's scope.
    pub aws_access_key_id: String,
    /// The secret that the signature is made with.
    pub aws_secret_access_key: String,
    /// The token of a temporary key; where set it must be sent and signed.
    pub aws_session_token: Option<String>,
    /// The region in the signature's scope.
    pub aws_region: String,
    /// Sent as `x-goog-api-key`.
    pub gemini_key: String,
    /// The models that exist; the first is the recommended one.
    pub gemini_models: Vec<String>,
    /// Sent as `X-Subscription-Token`.
    pub brave_key: String,
    /// Sent as `api_key`.
    pub serpapi_key: String,
    /// Sent as `X-API-KEY`.
    pub serper_key: String,
}

impl Default for SandboxCredentials {
    fn default() -> Self {
        Self {
            google_key: "sandbox-google-key".to_owned(),
            google_cx: "sandbox-engine".to_owned(),
            aws_access_key_id: "SANDBOXACCESSKEY".to_owned(),
            aws_secret_access_key: "sandbox-secret-access-key".to_owned(),
            aws_session_token: None,
            aws_region: "us-east-1".to_owned(),
            gemini_key: "sandbox-gemini-key".to_owned(),
            gemini_models: [
                "gemini-3.5-flash-lite",
                "gemini-3.5-flash",
                "gemini-2.5-flash-lite",
            ]
            .map(str::to_owned)
            .to_vec(),
            brave_key: "sandbox-brave-key".to_owned(),
            serpapi_key: "sandbox-serpapi-key".to_owned(),
            serper_key: "sandbox-serper-key".to_owned(),
        }
    }
}

impl SandboxCredentials {
    /// The first of the models; empty where there is none.
    #[must_use]
    pub fn gemini_model(&self) -> &str {
        self.gemini_models.first().map_or("", String::as_str)
    }
}

//! How a sandbox behaves.

use super::calls::Provider;
use super::faults::FaultPlan;
use crate::sandbox::world::Rules;

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Scheme, host and port of all links, without a slash at the end.
    pub origin: String,
    /// How well the recogniser sees.
    pub rules: Rules,
    /// How long each provider takes.
    pub latency: Latency,
    /// What goes wrong when.
    pub faults: FaultPlan,
    /// Who may ask.
    pub credentials: Credentials,
    /// Whether about one photo in twelve is ugly: dead, mislabelled, cut, slow.
    pub ugly: bool,
    /// The recogniser's limit of requests per second; without one it is never busy.
    pub recognitions_per_second_max: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            origin: "http://127.0.0.1:8788".to_owned(),
            rules: Rules::default(),
            latency: Latency::default(),
            faults: FaultPlan::default(),
            credentials: Credentials::default(),
            ugly: true,
            recognitions_per_second_max: None,
        }
    }
}

/// Milliseconds until the first byte, by provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// The image search.
    pub google_ms: u64,
    /// The image hosts.
    pub image_ms: u64,
    /// The recogniser.
    pub rekognition_ms: u64,
    /// The planner.
    pub gemini_ms: u64,
}

impl Latency {
    /// One provider's.
    #[must_use]
    pub fn of(self, provider: Provider) -> u64 {
        match provider {
            Provider::Google => self.google_ms,
            Provider::Image => self.image_ms,
            Provider::Rekognition => self.rekognition_ms,
            Provider::Gemini => self.gemini_ms,
        }
    }
}

/// What a caller must know. None of it opens anything but a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The search's key.
    pub google_key: String,
    /// The search engine's id.
    pub google_cx: String,
    /// The recogniser's key id.
    pub aws_access_key_id: String,
    /// The recogniser's secret.
    pub aws_secret_access_key: String,
    /// The token of a temporary key; where set it must be sent and signed.
    pub aws_session_token: Option<String>,
    /// The recogniser's region.
    pub aws_region: String,
    /// The planner's key.
    pub gemini_key: String,
    /// The models that exist; the first is the recommended one.
    pub gemini_models: Vec<String>,
}

impl Default for Credentials {
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
        }
    }
}

impl Credentials {
    /// The recommended model.
    #[must_use]
    pub fn gemini_model(&self) -> &str {
        self.gemini_models.first().map_or("", String::as_str)
    }
}

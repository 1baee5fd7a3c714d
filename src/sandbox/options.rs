//! How a sandbox behaves.

use super::fault_plan::FaultPlan;
use super::providers::{SandboxCredentials, SandboxProvider};
use super::world::Rules;

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct SandboxOptions {
    /// Scheme, host and port of all links, without a slash at the end.
    pub origin: String,
    /// How well the recogniser sees.
    pub rules: Rules,
    /// How long each provider takes.
    pub latency: Latency,
    /// What goes wrong when.
    pub faults: FaultPlan,
    /// Who may ask.
    pub credentials: SandboxCredentials,
    /// Whether about one photo in twelve has a bad file: dead, mislabelled, cut, slow.
    pub bad_images: bool,
    /// The recogniser's limit of requests per second; without one it is never busy.
    pub recognitions_per_second_max: Option<u32>,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            origin: "http://127.0.0.1:8788".to_owned(),
            rules: Rules::default(),
            latency: Latency::default(),
            faults: FaultPlan::default(),
            credentials: SandboxCredentials::default(),
            bad_images: true,
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
    pub fn of(self, provider: SandboxProvider) -> u64 {
        match provider {
            SandboxProvider::Google => self.google_ms,
            SandboxProvider::Image => self.image_ms,
            SandboxProvider::Rekognition => self.rekognition_ms,
            SandboxProvider::Gemini => self.gemini_ms,
        }
    }
}

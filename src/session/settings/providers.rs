//! How each provider is reached, and what it charges.

use crate::providers::{gemini, google, rekognition};

use super::address_policy::AddressPolicy;

/// Prices in billionths of a dollar, for what a run tells that it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// Of one search.
    pub search_nano_usd: u64,
    /// Of one photo.
    pub recognition_nano_usd: u64,
    /// Of a token that the planner reads.
    pub token_in_nano_usd: u64,
    /// Of a token that the planner writes.
    pub token_out_nano_usd: u64,
}

impl Default for Prices {
    /// List prices of 2026-11: $5 a thousand searches, $1 a thousand photos, $0.30 and $2.50 a
    /// million tokens.
    fn default() -> Self {
        Self {
            search_nano_usd: 5_000_000,
            recognition_nano_usd: 1_000_000,
            token_in_nano_usd: 300,
            token_out_nano_usd: 2_500,
        }
    }
}

/// The planner that says whom to try next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannerSettings {
    /// There is none: the ranking decides alone.
    Off,
    /// Gemini, and how it is reached.
    Gemini(gemini::GeminiSettings),
}

/// Everything that a run needs of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Providers {
    /// How the image search is reached.
    pub search: google::GoogleSettings,
    /// How the recogniser is reached.
    pub recogniser: rekognition::RekognitionSettings,
    /// Whether there is a planner, and how it is reached.
    pub planner: PlannerSettings,
    /// Which photo addresses may be fetched.
    pub addresses: AddressPolicy,
    /// What each call costs, for the dollars that a run tells.
    pub prices: Prices,
}

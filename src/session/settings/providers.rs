//! How each provider is reached, and what it charges.

use crate::providers::{gemini, google, rekognition};

use super::address_policy::AddressPolicy;

/// Prices in billionths of a dollar, for what a run tells that it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// Of a search.
    pub search_nano_usd: u64,
    /// Of a recognition.
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

/// Whether there is a planner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannerSettings {
    /// The ranking decides alone.
    Off,
    /// Gemini is asked.
    Gemini(gemini::Settings),
}

/// Everything that a run needs of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Providers {
    /// The image search.
    pub search: google::Settings,
    /// The recogniser.
    pub recogniser: rekognition::Settings,
    /// The planner.
    pub planner: PlannerSettings,
    /// Which photo addresses may be fetched.
    pub addresses: AddressPolicy,
    /// For the bill that a run tells.
    pub prices: Prices,
}

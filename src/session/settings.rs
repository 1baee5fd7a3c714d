//! The operator's settings, from variables and secrets. Nothing is assumed silently: what is
//! missing or unreadable is named.

use crate::domain::{Limits, Secret};
use crate::providers::{gemini, google, rekognition};

use super::address::AddressPolicy;

/// What a run may ask for at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// Searches.
    pub searches_max: u32,
    /// Recognitions.
    pub recognitions_max: u32,
    /// Planner calls.
    pub planner_calls_max: u32,
    /// Time, in milliseconds.
    pub runtime_ms_max: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            searches_max: 50,
            recognitions_max: 250,
            planner_calls_max: 24,
            runtime_ms_max: 300_000,
        }
    }
}

impl Caps {
    /// The specification's budgets, or the caps where they are lower.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        let limits = Limits::default();
        Limits {
            searches_max: limits.searches_max.min(self.searches_max),
            recognitions_max: limits.recognitions_max.min(self.recognitions_max),
            planner_calls_max: limits.planner_calls_max.min(self.planner_calls_max),
            runtime_ms_max: limits.runtime_ms_max.min(self.runtime_ms_max),
            ..limits
        }
    }
}

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
    Gemini(gemini::GeminiSettings),
}

/// Everything that a run needs of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Providers {
    /// The image search.
    pub search: google::GoogleSettings,
    /// The recogniser.
    pub recogniser: rekognition::RekognitionSettings,
    /// The planner.
    pub planner: PlannerSettings,
    /// Which photo addresses may be fetched.
    pub addresses: AddressPolicy,
    /// For the bill that a run tells.
    pub prices: Prices,
}

/// Who may start a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Everybody: the operator said `PUBLIC=1`.
    Public,
    /// Who has the operator's token.
    Token(Secret),
    /// Nobody yet: neither is set.
    Closed,
}

/// The operator's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The providers, or each setting that is missing or unreadable, in words.
    pub providers: Result<Providers, Vec<String>>,
    /// Who may start a run.
    pub access: Access,
    /// What a run may ask for at most.
    pub caps: Caps,
    /// How long a run is kept, in seconds.
    pub time_to_live_s: u64,
    /// Origins of other pages that may start runs; `*` is any.
    pub allowed_origins: Vec<String>,
    /// Signs sealed files: shows that this server made them.
    pub seal_key: Option<Secret>,
    /// The example that the page shows.
    pub example: (String, String),
}

impl Settings {
    /// Each setting that is missing or unreadable before a run can be started, in words.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let mut missing = self.providers.as_ref().err().cloned().unwrap_or_default();
        if self.access == Access::Closed {
            missing.push("OPERATOR_TOKEN (or PUBLIC=1, which lets everybody start runs)".into());
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[(&str, &str)]) -> Settings {
        Settings::read(|name| {
            settings
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    const KEYS: [(&str, &str); 5] = [
        ("GOOGLE_API_KEY", "g"),
        ("GOOGLE_CX", "cx"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("GEMINI_API_KEY", "k"),
    ];

    #[test]
    fn each_missing_setting_is_named() {
        let names = KEYS.map(|(name, _)| name.to_owned());
        assert_eq!(read(&[]).providers, Err(names.to_vec()));
        assert!(read(&KEYS).providers.is_ok());
        let without_planner = [&KEYS[..4], &[("PLANNER", "none")]].concat();
        let providers = read(&without_planner).providers.unwrap();
        assert_eq!(providers.planner, PlannerSettings::Off);
    }

    #[test]
    fn unreadable_numbers_are_named_and_never_guessed() {
        let settings = [
            &KEYS[..],
            &[("CAP_SEARCHES", "many"), ("RUN_TTL_SECONDS", "59")],
        ]
        .concat();
        let wrong = read(&settings).providers.unwrap_err();
        assert_eq!(
            wrong,
            [
                "CAP_SEARCHES (must be a whole number from 1 to 1000)",
                "RUN_TTL_SECONDS (must be a whole number from 60 to 86400)"
            ]
        );
    }

    #[test]
    fn a_short_seal_key_is_none() {
        let with = |key: &'static str| read(&[&KEYS[..], &[("SEAL_KEY", key)]].concat());
        assert_eq!(
            with("short").providers.unwrap_err(),
            ["SEAL_KEY (must have at least 32 characters; try: openssl rand -hex 32)"]
        );
        let key = "0123456789abcdef0123456789abcdef";
        assert_eq!(with(key).seal_key, Some(key.into()));
        assert_eq!(read(&KEYS).seal_key, None);
    }

    #[test]
    fn starting_is_closed_until_the_operator_opens_it() {
        assert_eq!(read(&KEYS).access, Access::Closed);
        assert_eq!(
            read(&[("OPERATOR_TOKEN", "t")]).access,
            Access::Token("t".into())
        );
        assert_eq!(
            read(&[("PUBLIC", "1"), ("OPERATOR_TOKEN", "t")]).access,
            Access::Public
        );
        assert_eq!(read(&[("PUBLIC", "yes")]).access, Access::Closed);
    }

    #[test]
    fn prices_are_given_as_they_are_listed() {
        let listed = [
            &KEYS[..],
            &[
                ("PRICE_SEARCH_USD_PER_1000", "2.5"),
                ("PRICE_LLM_OUT_USD_PER_MILLION", "0.4"),
            ],
        ]
        .concat();
        let prices = read(&listed).providers.unwrap().prices;
        assert_eq!(prices.search_nano_usd, 2_500_000);
        assert_eq!(prices.token_out_nano_usd, 400);
        assert_eq!(prices.recognition_nano_usd, 1_000_000);
    }

    #[test]
    fn low_caps_lower_the_defaults() {
        let caps = Caps {
            searches_max: 8,
            ..Caps::default()
        };
        assert_eq!(caps.default_limits().searches_max, 8);
        assert_eq!(caps.default_limits().recognitions_max, 100);
    }
}

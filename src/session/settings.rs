//! The operator's settings, from variables and secrets. Nothing is assumed silently: what is
//! missing or unreadable is named.

use crate::domain::Limits;
use crate::providers::{Credentials, Signer, gemini, google, rekognition};

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

/// Who may start a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Everybody: the operator said `PUBLIC=1`.
    Public,
    /// Who has the operator's token.
    Token(String),
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
    /// The example that the page shows.
    pub example: (String, String),
}

/// KV refuses a shorter time to live.
const TIME_TO_LIVE_S_MIN: u64 = 60;
const TIME_TO_LIVE_S_MAX: u64 = 86_400;
/// 10 to 30 minutes in the specification.
const TIME_TO_LIVE_S_DEFAULT: u64 = 1_800;

impl Settings {
    /// Reads the settings through `lookup`, which gives a variable's or secret's text.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let mut reader = Reader {
            lookup,
            wrong: Vec::new(),
        };
        let caps = reader.caps();
        let prices = reader.prices();
        let time_to_live_s = reader.number(
            "RUN_TTL_SECONDS",
            TIME_TO_LIVE_S_DEFAULT,
            TIME_TO_LIVE_S_MIN..=TIME_TO_LIVE_S_MAX,
        );
        let access = match (
            reader.text("PUBLIC").as_deref(),
            reader.text("OPERATOR_TOKEN"),
        ) {
            (Some("1"), _) => Access::Public,
            (_, Some(token)) => Access::Token(token),
            _ => Access::Closed,
        };
        let origins = reader.text("ALLOWED_ORIGINS").unwrap_or_default();
        let allowed_origins = origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty());
        let allowed_origins = allowed_origins.map(str::to_owned).collect();
        let example = (
            reader
                .text("EXAMPLE_A")
                .unwrap_or_else(|| "Barack Obama".into()),
            reader
                .text("EXAMPLE_B")
                .unwrap_or_else(|| "Taylor Swift".into()),
        );
        let providers = reader.providers(prices);
        Self {
            providers,
            access,
            caps,
            time_to_live_s,
            allowed_origins,
            example,
        }
    }
}

struct Reader<F> {
    lookup: F,
    wrong: Vec<String>,
}

impl<F: Fn(&str) -> Option<String>> Reader<F> {
    fn text(&self, name: &str) -> Option<String> {
        (self.lookup)(name)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    fn needed(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.wrong.push(name.to_owned());
            String::new()
        })
    }

    fn number(&mut self, name: &str, default: u64, range: std::ops::RangeInclusive<u64>) -> u64 {
        let Some(text) = self.text(name) else {
            return default;
        };
        match text.parse() {
            Ok(number) if range.contains(&number) => number,
            _ => {
                let (least, most) = (range.start(), range.end());
                self.wrong.push(format!(
                    "{name} (must be a whole number from {least} to {most})"
                ));
                default
            }
        }
    }

    fn small(&mut self, name: &str, default: u32, most: u32) -> u32 {
        let number = self.number(name, u64::from(default), 1..=u64::from(most));
        u32::try_from(number).unwrap_or(default)
    }

    fn caps(&mut self) -> Caps {
        let caps = Caps::default();
        Caps {
            searches_max: self.small("CAP_SEARCHES", caps.searches_max, 1_000),
            recognitions_max: self.small("CAP_RECOGNITIONS", caps.recognitions_max, 5_000),
            planner_calls_max: self.small("CAP_LLM", caps.planner_calls_max, 1_000),
            runtime_ms_max: self.number("CAP_RUNTIME_MS", caps.runtime_ms_max, 1_000..=900_000),
        }
    }

    fn prices(&mut self) -> Prices {
        let prices = Prices::default();
        // A setting in dollars a thousand or a million is a whole number of nano-dollars each.
        Prices {
            search_nano_usd: self.price("PRICE_SEARCH_USD_PER_1000", prices.search_nano_usd, 1e6),
            recognition_nano_usd: self.price(
                "PRICE_RECOGNITION_USD_PER_1000",
                prices.recognition_nano_usd,
                1e6,
            ),
            token_in_nano_usd: self.price(
                "PRICE_LLM_IN_USD_PER_MILLION",
                prices.token_in_nano_usd,
                1e3,
            ),
            token_out_nano_usd: self.price(
                "PRICE_LLM_OUT_USD_PER_MILLION",
                prices.token_out_nano_usd,
                1e3,
            ),
        }
    }

    fn price(&mut self, name: &str, default: u64, nano_usd_per_unit: f64) -> u64 {
        const USD_MAX: f64 = 10_000.0;
        let Some(text) = self.text(name) else {
            return default;
        };
        match text.parse::<f64>() {
            Ok(usd) if (0.0..=USD_MAX).contains(&usd) => {
                // At most 1e10.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let nano_usd = (usd * nano_usd_per_unit).round() as u64;
                nano_usd
            }
            _ => {
                self.wrong
                    .push(format!("{name} (must be dollars from 0 to {USD_MAX})"));
                default
            }
        }
    }

    fn providers(mut self, prices: Prices) -> Result<Providers, Vec<String>> {
        let search = google::Settings {
            base: self
                .text("GOOGLE_BASE")
                .unwrap_or_else(|| google::BASE_DEFAULT.into()),
            key: self.needed("GOOGLE_API_KEY"),
            engine: self.needed("GOOGLE_CX"),
        };
        let region = self
            .text("AWS_REGION")
            .unwrap_or_else(|| "us-east-1".into());
        let credentials = Credentials {
            access_key_id: self.needed("AWS_ACCESS_KEY_ID"),
            secret_access_key: self.needed("AWS_SECRET_ACCESS_KEY"),
            session_token: self.text("AWS_SESSION_TOKEN"),
        };
        let endpoint = self.text("REKOGNITION_ENDPOINT");
        let recogniser = rekognition::Settings {
            endpoint: endpoint.unwrap_or_else(|| rekognition::endpoint_default(&region)),
            signer: Signer {
                credentials,
                region,
                service: rekognition::SERVICE.into(),
            },
        };
        let planner = if self.text("PLANNER").as_deref() == Some("none") {
            PlannerSettings::Off
        } else {
            PlannerSettings::Gemini(gemini::Settings {
                base: self
                    .text("GEMINI_BASE")
                    .unwrap_or_else(|| gemini::BASE_DEFAULT.into()),
                key: self.needed("GEMINI_API_KEY"),
                model: self
                    .text("GEMINI_MODEL")
                    .unwrap_or_else(|| gemini::MODEL_DEFAULT.into()),
            })
        };
        let addresses = AddressPolicy {
            allowed_origin: self.text("IMAGE_ORIGIN_ALLOWED"),
        };
        if self.wrong.is_empty() {
            Ok(Providers {
                search,
                recogniser,
                planner,
                addresses,
                prices,
            })
        } else {
            Err(self.wrong)
        }
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

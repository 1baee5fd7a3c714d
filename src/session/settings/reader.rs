//! Reads the operator's settings one by one and collects what is missing or unreadable.

use crate::domain::Secret;
use crate::journal::BUDGET_MAX;
use crate::providers::{Credentials, Signer, gemini, google, rekognition};

use super::address_policy::AddressPolicy;
use super::caps::Caps;
use super::providers::{PlannerSettings, Prices, Providers};

/// A shorter key of an HMAC can be guessed.
const SEAL_KEY_BYTES_MIN: usize = 32;

/// Looks settings up by name, and remembers what is wrong with them.
pub(super) struct SettingsReader<F> {
    lookup: F,
    wrong: Vec<String>,
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Nothing looked up yet.
    pub(super) fn new(lookup: F) -> Self {
        Self {
            lookup,
            wrong: Vec::new(),
        }
    }

    /// The text of a setting, without the spaces around it; an empty one counts as not set.
    pub(super) fn text(&self, name: &str) -> Option<String> {
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

    /// The key that signs sealed files; a short one is wrong.
    pub(super) fn seal_key(&mut self) -> Option<Secret> {
        let key = self.text("SEAL_KEY")?;
        if key.len() < SEAL_KEY_BYTES_MIN {
            self.wrong.push(format!(
                "SEAL_KEY (must have at least {SEAL_KEY_BYTES_MIN} characters; try: openssl rand \
                 -hex 32)"
            ));
            return None;
        }
        Some(key.into())
    }

    /// A whole number of this range, or the default where the setting is not set or wrong.
    pub(super) fn number(
        &mut self,
        name: &str,
        default: u64,
        range: std::ops::RangeInclusive<u64>,
    ) -> u64 {
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

    /// `CAP_...`.
    pub(super) fn caps(&mut self) -> Caps {
        let caps = Caps::default();
        Caps {
            searches_max: self.small("CAP_SEARCHES", caps.searches_max, 1_000),
            recognitions_max: self.small("CAP_RECOGNITIONS", caps.recognitions_max, BUDGET_MAX),
            planner_calls_max: self.small("CAP_LLM", caps.planner_calls_max, 1_000),
            runtime_ms_max: self.number("CAP_RUNTIME_MS", caps.runtime_ms_max, 1_000..=900_000),
        }
    }

    /// `PRICE_...`.
    pub(super) fn prices(&mut self) -> Prices {
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

    /// The providers, or everything that was wrong with any setting read so far. Read last.
    pub(super) fn providers(mut self, prices: Prices) -> Result<Providers, Vec<String>> {
        let search = google::GoogleSettings {
            base: self
                .text("GOOGLE_BASE")
                .unwrap_or_else(|| google::BASE_DEFAULT.into()),
            key: self.needed("GOOGLE_API_KEY").into(),
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
        let recogniser = rekognition::RekognitionSettings {
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
            PlannerSettings::Gemini(gemini::GeminiSettings {
                base: self
                    .text("GEMINI_BASE")
                    .unwrap_or_else(|| gemini::BASE_DEFAULT.into()),
                key: self.needed("GEMINI_API_KEY").into(),
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

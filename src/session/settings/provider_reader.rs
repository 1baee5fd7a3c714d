//! Reads which providers are asked, in which order, how each is reached and what it charges.

use std::rc::Rc;

use crate::providers::{Credentials, ImageSearch, Planner, Signer, gemini, google, rekognition};

use super::address_policy::AddressPolicy;
use super::providers::{PricedPlanner, PricedRecogniser, PricedSearch, Providers};
use super::reader::SettingsReader;

/// Nano-dollars of a price in dollars a thousand.
const PER_THOUSAND: f64 = 1e6;
/// Nano-dollars of a price in dollars a million.
const PER_MILLION: f64 = 1e3;
/// Image searches that `IMAGE_SEARCH` may name.
const SEARCHES: [&str; 1] = ["google"];
/// Planners that `PLANNER` may name; `none` switches them off.
const PLANNERS: [&str; 2] = ["gemini", "none"];
/// Regions where Rekognition takes about 50 photos a second; elsewhere about 5.
const FAST_REGIONS: [&str; 2] = ["us-east-1", "us-west-2"];

/// The providers, or everything that was wrong with any setting read so far. Read last.
pub(super) fn read_providers<F: Fn(&str) -> Option<String>>(
    mut reader: SettingsReader<F>,
) -> Result<Providers, Vec<String>> {
    let searches = reader.searches();
    let recogniser = reader.recogniser();
    let planners = reader.planners();
    let addresses = AddressPolicy {
        allowed_origin: reader.text("IMAGE_ORIGIN_ALLOWED"),
    };
    let photo_agent = concat!(
        "VisualDegrees/",
        env!("CARGO_PKG_VERSION"),
        " (photo evidence search)"
    );
    let wrong = reader.into_wrong();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Providers {
        searches,
        recogniser,
        planners,
        addresses,
        photo_agent: photo_agent.to_owned(),
    })
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    fn searches(&mut self) -> Vec<PricedSearch> {
        let list = self.list("IMAGE_SEARCH", &SEARCHES);
        let list = list.unwrap_or_else(|| vec!["google"]);
        list.into_iter().map(|id| self.search(id)).collect()
    }

    fn search(&mut self, _: &str) -> PricedSearch {
        let search = google::GoogleSettings {
            base: self.address("GOOGLE_BASE", google::BASE_DEFAULT),
            key: self.needed("GOOGLE_API_KEY").into(),
            engine: self.needed("GOOGLE_CX"),
        };
        let search: Rc<dyn ImageSearch> = Rc::new(search);
        let names = ["PRICE_GOOGLE_USD_PER_1000", "PRICE_SEARCH_USD_PER_1000"];
        PricedSearch {
            search,
            nano_usd: self.price(&names, 5_000_000, PER_THOUSAND),
        }
    }

    fn recogniser(&mut self) -> PricedRecogniser {
        let region = self
            .text("AWS_REGION")
            .unwrap_or_else(|| "us-east-1".into());
        let per_second = if FAST_REGIONS.contains(&region.as_str()) {
            50
        } else {
            5
        };
        let endpoint = rekognition::endpoint_default(&region);
        let recogniser = rekognition::RekognitionSettings {
            endpoint: self.address("REKOGNITION_ENDPOINT", &endpoint),
            signer: Signer {
                credentials: Credentials {
                    access_key_id: self.needed("AWS_ACCESS_KEY_ID"),
                    secret_access_key: self.needed("AWS_SECRET_ACCESS_KEY"),
                    session_token: self.text("AWS_SESSION_TOKEN"),
                },
                region,
                service: rekognition::SERVICE.into(),
            },
        };
        let per_second_max = self.number("RECOGNITIONS_PER_SECOND", per_second, 1..=1_000);
        PricedRecogniser {
            recogniser: Rc::new(recogniser),
            nano_usd: self.price(&["PRICE_RECOGNITION_USD_PER_1000"], 1_000_000, PER_THOUSAND),
            per_second_max: u32::try_from(per_second_max).unwrap_or(1),
        }
    }

    fn planners(&mut self) -> Vec<PricedPlanner> {
        let list = self.list("PLANNER", &PLANNERS);
        let mut list = list.unwrap_or_else(|| vec!["gemini"]);
        list.retain(|id| *id != "none");
        list.into_iter().map(|id| self.planner(id)).collect()
    }

    fn planner(&mut self, _: &str) -> PricedPlanner {
        let planner: Rc<dyn Planner> = Rc::new(gemini::GeminiSettings {
            base: self.address("GEMINI_BASE", gemini::BASE_DEFAULT),
            key: self.needed("GEMINI_API_KEY").into(),
            model: self
                .text("GEMINI_MODEL")
                .unwrap_or_else(|| gemini::MODEL_DEFAULT.into()),
        });
        let read = [
            "PRICE_GEMINI_IN_USD_PER_MILLION",
            "PRICE_LLM_IN_USD_PER_MILLION",
        ];
        let written = [
            "PRICE_GEMINI_OUT_USD_PER_MILLION",
            "PRICE_LLM_OUT_USD_PER_MILLION",
        ];
        PricedPlanner {
            planner,
            token_in_nano_usd: self.price(&read, 300, PER_MILLION),
            token_out_nano_usd: self.price(&written, 2_500, PER_MILLION),
        }
    }
}

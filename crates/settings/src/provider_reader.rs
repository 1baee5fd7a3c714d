//! Reads which providers are asked, in which order, how each is reached and what it charges.

use std::rc::Rc;

use providers::{
    Credentials, ImageSearch, Signer, brave, commons, google, openverse, rekognition, serpapi,
    serper, wikidata,
};

use crate::address_policy::AddressPolicy;
use crate::bindings::Binding;
use crate::caps::Caps;
use crate::door_reader::is_reachable;
use crate::parts::{PartFaults, SettingsPart};
use crate::providers::{
    MemorySettings, PricedConverter, PricedRecogniser, PricedSearch, Providers,
};
use crate::reader::SettingsReader;

/// The nano-dollars a call of a price in dollars a thousand.
const PER_THOUSAND: f64 = 1e6;
/// The image searches that `IMAGE_SEARCH` may name.
const SEARCHES: [&str; 6] = [
    "brave",
    "commons",
    "google",
    "openverse",
    "serpapi",
    "serper",
];
/// The longest address of the operator by which Wikimedia is told who is asking.
const CONTACT_CHARS_MAX: usize = 200;
/// The region, unless the operator names another.
const REGION_DEFAULT: &str = "us-east-1";
/// The regions where Rekognition takes about 50 photos a second; elsewhere it takes about 5.
const FAST_REGIONS: [&str; 2] = [REGION_DEFAULT, "us-west-2"];

/// Reads the providers, or returns everything that was wrong with any setting read so far. They are
/// read last.
pub(crate) fn read_providers<F: Fn(&str) -> Option<String>>(
    mut reader: SettingsReader<F>,
    caps: &Caps,
    secret_variables: &[&'static str],
) -> Result<Providers, Vec<String>> {
    let searches = reader.searches();
    let recogniser = reader.recogniser();
    let planners = reader.planners();
    let vision = reader.apart(SettingsPart::VisionModel, SettingsReader::vision);
    let mcp_servers = reader.apart(SettingsPart::ToolServers, SettingsReader::mcp_servers);
    let browser = reader.apart(SettingsPart::Browsers, SettingsReader::browser);
    let converter = reader.converter();
    let memory = reader.memory();
    let kept_secrets = reader.apart(SettingsPart::Secrets, |reader| {
        let secrets = secret_variables.iter();
        secrets
            .flat_map(|variable| reader.kept_secrets(variable))
            .collect()
    });
    let addresses = AddressPolicy::new(reader.origin("IMAGE_ORIGIN_ALLOWED"), reader.own_hosts());
    // An operator who says how to be reached says it to photo hosts, too: some answer nobody else.
    let contact = reader.contact();
    let photo_agent = commons::agent(contact.as_deref().unwrap_or("photo evidence search"));
    let providers = Providers {
        searches,
        recogniser,
        planners,
        vision,
        mcp_servers,
        browser,
        converter,
        memory,
        kept_secrets,
        addresses,
        photo_agent,
        faults: PartFaults::default(),
    };
    if let Some(what) = caps.lack_of_money(&providers.attempt_prices()) {
        reader.note_wrong("CAP_USD", &what);
    }
    let (mut wrong, faults) = reader.into_faults();
    if wrong.is_empty() {
        return Ok(Providers {
            faults,
            ..providers
        });
    }
    wrong.extend(faults.all());
    Err(wrong)
}

/// Reads the source of suggestions of people for a typed name.
pub(crate) fn read_people<F: Fn(&str) -> Option<String>>(
    reader: &mut SettingsReader<F>,
) -> Option<wikidata::WikidataSettings> {
    let list = reader.list("PEOPLE", &["wikidata", "none"])?;
    list.contains(&"wikidata")
        .then(|| wikidata::WikidataSettings {
            base: reader.address("WIKIDATA_BASE", wikidata::BASE_DEFAULT),
            contact: reader.needed_contact(),
        })
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    fn searches(&mut self) -> Vec<PricedSearch> {
        let list = self.list("IMAGE_SEARCH", &SEARCHES);
        let list = list.unwrap_or_else(|| self.searches_with_keys());
        list.into_iter().map(|id| self.search(id)).collect()
    }

    /// Returns every search whose key is set. Commons, which needs no key, is among them where the
    /// operator says how to be reached or there is no other search.
    fn searches_with_keys(&self) -> Vec<&'static str> {
        let keys = [
            ("brave", "BRAVE_API_KEY"),
            ("serper", "SERPER_API_KEY"),
            ("serpapi", "SERPAPI_API_KEY"),
            ("google", "GOOGLE_API_KEY"),
            ("commons", "CONTACT"),
        ];
        let mut list: Vec<&'static str> = Vec::new();
        for (id, key) in keys {
            if self.text(key).is_some() {
                list.push(id);
            }
        }
        if list.is_empty() {
            list.push("commons");
        }
        list
    }

    fn search(&mut self, id: &str) -> PricedSearch {
        match id {
            "brave" => {
                let search = brave::BraveSettings {
                    base: self.address("BRAVE_BASE", brave::BASE_DEFAULT),
                    key: self.needed("BRAVE_API_KEY").into(),
                };
                self.priced(search, &["PRICE_BRAVE_USD_PER_1000"], 5_000_000)
            }
            "google" => {
                let search = google::GoogleSettings {
                    base: self.address("GOOGLE_BASE", google::BASE_DEFAULT),
                    key: self.needed("GOOGLE_API_KEY").into(),
                    engine: self.needed("GOOGLE_CX"),
                };
                let names = ["PRICE_GOOGLE_USD_PER_1000", "PRICE_SEARCH_USD_PER_1000"];
                self.priced(search, &names, 5_000_000)
            }
            "openverse" => {
                let base = self.address("OPENVERSE_BASE", openverse::BASE_DEFAULT);
                let search = openverse::OpenverseSettings { base };
                self.priced(search, &[], 0)
            }
            "serpapi" => {
                let search = serpapi::SerpApiSettings {
                    base: self.address("SERPAPI_BASE", serpapi::BASE_DEFAULT),
                    key: self.needed("SERPAPI_API_KEY").into(),
                };
                self.priced(search, &["PRICE_SERPAPI_USD_PER_1000"], 15_000_000)
            }
            "serper" => {
                let search = serper::SerperSettings {
                    base: self.address("SERPER_BASE", serper::BASE_DEFAULT),
                    key: self.needed("SERPER_API_KEY").into(),
                };
                self.priced(search, &["PRICE_SERPER_USD_PER_1000"], 1_000_000)
            }
            _ => {
                let search = commons::CommonsSettings {
                    base: self.address("COMMONS_BASE", commons::BASE_DEFAULT),
                    contact: self.needed_contact(),
                };
                self.priced(search, &[], 0)
            }
        }
    }

    fn priced(
        &mut self,
        search: impl ImageSearch + 'static,
        names: &[&str],
        default: u64,
    ) -> PricedSearch {
        PricedSearch {
            search: Rc::new(search),
            nano_usd: self.price(names, default, PER_THOUSAND),
        }
    }

    /// Reads what a converted photo costs. Returns `None` without the binding `IMAGES`.
    fn converter(&mut self) -> Option<PricedConverter> {
        /// Half a dollar for a thousand, beyond those that are included.
        /// <https://developers.cloudflare.com/images/pricing/>
        const PHOTO_NANO_USD: u64 = 500_000;
        let names = ["PRICE_CONVERSION_USD_PER_1000"];
        self.has(Binding::Images).then(|| PricedConverter {
            nano_usd: self.price(&names, PHOTO_NANO_USD, PER_THOUSAND),
        })
    }

    /// Reads whether runs use and keep what was recognised, by the binding `DB`.
    fn memory(&mut self) -> Option<MemorySettings> {
        let mode = self.text_or("MEMORY", "off");
        let days = self.number("MEMORY_DAYS", 180, 1..=3_650);
        let search_days = self.number("MEMORY_SEARCH_DAYS", 7, 0..=30);
        let is_everybodys = self.text("ATLAS").as_deref() == Some("public");
        let settings = |keeps| MemorySettings {
            keeps,
            is_everybodys,
            days: u32::try_from(days).unwrap_or(u32::MAX),
            search_days: u32::try_from(search_days).unwrap_or(u32::MAX),
        };
        let settings = match mode.as_str() {
            "off" => return None,
            "on" => settings(true),
            "read" => settings(false),
            _ => {
                self.note_wrong("MEMORY", "must be on, read or off");
                return None;
            }
        };
        if !self.has(Binding::Database) {
            self.note_wrong("MEMORY", "needs the binding DB: see docs/operation.md");
            return None;
        }
        Some(settings)
    }

    fn recogniser(&mut self) -> PricedRecogniser {
        let region = self.region();
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

    /// Reads the region that photos are sent to. A text that cannot be a region is wrong, and the
    /// default stands in for it.
    fn region(&mut self) -> String {
        let region = self.text_or("AWS_REGION", REGION_DEFAULT);
        if is_region(&region) {
            return region;
        }
        self.note_wrong("AWS_REGION", "must be a region, like us-east-1");
        REGION_DEFAULT.to_owned()
    }

    /// Reads how the operator can be reached, where that is set. A contact that cannot be used is
    /// wrong.
    fn contact(&mut self) -> Option<String> {
        let contact = self.text("CONTACT")?;
        let is_plain = contact.len() <= CONTACT_CHARS_MAX
            && contact.chars().all(|letter| matches!(letter, ' '..='~'))
            && !contact.contains(['(', ')']);
        if is_reachable(&contact) && is_plain {
            return Some(contact);
        }
        let what = "must be how you can be reached: a mail or web address whose host has a dot";
        self.note_wrong("CONTACT", what);
        None
    }

    fn needed_contact(&mut self) -> String {
        if self.text("CONTACT").is_none() {
            return self.needed("CONTACT");
        }
        self.contact().unwrap_or_default()
    }
}

/// Returns whether this has a region's shape: two words or more, and a number.
fn is_region(text: &str) -> bool {
    let is_of =
        |part: &str, kind: fn(&u8) -> bool| !part.is_empty() && part.as_bytes().iter().all(kind);
    text.rsplit_once('-').is_some_and(|(words, number)| {
        words.contains('-')
            && words
                .split('-')
                .all(|word| is_of(word, u8::is_ascii_lowercase))
            && is_of(number, u8::is_ascii_digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::reader::among;

    #[track_caller]
    fn check(region: &str, is_right: bool) {
        let settings = [
            ("AWS_REGION", region),
            ("AWS_ACCESS_KEY_ID", "k"),
            ("AWS_SECRET_ACCESS_KEY", "k"),
        ];
        let mut reader = SettingsReader::new(among(&settings), Bindings::default());
        reader.recogniser();
        let wrong = "AWS_REGION (must be a region, like us-east-1)";
        let expected = if is_right { vec![] } else { vec![wrong] };
        assert_eq!(reader.into_wrong(), expected, "{region}");
    }

    #[test]
    fn a_region_has_two_words_and_a_number() {
        for right in [
            "us-east-1",
            "ap-southeast-7",
            "us-gov-west-1",
            " eu-west-2 ",
        ] {
            check(right, true);
        }
        for wrong in [
            "US East",
            "us-east-1a",
            "us-east",
            "us-east-",
            "us--1",
            "east-1",
            "US-EAST-1",
            "us-east-+1",
        ] {
            check(wrong, false);
        }
    }
}

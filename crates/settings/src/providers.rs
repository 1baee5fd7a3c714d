//! The providers of each role, in order: how to reach them, and their prices.

use std::rc::Rc;

use domain::{CallPrices, SearchSource};
use providers::{
    CHAT_BYTES_MAX, CHAT_IMAGES_MAX, CHAT_TOKENS_OUT_MAX, Credentials, ImageSearch, Planner,
    Recogniser, Signer, Usage, brave, commons, google, openverse, references, rekognition, serpapi,
    serper, wikidata,
};

use crate::access::is_reachable;
use crate::address_policy::AddressPolicy;
use crate::browsers::{BrowserSettings, KeptSecret};
use crate::limits::Caps;
use crate::mcp_servers::McpServer;
use crate::operator_settings::{PartFaults, SettingsPart};
use crate::reader::{Binding, SettingsReader};

/// The longest question to a planner, in tokens. It is about three times as long as the longest seen.
const QUESTION_TOKENS_MAX: u64 = 8_000;
/// The longest answer of a planner, in tokens. Requests to planners set this limit.
const ANSWER_TOKENS_MAX: u64 = 2_048;
/// The fewest bytes of text per token. It yields an upper bound for the tokens of a text.
const BYTES_PER_TOKEN: u64 = 3;
/// The most tokens of an image.
const TOKENS_PER_IMAGE: u64 = 2_000;

/// The factor from dollars per thousand calls to billionths of a dollar per call.
const PER_THOUSAND: f64 = 1e6;
/// The longest contact of the operator in the user agent for Wikimedia, in characters.
const CONTACT_CHARS_MAX: usize = 200;
/// The AWS region that is used if none is set.
const REGION_DEFAULT: &str = "us-east-1";
/// The regions where Rekognition accepts about 50 photos a second; elsewhere it accepts about 5.
const FAST_REGIONS: [&str; 2] = [REGION_DEFAULT, "us-west-2"];

/// How many photos a second the recogniser of one's own is sent: it takes about half a second for each.
const REFERENCES_PER_SECOND: u32 = 2;

/// Reads the settings of one image search.
type ReadSearch<F> = fn(&mut SettingsReader<F>) -> PricedSearch;

/// An image search and its price.
#[derive(Debug, Clone)]
pub struct PricedSearch {
    /// The search.
    pub search: Rc<dyn ImageSearch>,
    /// The price of one answered search, in billionths of a dollar.
    pub nano_usd: u64,
}

/// A recogniser, its price and its pace.
#[derive(Debug, Clone)]
pub struct PricedRecogniser {
    /// The recogniser.
    pub recogniser: Rc<dyn Recogniser>,
    /// The price of one answered photo, in billionths of a dollar.
    pub nano_usd: u64,
    /// The most photos that all runs of one isolate together send per second.
    pub per_second_max: u32,
}

/// The platform's converter of photos, through the binding `IMAGES`, and its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricedConverter {
    /// The price of one converted photo, in billionths of a dollar.
    pub nano_usd: u64,
}

/// A planner and its prices.
#[derive(Debug, Clone)]
pub struct PricedPlanner {
    /// The planner.
    pub planner: Rc<dyn Planner>,
    /// The price of an input token, in billionths of a dollar.
    pub token_in_nano_usd: u64,
    /// The price of an output token, in billionths of a dollar.
    pub token_out_nano_usd: u64,
}

impl PricedPlanner {
    /// Returns the cost of a call that used these tokens, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd_of(&self, usage: Usage) -> u64 {
        let read = usage.tokens_in.saturating_mul(self.token_in_nano_usd);
        let written = usage.tokens_out.saturating_mul(self.token_out_nano_usd);
        read.saturating_add(written)
    }

    /// Returns the cost of the most expensive plan, in billionths of a dollar. It is charged for a call that does not
    /// report its usage.
    #[must_use]
    pub fn nano_usd_max(&self) -> u64 {
        let question = QUESTION_TOKENS_MAX.saturating_mul(self.token_in_nano_usd);
        let answer = ANSWER_TOKENS_MAX.saturating_mul(self.token_out_nano_usd);
        question.saturating_add(answer)
    }

    /// Returns the cost of the most expensive question with tools, in billionths of a dollar.
    #[must_use]
    pub fn chat_nano_usd_max(&self) -> u64 {
        let images = TOKENS_PER_IMAGE.saturating_mul(CHAT_IMAGES_MAX as u64);
        let read = (CHAT_BYTES_MAX as u64 / BYTES_PER_TOKEN)
            .saturating_add(images)
            .saturating_mul(self.token_in_nano_usd);
        let written = u64::from(CHAT_TOKENS_OUT_MAX).saturating_mul(self.token_out_nano_usd);
        read.saturating_add(written)
    }
}

/// The settings of the memory of recognised photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemorySettings {
    /// Whether runs also store their answers, or only use stored ones.
    pub keeps: bool,
    /// Whether everybody may read the memory. If so, callers may learn of its photos before runs show them.
    pub is_everybodys: bool,
    /// The age in days from which a recogniser's answer is not reused.
    pub days: u32,
    /// The age in days from which an image search's answer is not reused; 0 if such answers are not stored.
    pub search_days: u32,
}

/// All providers and settings that a run needs.
#[derive(Debug, Clone)]
pub struct Providers {
    /// The image searches in the operator's order. There is at least one.
    pub searches: Vec<PricedSearch>,
    /// The recognisers in the order in which they are asked. There is at least one.
    pub recognisers: Vec<PricedRecogniser>,
    /// The planners in the order in which they are asked. If it is empty, only the ranking decides whom to try.
    pub planners: Vec<PricedPlanner>,
    /// The vision model that workflows ask; `None` if there is none.
    pub vision: Option<PricedPlanner>,
    /// The MCP servers whose tools workflows may call.
    pub mcp_servers: Vec<McpServer>,
    /// The browsers that automata drive; `None` if there are none.
    pub browser: Option<BrowserSettings>,
    /// The converter of photos; `None` without the binding `IMAGES`.
    pub converter: Option<PricedConverter>,
    /// The memory of recognised photos; `None` if there is none.
    pub memory: Option<MemorySettings>,
    /// Wikidata, which suggests people for a typed name and knows their lives; `None` if it is not asked.
    pub wikidata: Option<wikidata::WikidataSettings>,
    /// The secrets that the operator stores for runs.
    pub kept_secrets: Vec<KeptSecret>,
    /// The rules for which photos may be fetched, by their addresses.
    pub addresses: AddressPolicy,
    /// The user agent for photo hosts.
    pub photo_agent: String,
    /// The faults of settings that only some runs need.
    pub faults: PartFaults,
}

impl Providers {
    /// Returns these providers for a run that was created at this host, which then counts as one of this server's
    /// hosts.
    #[must_use]
    pub fn at_host(&self, host: Option<&str>) -> Self {
        Self {
            addresses: self.addresses.clone().at_host(host),
            ..self.clone()
        }
    }

    /// Returns the image searches in the order in which a run asks them: first the free ones, then the operator's first
    /// paid one, then the other paid ones from the cheapest up. Ties keep the operator's order.
    #[must_use]
    pub fn search_sources(&self) -> Vec<SearchSource> {
        let sources = self.searches.iter().map(|priced| {
            let extent = priced.search.extent();
            SearchSource {
                id: priced.search.id().to_owned(),
                name: priced.search.name().to_owned(),
                hits_max: extent.hits_max,
                pages_max: extent.pages_max,
                nano_usd: priced.nano_usd,
            }
        });
        in_asking_order(sources.collect())
    }

    /// Returns the most that one attempt of each kind may cost, in billionths of a dollar, whichever provider is asked.
    #[must_use]
    pub fn attempt_prices(&self) -> CallPrices {
        let searches = self.searches.iter().map(|one| one.nano_usd);
        let planners = self.planners.iter().map(PricedPlanner::nano_usd_max);
        let recognisers = self.recognisers.iter().map(|one| one.nano_usd);
        let recognition = recognisers.max().unwrap_or_default();
        let conversion = self.converter.map_or(0, |converter| converter.nano_usd);
        CallPrices {
            search_nano_usd_max: searches.max().unwrap_or_default(),
            // A photo that is fetched again before it is sent is also converted again, so the conversion counts too.
            recognition_nano_usd_max: recognition.saturating_add(conversion),
            planner_nano_usd_max: planners.max().unwrap_or_default(),
            page_nano_usd_max: self
                .browser
                .as_ref()
                .map_or(0, BrowserSettings::page_nano_usd),
            conversion_nano_usd_max: conversion,
        }
    }

    /// Returns the most that one attempt of a workflow's question may cost, in billionths of a dollar.
    #[must_use]
    pub fn chat_nano_usd_max(&self) -> u64 {
        let models = self.planners.iter().chain(&self.vision);
        models
            .map(PricedPlanner::chat_nano_usd_max)
            .max()
            .unwrap_or_default()
    }
}

/// Sorts the searches: the free ones, then the first paid one in the operator's order, then the others from the
/// cheapest up.
fn in_asking_order(mut sources: Vec<SearchSource>) -> Vec<SearchSource> {
    let first_paid = sources
        .iter()
        .position(|source| source.nano_usd > 0)
        .map(|place| sources.remove(place));
    sources.sort_by_key(|source| source.nano_usd);
    if let Some(first_paid) = first_paid {
        let free = sources.iter().take_while(|source| source.nano_usd == 0);
        sources.insert(free.count(), first_paid);
    }
    sources
}

/// Reads the providers, or returns the faults of all settings read so far. It must therefore be called last.
pub(crate) fn read_providers<F: Fn(&str) -> Option<String>>(
    mut reader: SettingsReader<F>,
    caps: &Caps,
    secret_variables: &[&'static str],
    wikidata: Option<wikidata::WikidataSettings>,
) -> Result<Providers, Vec<String>> {
    let searches = reader.searches();
    let recognisers = reader.recognisers();
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
    // The operator's contact is sent to photo hosts too, since some refuse clients without one.
    let contact = reader.contact();
    let photo_agent = commons::agent(contact.as_deref().unwrap_or("photo evidence search"));
    let providers = Providers {
        searches,
        recognisers,
        planners,
        vision,
        mcp_servers,
        browser,
        converter,
        memory,
        wikidata,
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

/// Reads where suggestions of people for a typed name come from; `None` if they are disabled.
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
    /// The image searches that `IMAGE_SEARCH` may name, with the functions that read their settings.
    const SEARCHES: [(&'static str, ReadSearch<F>); 6] = [
        ("brave", Self::brave),
        ("commons", Self::commons),
        ("google", Self::google),
        ("openverse", Self::openverse),
        ("serpapi", Self::serpapi),
        ("serper", Self::serper),
    ];

    fn searches(&mut self) -> Vec<PricedSearch> {
        let list = self
            .list("IMAGE_SEARCH", &Self::SEARCHES.map(|(id, _)| id))
            .unwrap_or_else(|| self.searches_with_keys());
        let readers = list.into_iter().filter_map(|wanted| {
            let mut all = Self::SEARCHES.into_iter();
            all.find_map(|(id, read)| (id == wanted).then_some(read))
        });
        readers.map(|read| read(self)).collect()
    }

    /// Returns every search whose key is set. Commons needs no key, so it is included if the operator's contact is set
    /// or no other search is available.
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

    fn brave(&mut self) -> PricedSearch {
        let search = brave::BraveSettings {
            base: self.address("BRAVE_BASE", brave::BASE_DEFAULT),
            key: self.needed("BRAVE_API_KEY").into(),
        };
        self.priced(search, &["PRICE_BRAVE_USD_PER_1000"], 5_000_000)
    }

    fn google(&mut self) -> PricedSearch {
        let search = google::GoogleSettings {
            base: self.address("GOOGLE_BASE", google::BASE_DEFAULT),
            key: self.needed("GOOGLE_API_KEY").into(),
            engine: self.needed("GOOGLE_CX"),
        };
        let names = ["PRICE_GOOGLE_USD_PER_1000", "PRICE_SEARCH_USD_PER_1000"];
        self.priced(search, &names, 5_000_000)
    }

    fn openverse(&mut self) -> PricedSearch {
        let base = self.address("OPENVERSE_BASE", openverse::BASE_DEFAULT);
        let search = openverse::OpenverseSettings { base };
        self.priced(search, &[], 0)
    }

    fn serpapi(&mut self) -> PricedSearch {
        let search = serpapi::SerpApiSettings {
            base: self.address("SERPAPI_BASE", serpapi::BASE_DEFAULT),
            key: self.needed("SERPAPI_API_KEY").into(),
        };
        self.priced(search, &["PRICE_SERPAPI_USD_PER_1000"], 15_000_000)
    }

    fn serper(&mut self) -> PricedSearch {
        let search = serper::SerperSettings {
            base: self.address("SERPER_BASE", serper::BASE_DEFAULT),
            key: self.needed("SERPER_API_KEY").into(),
        };
        self.priced(search, &["PRICE_SERPER_USD_PER_1000"], 1_000_000)
    }

    fn commons(&mut self) -> PricedSearch {
        let search = commons::CommonsSettings {
            base: self.address("COMMONS_BASE", commons::BASE_DEFAULT),
            contact: self.needed_contact(),
        };
        self.priced(search, &[], 0)
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

    /// Reads the price of a converted photo; `None` without the binding `IMAGES`.
    fn converter(&mut self) -> Option<PricedConverter> {
        /// The default price of a photo beyond the included ones, in billionths of a dollar: half a dollar per
        /// thousand.
        /// Source: <https://developers.cloudflare.com/images/pricing/>
        const PHOTO_NANO_USD: u64 = 500_000;
        let names = ["PRICE_CONVERSION_USD_PER_1000"];
        self.has(Binding::Images).then(|| PricedConverter {
            nano_usd: self.price(&names, PHOTO_NANO_USD, PER_THOUSAND),
        })
    }

    /// Reads whether runs use recognised photos of other runs and store theirs, through the binding `DB`.
    fn memory(&mut self) -> Option<MemorySettings> {
        let days = self.small("MEMORY_DAYS", 180, 1..=3_650);
        let search_days = self.small("MEMORY_SEARCH_DAYS", 7, 0..=30);
        let is_everybodys = self.text("ATLAS").as_deref() == Some("public");
        let words = [("off", None), ("on", Some(true)), ("read", Some(false))];
        let what = "must be on, read or off";
        let keeps = self.choice("MEMORY", &words, [None, None], what)?;
        if !self.has(Binding::Database) {
            self.note_wrong("MEMORY", "needs the binding DB: see docs/operation.md");
            return None;
        }
        Some(MemorySettings {
            keeps,
            is_everybodys,
            days,
            search_days,
        })
    }

    fn recognisers(&mut self) -> Vec<PricedRecogniser> {
        let listed = self.list("RECOGNISER", &["rekognition", "references"]);
        let listed = listed.unwrap_or_else(|| vec!["rekognition"]);
        let one = |id| match id {
            "references" => self.references(),
            _ => self.rekognition(),
        };
        listed.into_iter().map(one).collect()
    }

    fn rekognition(&mut self) -> PricedRecogniser {
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
        let nano_usd = self.price(&["PRICE_RECOGNITION_USD_PER_1000"], 1_000_000, PER_THOUSAND);
        self.priced_recogniser(recogniser, nano_usd, per_second)
    }

    fn references(&mut self) -> PricedRecogniser {
        let recogniser = references::ReferencesSettings {
            base: self.address("REFERENCES_BASE", references::BASE_DEFAULT),
            token: self.text("REFERENCES_TOKEN").map(Into::into),
        };
        self.priced_recogniser(recogniser, 0, REFERENCES_PER_SECOND)
    }

    fn priced_recogniser(
        &mut self,
        recogniser: impl Recogniser + 'static,
        nano_usd: u64,
        per_second: u32,
    ) -> PricedRecogniser {
        PricedRecogniser {
            recogniser: Rc::new(recogniser),
            nano_usd,
            per_second_max: self.small("RECOGNITIONS_PER_SECOND", per_second, 1..=1_000),
        }
    }

    /// Reads the AWS region to which photos are sent. An invalid one is reported and replaced by the default.
    fn region(&mut self) -> String {
        let region = self.text_or("AWS_REGION", REGION_DEFAULT);
        if is_region(&region) {
            return region;
        }
        self.note_wrong("AWS_REGION", "must be a region, like us-east-1");
        REGION_DEFAULT.to_owned()
    }

    /// Reads the operator's contact, if set, and reports an unusable one.
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

/// Returns whether a text looks like a region: two or more words and a number.
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

    mod providers {
        use super::*;

        #[track_caller]
        fn check(sources: &[(&str, u64)], expected: &[&str]) {
            let source = |(id, nano_usd): &(&str, u64)| SearchSource {
                id: (*id).to_owned(),
                name: (*id).to_owned(),
                hits_max: 10,
                pages_max: 1,
                nano_usd: *nano_usd,
            };
            let ordered = in_asking_order(sources.iter().map(source).collect());
            let ids: Vec<&str> = ordered.iter().map(|source| source.id.as_str()).collect();
            assert_eq!(ids, expected, "{sources:?}");
        }

        #[test]
        fn free_image_searches_come_first_then_the_operators_first_then_the_cheapest() {
            check(&[], &[]);
            check(&[("brave", 5), ("commons", 0)], &["commons", "brave"]);
            check(
                &[
                    ("brave", 7),
                    ("google", 5),
                    ("commons", 0),
                    ("serper", 1),
                    ("openverse", 0),
                ],
                &["commons", "openverse", "brave", "serper", "google"],
            );
            check(
                &[("google", 5), ("serpapi", 5), ("brave", 5)],
                &["google", "serpapi", "brave"],
            );
        }
    }

    mod lookup {
        use super::*;
        use crate::reader::Bindings;
        use crate::reader::among;

        #[track_caller]
        fn check(region: &str, is_right: bool) {
            let settings = [
                ("AWS_REGION", region),
                ("AWS_ACCESS_KEY_ID", "k"),
                ("AWS_SECRET_ACCESS_KEY", "k"),
            ];
            let mut reader = SettingsReader::new(among(&settings), Bindings::default());
            reader.recognisers();
            let wrong = "AWS_REGION (must be a region, like us-east-1)";
            let expected = if is_right { vec![] } else { vec![wrong] };
            assert_eq!(reader.into_wrong(), expected, "{region}");
        }

        #[test]
        fn the_recogniser_is_amazons_unless_others_are_listed() {
            let read = |settings: &[(&str, &str)]| {
                let mut reader = SettingsReader::new(among(settings), Bindings::default());
                let all = reader.recognisers();
                let told = all.iter().map(|priced| {
                    let id = priced.recogniser.id();
                    (id, priced.nano_usd, priced.per_second_max)
                });
                (told.collect::<Vec<_>>(), reader.into_wrong())
            };
            let keys = [("AWS_ACCESS_KEY_ID", "k"), ("AWS_SECRET_ACCESS_KEY", "k")];
            let (amazons, own) = (("rekognition", 1_000_000, 50), ("references", 0, 2));
            assert_eq!(read(&keys), (vec![amazons], vec![]));
            assert_eq!(read(&[("RECOGNISER", "references")]), (vec![own], vec![]));
            let both = [&keys[..], &[("RECOGNISER", "rekognition, references")]].concat();
            assert_eq!(read(&both), (vec![amazons, own], vec![]));
            for (name, wrong) in [
                ("RECOGNISER", "somebody"),
                ("REFERENCES_BASE", "no address"),
            ] {
                let settings = [&[(name, wrong)], &keys[..], &[("RECOGNISER", "references")]];
                let (_, faults) = read(&settings.concat());
                assert!(
                    faults.iter().any(|fault| fault.starts_with(name)),
                    "{wrong}: {faults:?}"
                );
            }
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
}

//! An accepted request, as passed to the run's object and stored in its journal.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use domain::{
    AVOID_MAX, BUDGET_MAX, CallPrices, HITS_MAX, Limits, MemoryUse, Name, PAGES_MAX, Pace, Plan,
    SOURCES_MAX, SearchSource, TypedPerson, WikidataNumber, WordUse, YearRange,
};
use engine::OrderError;

use crate::machine::Request;

use super::is_zero;

/// The order's word for a run that uses what earlier runs recognised.
const MEMORY_ON: &str = "on";
/// The order's word for a run that learns of remembered photos only once their bytes have arrived.
const MEMORY_SHOWN: &str = "shown";

/// The longest id or name of an image search, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The stored form of a [`Request`].
// Stored orders have a flag for each use of what is free.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    version: u32,
    person_a: String,
    person_b: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wikidata_a: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wikidata_b: Option<String>,
    #[serde(default)]
    avoid: Vec<String>,
    plan: String,
    pace: String,
    hops: u32,
    threshold: u32,
    images: u32,
    searches: u32,
    polish: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    confirm: u32,
    recognitions: u32,
    llm: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    capture: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    conversions: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    captions: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    words: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hints_first: bool,
    #[serde(flatten)]
    years: YearRange,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lives: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    runtime_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    money: Option<MoneyForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prices: Option<CallPrices>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<SearchSource>,
}

/// The most that a run and an attempt of each kind may cost, in billionths of a dollar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoneyForm {
    nano_usd_max: u64,
    #[serde(flatten)]
    prices: CallPrices,
}

impl Order {
    /// Creates the order of an accepted request.
    #[must_use]
    pub fn new(request: &Request) -> Self {
        let limits = &request.limits;
        Self {
            version: 1,
            person_a: request.person_a.as_str().to_owned(),
            person_b: request.person_b.as_str().to_owned(),
            wikidata_a: number_of(&request.person_a),
            wikidata_b: number_of(&request.person_b),
            avoid: request
                .avoid
                .iter()
                .map(|name| name.as_str().to_owned())
                .collect(),
            plan: limits.plan.as_str().to_owned(),
            pace: limits.pace.as_str().to_owned(),
            hops: limits.hops,
            threshold: limits.threshold_percent,
            images: limits.images_per_search,
            searches: limits.searches_max,
            polish: limits.polish_searches_max,
            confirm: limits.confirm_searches_max,
            recognitions: limits.recognitions_max,
            llm: limits.planner_calls_max,
            capture: limits.captures_pages,
            conversions: limits.converts_photos,
            captions: limits.words >= WordUse::Hints,
            words: limits.words >= WordUse::Doubts,
            hints_first: limits.words == WordUse::HintsFirst,
            years: limits.years,
            lives: limits.asks_lives,
            memory: match limits.memory {
                MemoryUse::Off => None,
                MemoryUse::On => Some(MEMORY_ON.to_owned()),
                MemoryUse::Shown => Some(MEMORY_SHOWN.to_owned()),
            },
            runtime_ms: limits.runtime_ms_max,
            money: limits.nano_usd_max.map(|nano_usd_max| MoneyForm {
                nano_usd_max,
                prices: limits.prices,
            }),
            prices: None,
            sources: request.sources.clone(),
        }
    }

    /// Sets the planner's budget to 0, for a server without a planner.
    #[must_use]
    pub fn without_planner(mut self) -> Self {
        self.llm = 0;
        self
    }

    /// Sets the most that calls may cost. Without a limit on money, this is stored only if the run weighs what it pays for
    /// by its price.
    #[must_use]
    pub fn with_prices(mut self, prices: CallPrices) -> Self {
        self.prices = (self.hints_first && self.money.is_none()).then_some(prices);
        if let Some(money) = &mut self.money {
            money.prices = prices;
            // Without captures, the price of a page is not stored, as in orders from before captures existed.
            if !self.capture {
                money.prices.page_nano_usd_max = 0;
            }
            if !self.conversions {
                money.prices.conversion_nano_usd_max = 0;
            }
        }
        self
    }

    /// Lets the platform convert to JPEG photos in formats that the recogniser does not accept.
    #[must_use]
    pub fn with_conversions(mut self) -> Self {
        self.conversions = true;
        self
    }

    /// Has Wikidata asked when the people whose numbers are given were born and died.
    #[must_use]
    pub fn with_lives(mut self) -> Self {
        self.lives = self.wikidata_a.is_some() || self.wikidata_b.is_some();
        self
    }

    /// Sets the image searches, in the order in which they are asked.
    #[must_use]
    pub fn with_sources(mut self, sources: &[SearchSource]) -> Self {
        self.sources = sources.iter().take(SOURCES_MAX).cloned().collect();
        self
    }

    /// Returns whether the pages of the final chain's photos are captured.
    #[must_use]
    pub fn captures_pages(&self) -> bool {
        self.capture
    }

    /// Returns whether the run uses what earlier runs recognised.
    #[must_use]
    pub fn uses_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Returns whether the run may use answers of image searches to earlier runs. A run that follows the specification
    /// to the letter repeats these searches.
    #[must_use]
    pub fn uses_kept_searches(&self) -> bool {
        self.uses_memory() && self.plan != Plan::OneSided.as_str()
    }

    /// Makes the run neither use nor store recognised photos.
    #[must_use]
    pub fn without_memory(mut self) -> Self {
        self.memory = None;
        self
    }

    /// Makes the run learn of remembered photos only once their bytes have arrived, unless the memory is public.
    #[must_use]
    pub fn told_of_memory(mut self, is_everybodys: bool) -> Self {
        let word = if is_everybodys {
            MEMORY_ON
        } else {
            MEMORY_SHOWN
        };
        self.memory = self.memory.map(|_| word.to_owned());
        self
    }

    /// Returns the run's time limit, in milliseconds.
    #[must_use]
    pub fn runtime_ms_max(&self) -> u64 {
        self.runtime_ms
    }

    /// Restores the request. It is validated again, since the order may come from a stranger's file.
    pub fn request(&self) -> Result<Request, OrderError> {
        let name = |text: &str| Name::parse(text).map_err(|_| OrderError::Part("a name"));
        let person = |text: &str, wikidata: Option<&str>| {
            let wikidata = wikidata.map(WikidataNumber::parse);
            let wikidata =
                wikidata.map(|number| number.ok_or(OrderError::Part("a Wikidata number")));
            Ok(TypedPerson {
                name: name(text)?,
                wikidata: wikidata.transpose()?,
            })
        };
        let within = |number: u32, range: RangeInclusive<u32>, what| {
            if range.contains(&number) {
                Ok(number)
            } else {
                Err(OrderError::Part(what))
            }
        };
        if self.version != 1 {
            return Err(OrderError::Part("its version"));
        }
        if self.avoid.len() > AVOID_MAX {
            return Err(OrderError::Part("the names to avoid"));
        }
        if self.sources.len() > SOURCES_MAX || !self.sources.iter().all(is_sound) {
            return Err(OrderError::Part("the image searches"));
        }
        if !self.years.is_valid() {
            return Err(OrderError::Part("the years"));
        }
        let budget = 0..=BUDGET_MAX;
        Ok(Request {
            sources: self.sources.clone(),
            person_a: person(&self.person_a, self.wikidata_a.as_deref())?,
            person_b: person(&self.person_b, self.wikidata_b.as_deref())?,
            avoid: self
                .avoid
                .iter()
                .map(|text| name(text))
                .collect::<Result<_, _>>()?,
            limits: Limits {
                plan: Plan::named(&self.plan).ok_or(OrderError::Part("the plan"))?,
                pace: Pace::named(&self.pace).ok_or(OrderError::Part("the pace"))?,
                hops: within(self.hops, 1..=6, "the hops")?,
                threshold_percent: within(self.threshold, 50..=100, "the threshold")?,
                images_per_search: within(self.images, 1..=10, "the images")?,
                searches_max: within(self.searches, budget.clone(), "the searches")?,
                polish_searches_max: within(self.polish, budget.clone(), "the polish")?,
                confirm_searches_max: within(self.confirm, budget.clone(), "the confirmation")?,
                recognitions_max: within(self.recognitions, budget.clone(), "the recognitions")?,
                planner_calls_max: within(self.llm, budget, "the planner calls")?,
                captures_pages: self.capture,
                converts_photos: self.conversions,
                words: match (self.captions, self.words, self.hints_first) {
                    (false, false, false) => WordUse::Ignored,
                    (true, false, false) => WordUse::Hints,
                    (true, true, false) => WordUse::Doubts,
                    (true, true, true) => WordUse::HintsFirst,
                    _ => return Err(OrderError::Part("the use of words")),
                },
                years: self.years,
                asks_lives: self.lives,
                memory: match self.memory.as_deref() {
                    None => MemoryUse::Off,
                    Some(MEMORY_ON) => MemoryUse::On,
                    Some(MEMORY_SHOWN) => MemoryUse::Shown,
                    Some(_) => return Err(OrderError::Part("the memory")),
                },
                runtime_ms_max: self.runtime_ms,
                nano_usd_max: self.money.as_ref().map(|money| money.nano_usd_max),
                prices: (self.money.as_ref())
                    .map(|money| money.prices)
                    .or(self.prices)
                    .unwrap_or_default(),
            },
        })
    }
}

fn number_of(person: &TypedPerson) -> Option<String> {
    person.wikidata.as_ref().map(ToString::to_string)
}

/// Returns whether a stored image search is within the bounds of those that a server may have.
fn is_sound(source: &SearchSource) -> bool {
    let is_short = |text: &String| (1..=NAME_BYTES_MAX).contains(&text.len());
    is_short(&source.id)
        && is_short(&source.name)
        && (1..=HITS_MAX).contains(&source.hits_max)
        && (1..=PAGES_MAX).contains(&source.pages_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_search_is_read_back_as_it_was_kept_and_within_bounds() {
        let source = SearchSource {
            id: "commons".into(),
            name: "Wikimedia Commons".into(),
            hits_max: 50,
            pages_max: 20,
            nano_usd: 0,
        };
        let json = r#"{"id":"commons","name":"Wikimedia Commons","hits":50,"pages":20}"#;
        assert_eq!(serde_json::to_string(&source).unwrap(), json);
        let read = |json: &str| serde_json::from_str::<SearchSource>(json).unwrap();
        assert_eq!(read(json), source);
        assert!(is_sound(&source));
        for (part, wrong) in [
            (r#""commons""#, r#""""#),
            (r#""hits":50"#, r#""hits":0"#),
            (r#""hits":50"#, r#""hits":201"#),
            (r#""pages":20"#, r#""pages":0"#),
        ] {
            assert!(!is_sound(&read(&json.replace(part, wrong))), "{wrong}");
        }
    }
}

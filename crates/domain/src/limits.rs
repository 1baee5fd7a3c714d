//! The limits of what one run may do and spend.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The most names to avoid.
pub const AVOID_MAX: usize = 20;
/// The largest budget that an operator's caps may allow.
pub const BUDGET_MAX: u32 = 5_000;

/// The most pages of photos that are opened in one run: each of a chain's six edges has one, and a page whose
/// opening is lost with a process is opened again.
pub const PAGE_OPENINGS_MAX: u32 = 12;
/// The longest time that a picture of one page may take, in milliseconds.
pub const PAGE_MS_MAX: u64 = 20_000;

/// The threshold of a run that asks for no other one, and of the atlas, in percent.
pub const THRESHOLD_PERCENT: u32 = 80;
/// The lowest threshold that a run may have, in percent.
pub const THRESHOLD_PERCENT_MIN: u32 = 50;

/// The way in which a run searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Plan {
    /// The search goes from A towards B, by the specification to the letter.
    OneSided,
    /// The search goes from both sides at once; every recognised photo adds all its pairs.
    BothEnds,
}

impl Plan {
    /// All plans.
    pub const ALL: [Self; 2] = [Self::OneSided, Self::BothEnds];

    /// Returns the name that stands in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the plan of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// The rule for how many of a run's calls are under way at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Pace {
    /// As many calls as help: a search's photos together, and the next search where a place is
    /// free.
    Quick,
    /// One photo at a time, and no further photo of a search once one proves the pair that it
    /// names.
    Frugal,
}

impl Pace {
    /// All paces.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Frugal];

    /// Returns the name that stands in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the pace of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// Whether a run uses what earlier runs have paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoryUse {
    /// The run pays for everything anew.
    #[default]
    Off,
    /// The run uses answers that are remembered, and is told whom remembered photos show before it fetches them.
    On,
    /// The run uses answers that are remembered, and is told of no photo before its bytes have come: what it holds is
    /// what it shows.
    Shown,
}

/// The most that one attempt of each kind may cost, in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CallPrices {
    /// The price of a search, with the dearest of the providers that may be asked.
    #[serde(rename = "search")]
    pub search_nano_usd_max: u64,
    /// The price of a recognition.
    #[serde(rename = "recognition")]
    pub recognition_nano_usd_max: u64,
    /// The price of a planner call, with the longest question and answer.
    #[serde(rename = "plan")]
    pub planner_nano_usd_max: u64,
    /// The price of a picture of a page, with the longest time that one may take.
    #[serde(rename = "page", default, skip_serializing_if = "is_free")]
    pub page_nano_usd_max: u64,
    /// The price of a JPEG that the platform makes of a photo in another format.
    #[serde(rename = "conversion", default, skip_serializing_if = "is_free")]
    pub conversion_nano_usd_max: u64,
}

fn is_free<N: Default + PartialEq>(price: &N) -> bool {
    *price == N::default()
}

/// The bounds of one run, each already checked against the operator's caps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The plan, which says how the search goes from A to B.
    pub plan: Plan,
    /// The pace, which says how many calls are under way at the same time.
    pub pace: Pace,
    /// The most edges that a path may have, 1 to 6.
    pub hops: u32,
    /// The least match confidence that counts, [`THRESHOLD_PERCENT_MIN`] to 100 percent.
    pub threshold_percent: u32,
    /// The number of photos that are looked at per search, 1 to 10.
    pub images_per_search: u32,
    /// The most attempts of image searches.
    pub searches_max: u32,
    /// The most searches after the first chain, to make it shorter or surer. They count among
    /// `searches_max`, too.
    pub polish_searches_max: u32,
    /// The most searches for a second photo of the chain's most doubtful links, after all others. They count
    /// among `searches_max`, too.
    pub confirm_searches_max: u32,
    /// The most attempts of recognitions.
    pub recognitions_max: u32,
    /// The most attempts of planner calls; 0 switches the planner off.
    pub planner_calls_max: u32,
    /// Whether pictures are taken of the pages that show the final chain's photos.
    pub captures_pages: bool,
    /// Whether the platform makes JPEGs of photos in formats that the recogniser does not take.
    pub converts_photos: bool,
    /// Whether the plan from both ends learns from what is free: it reads the words beside photos as hints, and
    /// tells copies of photos that were seen. Orders of versions that did neither have neither done.
    pub reads_captions: bool,
    /// Whether the run uses what earlier runs have paid for: answers of the recogniser to the same bytes, and, in
    /// the plan from both ends, the photos that this server remembers as hints.
    pub memory: MemoryUse,
    /// The longest wall-clock time from S0 on, in milliseconds.
    pub runtime_ms_max: u64,
    /// The most that all calls may cost together, in billionths of a dollar; `None` for no such
    /// limit.
    pub nano_usd_max: Option<u64>,
    /// The prices by which `nano_usd_max` is checked before a call is sent.
    pub prices: CallPrices,
}

impl Default for Limits {
    /// Returns the specification's fixed parameters and budgets.
    //= spec Fixed Parameters
    //= spec Budgets
    fn default() -> Self {
        Self {
            plan: Plan::BothEnds,
            pace: Pace::Quick,
            hops: 6,
            threshold_percent: THRESHOLD_PERCENT,
            images_per_search: 5,
            searches_max: 20,
            polish_searches_max: 0,
            confirm_searches_max: 0,
            recognitions_max: 100,
            planner_calls_max: 12,
            captures_pages: false,
            converts_photos: false,
            memory: MemoryUse::Off,
            reads_captions: false,
            runtime_ms_max: 120_000,
            nano_usd_max: None,
            prices: CallPrices::default(),
        }
    }
}

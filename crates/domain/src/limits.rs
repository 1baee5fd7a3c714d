//! The limits of one run: what it may do and spend.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The most names to avoid.
pub const AVOID_MAX: usize = 20;
/// The largest budget of calls that an operator's caps may allow.
pub const BUDGET_MAX: u32 = 5_000;

/// The most page openings of one run: one for each of a chain's six edges, and each may be lost with its process and
/// repeated.
pub const PAGE_OPENINGS_MAX: u32 = 12;
/// The longest time for the screenshot of one page, in milliseconds.
pub const PAGE_MS_MAX: u64 = 20_000;

/// The default threshold of runs, and that of the atlas, in percent.
pub const THRESHOLD_PERCENT: u32 = 80;
/// The lowest threshold that a run may have, in percent.
pub const THRESHOLD_PERCENT_MIN: u32 = 50;

/// The strategy of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Plan {
    /// From A towards B, exactly by the specification.
    OneSided,
    /// From both sides at once. Every recognised photo adds all its pairs.
    BothEnds,
}

impl Plan {
    /// All plans.
    pub const ALL: [Self; 2] = [Self::OneSided, Self::BothEnds];

    /// Returns the name in requests and documents.
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

/// How many of a run's calls may be in flight at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Pace {
    /// As many calls as useful: all photos of a search, and the next search if the limit of calls allows.
    Quick,
    /// One photo at a time, and no further photo of a search once one proves its pair.
    Frugal,
}

impl Pace {
    /// All paces.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Frugal];

    /// Returns the name in requests and documents.
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

/// Whether a run uses answers that earlier runs have paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoryUse {
    /// No: the run pays for everything itself.
    #[default]
    Off,
    /// Yes, and the memory reveals who is in a photo before the photo is fetched.
    On,
    /// Yes, but the memory reveals who is in a photo only once the photo is fetched, so that the run knows only what it
    /// shows.
    Shown,
}

/// The most that one attempt of each kind may cost, in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CallPrices {
    /// The price of a search: the highest among the configured providers.
    #[serde(rename = "search")]
    pub search_nano_usd_max: u64,
    /// The price of a recognition.
    #[serde(rename = "recognition")]
    pub recognition_nano_usd_max: u64,
    /// The price of a planner call with the longest question and answer.
    #[serde(rename = "plan")]
    pub planner_nano_usd_max: u64,
    /// The price of a page's screenshot that takes the longest time.
    #[serde(rename = "page", default, skip_serializing_if = "is_free")]
    pub page_nano_usd_max: u64,
    /// The price of converting a photo to JPEG on the platform.
    #[serde(rename = "conversion", default, skip_serializing_if = "is_free")]
    pub conversion_nano_usd_max: u64,
}

fn is_free<N: Default + PartialEq>(price: &N) -> bool {
    *price == N::default()
}

/// The limits of one run, already checked against the operator's caps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The strategy of the search.
    pub plan: Plan,
    /// The limit of calls in flight.
    pub pace: Pace,
    /// The most edges of a chain, 1 to 6.
    pub hops: u32,
    /// The least match confidence that counts, [`THRESHOLD_PERCENT_MIN`] to 100 percent.
    pub threshold_percent: u32,
    /// The number of photos examined per search, 1 to 10.
    pub images_per_search: u32,
    /// The most attempts of image searches.
    pub searches_max: u32,
    /// The most searches after the first chain, for a shorter or more certain one. They count towards `searches_max`.
    pub polish_searches_max: u32,
    /// The most searches, after all others, for a second photo of the chain's most doubtful edges. They count towards
    /// `searches_max`.
    pub confirm_searches_max: u32,
    /// The most attempts of recognitions.
    pub recognitions_max: u32,
    /// The most attempts of planner calls; 0 switches the planner off.
    pub planner_calls_max: u32,
    /// Whether screenshots are taken of the pages that show the final chain's photos.
    pub captures_pages: bool,
    /// Whether the platform converts photos in formats that the recogniser rejects.
    pub converts_photos: bool,
    /// Whether the plan from both ends uses free information: captions as hints, and the detection of copies of
    /// examined photos. False in orders of versions without either.
    pub reads_captions: bool,
    /// Whether the run uses remembered answers: the recogniser's for the same bytes and, in the plan from both ends,
    /// this server's remembered photos as hints.
    pub memory: MemoryUse,
    /// The longest wall-clock time from S0 on, in milliseconds.
    pub runtime_ms_max: u64,
    /// The most that all calls together may cost, in billionths of a dollar; `None` if unlimited.
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

//! The limits of one run on its calls, time and money.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::provenance::YearRange;

/// The most names that a request may exclude from the chain.
pub const AVOID_MAX: usize = 20;
/// The largest number of calls that an operator's caps may allow a run.
pub const BUDGET_MAX: u32 = 5_000;

/// The most pages that one run opens. A chain has up to six edges, and each edge's page may have to be opened twice
/// if the process is lost.
pub const PAGE_OPENINGS_MAX: u32 = 12;
/// The longest time to take the screenshot of one page, in milliseconds.
pub const PAGE_MS_MAX: u64 = 20_000;

/// The default threshold of runs, which is also the atlas's threshold, in percent.
pub const THRESHOLD_PERCENT: u32 = 80;
/// The lowest threshold that a run may have, in percent.
pub const THRESHOLD_PERCENT_MIN: u32 = 50;

/// The strategy of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Plan {
    /// The search goes from A towards B, exactly as in the specification.
    OneSided,
    /// The search goes from both sides at once. Every recognised photo contributes all its pairs.
    BothEnds,
}

impl Plan {
    /// Every plan.
    pub const ALL: [Self; 2] = [Self::OneSided, Self::BothEnds];

    /// Returns the plan's name in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the plan with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// How many of a run's calls may be in flight at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Pace {
    /// As many calls as are useful: all photos of a search, and the next search if the limit of calls allows it.
    Quick,
    /// One photo at a time. Once a photo proves the pair of its search, no further photo of that search is examined.
    Frugal,
}

impl Pace {
    /// Every pace.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Frugal];

    /// Returns the pace's name in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the pace with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

/// How a run uses the words beside photos, which cost nothing. Orders that older versions stored have fewer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum WordUse {
    /// Not at all. The run does not look for copies of photos either.
    #[default]
    Ignored,
    /// As hints about who is in a photo, in the plan from both ends.
    Hints,
    /// As hints, and in both plans as doubts: they may speak against a photo.
    Doubts,
    /// As doubts, and in the plan from both ends as hints that are read before anything is paid for.
    HintsFirst,
}

/// Whether a run uses answers that earlier runs have paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoryUse {
    /// Not used: the run pays for every answer itself.
    #[default]
    Off,
    /// Used: the memory reveals who is in a photo even before the photo is fetched.
    On,
    /// Used, but the memory reveals who is in a photo only once the photo is fetched. So the run knows nothing that it
    /// has not shown to viewers.
    Shown,
}

/// The highest price of one attempt of each kind of call, in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CallPrices {
    /// The price of a search, which is the highest among the configured providers.
    #[serde(rename = "search")]
    pub search_nano_usd_max: u64,
    /// The price of a recognition.
    #[serde(rename = "recognition")]
    pub recognition_nano_usd_max: u64,
    /// The price of a planner call with the longest question and answer.
    #[serde(rename = "plan")]
    pub planner_nano_usd_max: u64,
    /// The price of a page's screenshot, if it takes the longest permitted time.
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
    /// The strategy of the run's search.
    pub plan: Plan,
    /// How many calls may be in flight at once.
    pub pace: Pace,
    /// The most edges of the chain, 1 to 6.
    pub hops: u32,
    /// The lowest match confidence that counts, from [`THRESHOLD_PERCENT_MIN`] to 100 percent.
    pub threshold_percent: u32,
    /// The number of photos examined per search, 1 to 10.
    pub images_per_search: u32,
    /// The most attempts of image searches in the run.
    pub searches_max: u32,
    /// The most searches after the first chain was found, for a shorter or more certain chain. They count towards
    /// `searches_max`.
    pub polish_searches_max: u32,
    /// The most searches, at the end of the run, for a second photo of each of the chain's most doubtful edges. They
    /// count towards `searches_max`.
    pub confirm_searches_max: u32,
    /// The most attempts of recognitions in the run.
    pub recognitions_max: u32,
    /// The most attempts of planner calls in the run; 0 switches the planner off.
    pub planner_calls_max: u32,
    /// Whether screenshots are taken of the pages that show the final chain's photos.
    pub captures_pages: bool,
    /// Whether the platform converts photos in formats that the recogniser rejects.
    pub converts_photos: bool,
    /// How the run uses the words beside photos.
    pub words: WordUse,
    /// The years from and to which photos count; `None` if any. With either, a photo without a date proves nothing.
    pub years: YearRange,
    /// Whether Wikidata is asked when the people whose numbers were given were born and died.
    pub asks_lives: bool,
    /// Whether the run uses remembered answers. These are the recogniser's answers for the same bytes and, in the
    /// plan from both ends, this server's remembered photos as hints.
    pub memory: MemoryUse,
    /// The longest duration of the run, counted from step S0, in milliseconds of wall-clock time.
    pub runtime_ms_max: u64,
    /// The most that all calls together may cost, in billionths of a dollar; `None` if unlimited.
    pub nano_usd_max: Option<u64>,
    /// The prices with which the run checks, before each call, that the call cannot exceed `nano_usd_max`.
    pub prices: CallPrices,
}

impl Default for Limits {
    /// Returns the specification's fixed parameters and budgets as limits.
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
            words: WordUse::Ignored,
            years: YearRange::default(),
            asks_lives: false,
            runtime_ms_max: 120_000,
            nano_usd_max: None,
            prices: CallPrices::default(),
        }
    }
}

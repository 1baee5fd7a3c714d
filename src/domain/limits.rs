//! What one run may do and spend.

/// Names to avoid at most.
pub const AVOID_MAX: usize = 20;
/// No budget is larger: an operator's caps go no further.
pub const BUDGET_MAX: u32 = 5_000;

/// Which plan a run follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// From A towards B, the specification to the letter.
    OneSided,
    /// From both sides at once; every recognised photo adds all its pairs.
    BothEnds,
}

impl Plan {
    /// Every plan, to choose from by name.
    pub const ALL: [Self; 2] = [Self::OneSided, Self::BothEnds];

    /// As it is written in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneSided => "one-sided",
            Self::BothEnds => "both-ends",
        }
    }

    /// The plan of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == name)
    }
}

/// How many of a run's calls are under way at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// As many as help: a search's photos together, and the next search where a place is free.
    Quick,
    /// One photo at a time, and no more of a search once a photo proves the pair that it names.
    Frugal,
}

impl Pace {
    /// Every pace, to choose from by name.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Frugal];

    /// As it is written in requests and documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Frugal => "frugal",
        }
    }

    /// The pace of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.as_str() == name)
    }
}

/// The lowest threshold that a run may have, in percent.
pub const THRESHOLD_PERCENT_MIN: u32 = 50;

/// What one attempt of each kind may cost at most, in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallPrices {
    /// Of a search, with the dearest of the providers that may be asked.
    pub search_nano_usd_max: u64,
    /// Of a recognition.
    pub recognition_nano_usd_max: u64,
    /// Of a planner call, with the longest question and answer.
    pub planner_nano_usd_max: u64,
}

/// The bounds of one run, each already checked against the operator's caps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How the search goes from A to B.
    pub plan: Plan,
    /// How many calls are under way at the same time.
    pub pace: Pace,
    /// Edges a path may have at most, 1 to 6.
    pub hops: u32,
    /// The least match confidence that counts, [`THRESHOLD_PERCENT_MIN`] to 100 percent.
    pub threshold_percent: u32,
    /// Photos looked at per search, 1 to 10.
    pub images_per_search: u32,
    /// Attempts of image searches at most.
    pub searches_max: u32,
    /// Searches after the first chain, to make it shorter or surer; of those above.
    pub polish_searches_max: u32,
    /// Attempts of recognitions at most.
    pub recognitions_max: u32,
    /// Attempts of planner calls at most; 0 switches the planner off.
    pub planner_calls_max: u32,
    /// Wall-clock time from S0 on, in milliseconds.
    pub runtime_ms_max: u64,
    /// What all calls may cost together, in billionths of a dollar; none for no such limit.
    pub nano_usd_max: Option<u64>,
    /// By which that limit is held before a call is sent.
    pub prices: CallPrices,
}

impl Default for Limits {
    /// The specification's fixed parameters and budgets.
    //= spec Fixed Parameters
    //= spec Budgets
    fn default() -> Self {
        Self {
            plan: Plan::BothEnds,
            pace: Pace::Quick,
            hops: 6,
            threshold_percent: 80,
            images_per_search: 5,
            searches_max: 20,
            polish_searches_max: 0,
            recognitions_max: 100,
            planner_calls_max: 12,
            runtime_ms_max: 120_000,
            nano_usd_max: None,
            prices: CallPrices::default(),
        }
    }
}

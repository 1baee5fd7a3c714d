//! The providers of each role in the operator's order, and what each charges.

use std::rc::Rc;

use domain::{CallPrices, SearchSource};
use providers::{
    CHAT_BYTES_MAX, CHAT_IMAGES_MAX, CHAT_TOKENS_OUT_MAX, ImageSearch, Planner, Recogniser, Usage,
};

use crate::address_policy::AddressPolicy;
use crate::browser_settings::BrowserSettings;
use crate::kept_secrets::KeptSecret;
use crate::mcp_servers::McpServer;
use crate::parts::PartFaults;

/// The longest question to a planner, in tokens: about three times what was seen.
const QUESTION_TOKENS_MAX: u64 = 8_000;
/// The longest answer of a planner, in tokens: what its requests allow.
const ANSWER_TOKENS_MAX: u64 = 2_048;
/// The bytes of text in a token, at least.
const BYTES_PER_TOKEN: u64 = 3;
/// The tokens of a picture, at most.
const TOKENS_PER_IMAGE: u64 = 2_000;

/// An image search and its price.
#[derive(Debug, Clone)]
pub struct PricedSearch {
    /// The search as it is asked.
    pub search: Rc<dyn ImageSearch>,
    /// The price of one answered search, in billionths of a dollar.
    pub nano_usd: u64,
}

/// The recogniser, its price and its pace.
#[derive(Debug, Clone)]
pub struct PricedRecogniser {
    /// The recogniser as it is asked.
    pub recogniser: Rc<dyn Recogniser>,
    /// The price of one answered photo, in billionths of a dollar.
    pub nano_usd: u64,
    /// The photos that all runs of one isolate may send in a second.
    pub per_second_max: u32,
}

/// The platform's converter of photos, by the binding `IMAGES`, and its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricedConverter {
    /// The price of one converted photo, in billionths of a dollar.
    pub nano_usd: u64,
}

/// A planner and its prices.
#[derive(Debug, Clone)]
pub struct PricedPlanner {
    /// The planner as it is asked.
    pub planner: Rc<dyn Planner>,
    /// The price of a token that the planner reads, in billionths of a dollar.
    pub token_in_nano_usd: u64,
    /// The price of a token that the planner writes, in billionths of a dollar.
    pub token_out_nano_usd: u64,
}

impl PricedPlanner {
    /// Returns what a call costs that used so many tokens.
    #[must_use]
    pub fn nano_usd_of(&self, usage: Usage) -> u64 {
        let read = usage.tokens_in.saturating_mul(self.token_in_nano_usd);
        let written = usage.tokens_out.saturating_mul(self.token_out_nano_usd);
        read.saturating_add(written)
    }

    /// Returns what the dearest call costs. A call that does not say what it used counts as this
    /// one.
    #[must_use]
    pub fn nano_usd_max(&self) -> u64 {
        let question = QUESTION_TOKENS_MAX.saturating_mul(self.token_in_nano_usd);
        let answer = ANSWER_TOKENS_MAX.saturating_mul(self.token_out_nano_usd);
        question.saturating_add(answer)
    }

    /// Returns what the dearest question with tools costs.
    #[must_use]
    pub fn chat_nano_usd_max(&self) -> u64 {
        let images = TOKENS_PER_IMAGE.saturating_mul(CHAT_IMAGES_MAX as u64);
        let read = (CHAT_BYTES_MAX as u64 / BYTES_PER_TOKEN).saturating_add(images);
        let read = read.saturating_mul(self.token_in_nano_usd);
        let written = u64::from(CHAT_TOKENS_OUT_MAX).saturating_mul(self.token_out_nano_usd);
        read.saturating_add(written)
    }
}

/// The memory of what runs have recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemorySettings {
    /// Whether runs keep what they have paid for, besides using what is kept.
    pub keeps: bool,
    /// Whether what is kept is everybody's to read, so that runs are told of photos before they show them.
    pub is_everybodys: bool,
    /// The age from which on an answer is asked for anew, in days.
    pub days: u32,
    /// The age from which on an image search is asked anew, in days; 0 where no answer of one is kept.
    pub search_days: u32,
}

/// Everything that a run needs of the operator.
#[derive(Debug, Clone)]
pub struct Providers {
    /// The image searches in the operator's order. There is at least one.
    pub searches: Vec<PricedSearch>,
    /// The recogniser.
    pub recogniser: PricedRecogniser,
    /// The planners in the order in which they are asked. The list is empty where the ranking
    /// decides alone.
    pub planners: Vec<PricedPlanner>,
    /// The model that looks at pictures for workflows, or `None` where no model does.
    pub vision: Option<PricedPlanner>,
    /// The servers whose tools workflows may call.
    pub mcp_servers: Vec<McpServer>,
    /// The browsers, or `None` where there are none.
    pub browser: Option<BrowserSettings>,
    /// What makes JPEGs of photos in other formats, or `None` where nothing does.
    pub converter: Option<PricedConverter>,
    /// The memory of what runs have recognised, or `None` where there is none.
    pub memory: Option<MemorySettings>,
    /// The secrets that the operator keeps for runs.
    pub kept_secrets: Vec<KeptSecret>,
    /// The rules for which photo addresses may be fetched.
    pub addresses: AddressPolicy,
    /// The user agent by which photo hosts are told who fetches.
    pub photo_agent: String,
    /// What is wrong with the settings that only some runs need.
    pub faults: PartFaults,
}

impl Providers {
    /// Returns the providers for a run that was created at this host of the server.
    #[must_use]
    pub fn at_host(&self, host: Option<&str>) -> Self {
        Self {
            addresses: self.addresses.clone().at_host(host),
            ..self.clone()
        }
    }

    /// Returns the image searches in the order in which a run asks them, as far as it has to know
    /// them: first those that are free, then the operator's first of the others, then the cheapest.
    /// Equals stay in the operator's order.
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

    /// Returns what one attempt of each kind may cost at most, whichever provider of the operator's
    /// list is asked.
    #[must_use]
    pub fn attempt_prices(&self) -> CallPrices {
        let searches = self.searches.iter().map(|one| one.nano_usd);
        let planners = self.planners.iter().map(PricedPlanner::nano_usd_max);
        let conversion = self.converter.map_or(0, |converter| converter.nano_usd);
        CallPrices {
            search_nano_usd_max: searches.max().unwrap_or_default(),
            // A photo that is fetched again before it is sent is converted again, too.
            recognition_nano_usd_max: self.recogniser.nano_usd.saturating_add(conversion),
            planner_nano_usd_max: planners.max().unwrap_or_default(),
            page_nano_usd_max: self
                .browser
                .as_ref()
                .map_or(0, BrowserSettings::page_nano_usd),
            conversion_nano_usd_max: conversion,
        }
    }

    /// Returns what one attempt of a workflow's question may cost at most.
    #[must_use]
    pub fn chat_nano_usd_max(&self) -> u64 {
        let models = self.planners.iter().chain(&self.vision);
        models
            .map(PricedPlanner::chat_nano_usd_max)
            .max()
            .unwrap_or_default()
    }
}

/// Puts the free ones first, then the first of the others, then the cheapest.
fn in_asking_order(mut sources: Vec<SearchSource>) -> Vec<SearchSource> {
    let first_paid = sources.iter().position(|source| source.nano_usd > 0);
    let first_paid = first_paid.map(|place| sources.remove(place));
    sources.sort_by_key(|source| source.nano_usd);
    if let Some(first_paid) = first_paid {
        let free = sources.iter().take_while(|source| source.nano_usd == 0);
        sources.insert(free.count(), first_paid);
    }
    sources
}

#[cfg(test)]
mod tests {
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

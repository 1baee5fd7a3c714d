//! The photos that were found and could not be looked at, and the reasons.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::PhotoFailure;

/// The most different reasons that are kept: some are in a provider's own words.
const REASONS_MAX: usize = 16;

/// The photos that could not be looked at, counted by the reason.
#[derive(Debug, Clone, Default)]
pub struct UnreadPhotos {
    unfetchable: BTreeMap<String, u32>,
    unreadable: BTreeMap<String, u32>,
}

impl UnreadPhotos {
    pub fn note(&mut self, failure: &PhotoFailure) {
        let (reasons, why) = match failure {
            PhotoFailure::Unfetchable(why) => (&mut self.unfetchable, why),
            PhotoFailure::Unreadable(why) => (&mut self.unreadable, why),
        };
        if reasons.len() < REASONS_MAX || reasons.contains_key(why) {
            *reasons.entry(why.clone()).or_default() += 1;
        }
    }

    /// Returns why photos could not be fetched, the most frequent reason first.
    pub fn unfetchable(&self) -> Vec<(&str, u32)> {
        by_frequency(&self.unfetchable)
    }

    /// Returns why photos could not be read, the most frequent reason first.
    pub fn unreadable(&self) -> Vec<(&str, u32)> {
        by_frequency(&self.unreadable)
    }
}

fn by_frequency(reasons: &BTreeMap<String, u32>) -> Vec<(&str, u32)> {
    let reasons = reasons.iter().map(|(why, photos)| (why.as_str(), *photos));
    let mut reasons: Vec<(&str, u32)> = reasons.collect();
    reasons.sort_by_key(|(why, photos)| (Reverse(*photos), *why));
    reasons
}
